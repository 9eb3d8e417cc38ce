"""The text of a registered command: a real interpreter, a real script, and nothing to look for."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.system import WINDOWS
from session_memory.install.place import Refused

# An argument that hooks ignore. By it, a later version finds what an earlier one registered.
MARK = "--registered-by=session-memory-hooks"
_GONE = "session-memory: its Python is gone; run session-memory install again"
_FLAGS = ("-I", "-S", "-X", "utf8")


@dataclass(frozen=True)
class Runner:
    """What runs an entry point: an interpreter, and where compiled modules lie if not beside."""

    python: str
    pycache: str = ""

    def arguments(self, script: Path) -> list[str]:
        """The argument list that runs ``script``; raises :class:`Refused` if it is not text."""
        cache = ["-X", f"pycache_prefix={self.pycache}"] if self.pycache else []
        found = [self.python, *_FLAGS, *cache, script.as_posix(), MARK]
        for argument in found:
            if not argument.isprintable():
                raise Refused(f"cannot be written into a settings file: {argument!a}")
        return found


def posix(runner: Runner, script: Path) -> str:
    """For ``sh -c``. A removed installation is silent, a removed interpreter is one line."""
    arguments = runner.arguments(script)
    python = shlex.quote(arguments[0])
    return (
        f"[ ! -f {shlex.quote(script.as_posix())} ] || "
        f"{{ [ -x {python} ] && exec {shlex.join(arguments)}; echo '{_GONE}' >&2; }}"
    )


def powershell(runner: Runner, script: Path) -> str:
    """The same for PowerShell."""
    python, *arguments = [_powershell_quote(text) for text in runner.arguments(script)]
    path = _powershell_quote(script.as_posix())
    return f"if (Test-Path -LiteralPath {path}) {{ & {python} {' '.join(arguments)} }}; exit 0"


def texts(runner: Runner, script: Path) -> dict[str, str]:
    """The members of a handler that hold commands; those for Windows only where they can apply."""
    found = {"command": posix(runner, script)}
    if WINDOWS:
        found["windows"] = found["powershell"] = powershell(runner, script)
    return found


def is_ours(text: object, hooks: Path) -> bool:
    """Whether a command was registered by us, or by hand to run an entry point in ``hooks``."""
    if not isinstance(text, str):
        return False
    by_hand = [f"{hooks.as_posix()}/{name}" for name in ("run", *(p.name for p in scripts(hooks)))]
    return MARK in text or any(path in text for path in by_hand)


def scripts(hooks: Path) -> list[Path]:
    """The entry points in ``hooks``."""
    from session_memory.core.guard import EVENT_NAMES

    return [hooks / f"{entry}.py" for entry in EVENT_NAMES]


def parse(text: str) -> "tuple[str, str]":
    """The interpreter and the script of a command of ours, or empty texts."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return "", ""
    if MARK not in words:
        return "", ""
    script = words[words.index(MARK) - 1]
    python = words[words.index("exec") + 1] if "exec" in words else ""
    return python, script


def _powershell_quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def pycache(text: str) -> str:
    """Where a command of ours has its compiled modules, if not beside the sources."""
    option = "pycache_prefix="
    try:
        found = [word for word in shlex.split(text) if word.startswith(option)]
    except ValueError:
        return ""
    return found[0][len(option) :] if found else ""
