"""Whether a bundle is whole, and of which version."""

import re
from collections.abc import Iterator
from pathlib import Path

from session_memory import __version__
from session_memory.core.guard import EVENT_NAMES
from session_memory.core.system import read_file
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.launches import Launch

CHECK = "bundle"

_NEEDED = (
    "hooks/run",
    *(f"hooks/{entry}.py" for entry in EVENT_NAMES),
    *(f"lib/session_memory/events/{entry}.py" for entry in EVENT_NAMES),
    "lib/session_memory/core/guard.py",
)
_VERSION = re.compile(rb'__version__ = "([^"]+)"')


def check(launch: Launch) -> Iterator[Finding]:
    """Files that are missing, and a version that is not that of this command."""
    where = str(launch.root)
    missing = [name for name in _NEEDED if not (launch.root / name).is_file()]
    if missing:
        yield Finding(
            CHECK,
            Level.FAULT,
            f"The bundle lacks {_few(missing)}.",
            "Its hooks cannot start.",
            "install the plugin, or clone the repository, again",
            where,
        )
        return
    version = _version(launch.root)
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


def _few(names: list[str]) -> str:
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + rest


def _version(root: Path) -> str:
    text = read_file(str(root / "lib" / "session_memory" / "__init__.py"), 1 << 16) or b""
    found = _VERSION.search(text)
    return found[1].decode("ascii", "replace") if found else ""
