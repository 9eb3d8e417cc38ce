"""Whether a bundle is whole, and of which version."""

import os
import shlex
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from session_memory import __version__
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import bytecode
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.launches import Launch

CHECK = "bundle"

_MODULES = ("core/guard.py", *(f"events/{entry}.py" for entry in EVENT_NAMES))


def check(launch: Launch) -> Iterator[Finding]:
    """Files that are missing, and a version that is not that of this command."""
    where = str(launch.root)
    missing = [path for path in _needed(launch) if not os.path.isfile(path)]
    if missing:
        yield Finding(
            CHECK,
            Level.FAULT,
            f"The bundle lacks {_few(missing)}.",
            "Its hooks cannot start.",
            launch.library.mend(missing),
            where,
        )
        return
    closed = [path for path in _read(launch) if not os.access(path, os.R_OK)]
    if closed:
        yield Finding(
            CHECK,
            Level.FAULT,
            f"{_few(closed)} cannot be read.",
            "Hooks that need it do nothing.",
            f"chmod -R u+rX {shlex.quote(where)}",
            where,
        )
        return
    version = launch.library.version
    if version == __version__:
        yield Finding(CHECK, Level.OK, f"The bundle is whole, version {version}.", where=where)
        return
    yield Finding(
        CHECK,
        Level.NOTE,
        f"The hooks are of version {version or 'unknown'}, this command is {__version__}.",
        "What this command says may not hold for them.",
        "update both to the same version",
        where,
    )


def _needed(launch: Launch) -> list[Path]:
    launcher = [] if launch.python else [launch.hooks / "run"]
    scripts = [launch.hooks / f"{entry}.py" for entry in EVENT_NAMES]
    return [*launcher, *scripts, *(launch.package / name for name in _MODULES)]


def _read(launch: Launch) -> list[Path]:
    """What hooks may read of the bundle."""
    rooms = (sorted((launch.package / room).glob("*.py")) for room in ("", *bytecode.ROOMS))
    return [*_needed(launch), *chain.from_iterable(rooms)]


def _few(paths: list[Path]) -> str:
    names = [f"{path.parent.name}/{path.name}" for path in paths[:3]]
    rest = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(names) + rest
