"""Which Python the hooks run on, what it costs to start, and whether the launcher remembers it.

The choice is that of ``hooks/run``, made here without writing anything; a test holds both together.
"""

import ast
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.system import WINDOWS, read_file
from session_memory.doctor import timing
from session_memory.doctor.access import can_write_below
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.launches import Launch

CHECK = "interpreter"
SETTING = "SESSION_MEMORY_PYTHON"

OLDEST = (3, 9)
REMEMBERED = "remembered"
SET = "named by " + SETTING
NAMED = "named in the registered command"
ON_PATH = "on PATH"

_PROBES = 4
_ROUNDS = 5
_SLOW_MS = 250.0
_FACTS = "import sys; print(ascii((sys.executable, *sys.version_info[:3])))"


@dataclass(frozen=True)
class Python:
    """An interpreter: the path it is started by, what it says it is, and how it was chosen."""

    path: str
    real: str
    version: tuple[int, ...]
    how: str

    @property
    def is_shim(self) -> bool:
        """Whether another program stands before it and finds it at every start."""
        return os.path.realpath(self.path) != os.path.realpath(self.real)


@dataclass(frozen=True)
class Choice:
    """What the launcher would do. ``broken`` is a path that it would take and that cannot start."""

    python: "Python | None"
    broken: str = ""
    forgotten: str = ""


def choose(launch: Launch, environ: Mapping[str, str]) -> Choice:
    """The interpreter of ``launch``, found as its launcher finds it."""
    if launch.python:
        path = launch.python if os.path.isabs(launch.python) else _on_path(launch.python, environ)
        python = examine(path, NAMED, environ)
        return Choice(python, "" if python else launch.python)
    setting = environ.get(SETTING, "")
    path, chosen_for = _memory(launch.memory)
    kept = path if _is_executable(path) else ""
    if kept and chosen_for == setting:
        python = examine(kept, REMEMBERED, environ)
        return Choice(python, "" if python else kept)
    python = examine(setting, SET, environ) if setting else None
    if not python and kept and chosen_for == "":
        python = examine(kept, REMEMBERED, environ)
        return Choice(python, "" if python else kept)
    return Choice(python or _search(environ), forgotten="" if kept else path)


def examine(path: str, how: str, environ: Mapping[str, str]) -> "Python | None":
    """What ``path`` is, or ``None`` when it is no Python that the hooks can run on."""
    done = timing.run([path, "-I", "-S", "-c", _FACTS], environ) if path else None
    if done is None or done.returncode:
        return None
    try:
        real, *version = ast.literal_eval(done.stdout.decode("ascii"))
        found = tuple(map(int, version))
    except (ValueError, TypeError, SyntaxError):  # it is some other program
        return None
    return Python(path, str(real), found, how) if found >= OLDEST else None


def check(launch: Launch, choice: Choice, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether there is one, whether it is the one that was asked for, and what it costs."""
    yield from _setting(launch, choice, environ)
    if choice.broken:
        # One that is gone was told together with the command that names it.
        if not launch.python or shutil.which(choice.broken, path=environ.get("PATH")):
            yield _broken(launch, choice.broken)
    elif choice.python is None:
        yield _none(launch)
    else:
        yield from _cost(launch, choice.python, environ)
    if choice.forgotten and choice.python:
        what = f"The remembered interpreter {choice.forgotten} is gone."
        why = "The next hook looks for another one and remembers that."
        yield Finding(CHECK, Level.NOTE, what, why, where=str(launch.memory))


def _setting(launch: Launch, choice: Choice, environ: Mapping[str, str]) -> Iterator[Finding]:
    setting = environ.get(SETTING, "")
    if not setting or launch.python or (choice.python and choice.python.how == SET):
        return
    if not examine(setting, SET, environ):
        what = f"{SETTING} names {setting}, which is no Python 3.9 or newer."
        why = "The launcher tries it in vain, then takes another."
        mend, where = f"unset {SETTING}, or let it name a real interpreter", ""
        if launch.named_in:
            where = str(launch.named_in)
            mend = f'take {SETTING} out of the "env" of {where}, or let it name a real interpreter'
        yield Finding(CHECK, Level.WARNING, what, why, mend, where)


def _broken(launch: Launch, path: str) -> Finding:
    if launch.python:
        what = f"The registered interpreter {path} cannot start, or is older than Python 3.9."
        mend = "session-memory install once more, which writes a working one"
        return Finding(CHECK, Level.FAULT, what, "Hooks do nothing.", mend, str(launch.root))
    what = f"The remembered interpreter {path} cannot start, or is older than Python 3.9."
    why = "The launcher starts it unseen, so hooks do nothing."
    return Finding(
        CHECK, Level.FAULT, what, why, f"rm {shlex.quote(str(launch.memory))}", str(launch.memory)
    )


def _none(launch: Launch) -> Finding:
    what = "There is no Python 3.9 or newer on PATH."
    mend = f"install one, or set {SETTING} to where it is"
    return Finding(CHECK, Level.FAULT, what, "Hooks do nothing.", mend, str(launch.root))


def _cost(launch: Launch, python: Python, environ: Mapping[str, str]) -> Iterator[Finding]:
    pass_ = ["-I", "-S", "-c", "pass"]
    through, floor = timing.paired_ms(
        [[python.path, *pass_], [python.real, *pass_]], environ, _ROUNDS
    )
    version = ".".join(map(str, python.version))
    if python.is_shim:
        yield _shim(launch, python, through, floor)
    else:
        what = f"Python {version}, {python.how}, starts in {floor:.1f} ms."
        yield Finding(CHECK, Level.OK, what, where=python.path)
    if floor > _SLOW_MS:
        what = f"Python {version} takes {floor:.0f} ms to start."
        why = "No hook can be faster than that."
        yield Finding(CHECK, Level.NOTE, what, why, "try another interpreter", python.real)


def _shim(launch: Launch, python: Python, through: float, floor: float) -> Finding:
    what = (
        f"{python.path} is a shim: {through:.0f} ms, {through / floor:.1f} times"
        f" the {floor:.0f} ms of {python.real} behind it."
    )
    if python.how == NAMED:
        why = "The registered command pays that at every hook."
        mend = "session-memory install once more, which writes the real path"
        return Finding(CHECK, Level.WARNING, what, why, mend, str(launch.root))
    if can_write_below(launch.data):
        why = "Only the first hook pays that; the launcher then remembers what is behind."
        return Finding(CHECK, Level.NOTE, what, why, where=str(launch.memory))
    why = f"Every hook pays that, since the launcher cannot remember anything in {launch.data}."
    mend = f"make {launch.data} writable, or set {SETTING}={python.real}"
    return Finding(CHECK, Level.WARNING, what, why, mend, str(launch.data))


def _memory(path: Path) -> tuple[str, str]:
    """The remembered interpreter, and the setting under which it was chosen."""
    data = read_file(str(path), 1 << 16) or b""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    # The launcher's "read" wants both lines to have an end.
    return (lines[0], lines[1]) if len(lines) > 2 else ("", "")


def _search(environ: Mapping[str, str]) -> "Python | None":
    tried = 0
    for name in ("python3", "python", "py"):
        for folder in environ.get("PATH", "").split(os.pathsep):
            path = os.path.join(folder, name + (".exe" if WINDOWS else ""))
            if not os.path.isabs(folder) or not _is_executable(path):
                continue
            tried += 1
            python = examine(path, ON_PATH, environ)
            if python or tried >= _PROBES:
                return python
    return None


def _on_path(name: str, environ: Mapping[str, str]) -> str:
    for folder in environ.get("PATH", "").split(os.pathsep):
        if os.path.isabs(folder) and _is_executable(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return ""


def _is_executable(path: str) -> bool:
    return bool(path) and os.path.isfile(path) and os.access(path, os.X_OK)
