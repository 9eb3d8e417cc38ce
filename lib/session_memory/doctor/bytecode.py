"""Whether compiled modules are kept, as the interpreter itself sees it."""

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

CHECK = "byte code"

# What every hook imports.
MODULES = (
    *(f"session_memory.core.{name}" for name in ("guard", "deadline", "stdin", "system")),
    *(f"session_memory.core.{name}" for name in ("json_text", "payload", "session")),
    *(f"session_memory.events.{entry}" for entry in EVENT_NAMES),
)

# The loader is the real one; it only tells when it has to compile, and keeps nothing.
_JUDGE = """
import sys
from importlib.machinery import SourceFileLoader
class Judge(SourceFileLoader):
    def source_to_code(self, *arguments, **keywords):
        print(self.name)
        return super().source_to_code(*arguments, **keywords)
for name in sys.argv[2:]:
    Judge(name, sys.argv[1] + "/" + name.replace(".", "/") + ".py").get_code(name)
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

    ``obstacle`` is the folder that cannot keep the result, if there is one.
    """

    compiled: "list[str] | None"
    obstacle: "Path | None"

    @property
    def passes(self) -> bool:
        """Whether the next hooks compile what is missing, once and for all."""
        return bool(self.compiled) and self.obstacle is None


def judge(launch: Launch, python: Python, environ: Mapping[str, str]) -> Verdict:
    """What the interpreter itself thinks of the compiled modules."""
    options = ["-I", "-S", "-B", "-X", "utf8", *prefix(launch)]
    done = timing.run(
        [python.real, *options, "-c", _JUDGE, launch.library.source_root, *MODULES], environ
    )
    failed = done is None or done.returncode
    compiled = None if failed or not done else done.stdout.decode("ascii", "replace").split()
    return Verdict(compiled, _obstacle(launch))


def check(launch: Launch, python: Python, verdict: Verdict) -> Finding:
    """What is compiled anew at every call."""
    where = str(launch.root)
    if verdict.compiled is None:
        what = "The hooks' modules cannot be compiled."
        mend = launch.library.mend()
        return Finding(CHECK, Level.FAULT, what, "Hooks do nothing.", mend, where)
    count = len(verdict.compiled)
    if count and verdict.obstacle:
        return _uncached(launch, python, count, verdict.obstacle)
    what = f"To be compiled by the next hooks: {count} modules." if count else "All is compiled."
    return Finding(CHECK, Level.OK, what, where=where)


def _uncached(launch: Launch, python: Python, count: int, obstacle: Path) -> Finding:
    if cache(launch):
        mend = f"make {obstacle.parent} writable"
    elif os.path.exists(obstacle) and not os.path.isdir(obstacle):
        mend = f"rm {shlex.quote(str(obstacle))}"
    else:
        compile_all = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        mend = shlex.join([python.real, *compile_all, str(launch.package)])
    return Finding(
        CHECK,
        Level.WARNING,
        f"{count} modules are compiled anew at every hook, since {obstacle} cannot be written.",
        "That doubles the time of a hook.",
        mend,
        str(obstacle),
    )


def _obstacle(launch: Launch) -> "Path | None":
    """The folder that cannot keep compiled modules; ``None`` when all can."""
    elsewhere = cache(launch)
    beside = [launch.package / room / "__pycache__" for room in ("core", "events")]
    folders = [elsewhere] if elsewhere else beside
    return next((folder for folder in folders if not can_write_below(folder)), None)
