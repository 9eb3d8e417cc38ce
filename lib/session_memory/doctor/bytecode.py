"""Whether compiled modules are kept, as the interpreter itself sees it."""

import ast
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import timing
from session_memory.doctor.access import can_write_below
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.interpreter import Python
from session_memory.doctor.launches import Launch
from session_memory.library import PACKAGE

CHECK = "byte code"

# What every hook imports.
MODULES = (
    *(f"session_memory.core.{name}" for name in ("guard", "deadline", "stdin", "system")),
    *(f"session_memory.core.{name}" for name in ("json_text", "payload", "session")),
    *(f"session_memory.events.{entry}" for entry in EVENT_NAMES),
)

# Further rooms that hooks take modules from.
ROOMS = ("core", "events", "gates", "hygiene", "references", "startup")

# The loader is the real one; it only tells when it has to compile, and keeps nothing. Behind the
# first modules, which hooks need always, come those of which only a torn one matters.
_JUDGE = """
import os, sys
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
class Judge(SourceFileLoader):
    def source_to_code(self, *arguments, **keywords):
        print(self.name)
        return super().source_to_code(*arguments, **keywords)
root, always, *names = sys.argv[1:]
for number, name in enumerate(names):
    path = root + "/" + name.replace(".", "/") + ".py"
    cached = cache_from_source(path)
    if number >= int(always) and not os.path.exists(cached):
        continue
    judge = Judge(name, path)
    try:
        judge.get_code(name)
    except (EOFError, ValueError, TypeError):
        compile(judge.get_data(path), path, "exec")  # fails where the source itself is at fault
        print("!" + ascii(cached))
"""


def prefix(launch: Launch) -> list[str]:
    """The option by which the launcher keeps compiled modules elsewhere, if it has to."""
    folder = cache(launch)
    return ["-X", f"pycache_prefix={folder}"] if folder else []


def cache(launch: Launch) -> "Path | None":
    """The folder of compiled modules; ``None`` when they lie beside their sources."""
    if launch.python:
        return Path(launch.pycache) if launch.pycache else None
    return None if os.access(launch.package / "core", os.W_OK) else launch.data / "pycache"


@dataclass(frozen=True)
class Verdict:
    """``compiled`` are the modules that are compiled anew; ``None`` when one cannot be.

    ``obstacle`` is the folder that cannot keep the result, if there is one. ``torn`` are files of
    byte code that no Python can load.
    """

    compiled: "list[str] | None"
    obstacle: "Path | None"
    torn: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether the next hooks compile what is missing, once and for all."""
        return bool(self.compiled) and self.obstacle is None


def judge(launch: Launch, python: Python, environ: Mapping[str, str]) -> Verdict:
    """What the interpreter itself thinks of the compiled modules."""
    options = ["-I", "-S", "-B", "-X", "utf8", *prefix(launch)]
    names = dict.fromkeys([*MODULES, *_others(launch)])
    judged = [_JUDGE, launch.library.source_root, str(len(MODULES)), *names]
    done = timing.run([python.real, *options, "-c", *judged], environ)
    if done is None or done.returncode:
        return Verdict(None, _obstacle(launch))
    lines = done.stdout.decode("ascii", "replace").splitlines()
    named = [str(ast.literal_eval(line[1:])) for line in lines if line.startswith("!")]
    torn = tuple(map(os.path.realpath, named))
    return Verdict([line for line in lines if line in MODULES], _obstacle(launch), torn)


def _others(launch: Launch) -> list[str]:
    paths = (path for room in ROOMS for path in sorted(launch.package.glob(f"{room}/*.py")))
    names = [f"{PACKAGE}.{path.parent.name}.{path.stem}" for path in paths]
    return [f"{PACKAGE}.__init__", f"{PACKAGE}.preload", *names]


def check(launch: Launch, python: Python, verdict: Verdict) -> Finding:
    """What is compiled anew at every call."""
    where = str(launch.root)
    if verdict.compiled is None:
        what = "The hooks' modules cannot be compiled."
        mend = launch.library.mend()
        return Finding(CHECK, Level.FAULT, what, "Hooks do nothing.", mend, where)
    if verdict.torn:
        return _torn(verdict.torn)
    count = len(verdict.compiled)
    if count and verdict.obstacle:
        return _uncached(launch, python, count, verdict.obstacle)
    to_do = f"To be compiled by the next hooks: {_modules(count)}."
    what = to_do if count else "All is compiled."
    return Finding(CHECK, Level.OK, what, where=where)


def _torn(paths: tuple[str, ...]) -> Finding:
    several = f", and {len(paths) - 1} more" if len(paths) > 1 else ""
    what = f"A compiled module is torn: {paths[0]}{several}."
    why = "Python reads it and not the source, so every hook that needs it does nothing."
    return Finding(CHECK, Level.FAULT, what, why, shlex.join(["rm", *paths]), paths[0])


def _uncached(launch: Launch, python: Python, count: int, obstacle: Path) -> Finding:
    if cache(launch):
        mend = f"make {obstacle.parent} writable"
    elif os.path.exists(obstacle) and not os.path.isdir(obstacle):
        mend = f"rm {shlex.quote(str(obstacle))}"
    else:
        compile_all = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        mend = shlex.join([python.real, *compile_all, str(launch.package)])
    are = "is" if count == 1 else "are"
    return Finding(
        CHECK,
        Level.WARNING,
        f"{_modules(count)} {are} compiled anew at every hook, since {obstacle} cannot be written.",
        "That doubles the time of a hook.",
        mend,
        str(obstacle),
    )


def _modules(count: int) -> str:
    return "1 module" if count == 1 else f"{count} modules"


def _obstacle(launch: Launch) -> "Path | None":
    """The folder that cannot keep compiled modules; ``None`` when all can."""
    elsewhere = cache(launch)
    beside = [launch.package / room / "__pycache__" for room in ("core", "events")]
    folders = [elsewhere] if elsewhere else beside
    return next((folder for folder in folders if not can_write_below(folder)), None)
