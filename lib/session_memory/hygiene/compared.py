"""The note of a comparison: this version was not ahead, and these files said so.

While none of them changes, later edits need not read them again. It is a file of its own, because
the state file has other readers, and their shape.
"""

import time

from session_memory.core.system import join, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    # Time of the last change in nanoseconds, size and inode; None for a file that is absent.
    Facts = list[int] | None

# Two changes within the tick of a file system's clock look like one; the coarsest ticks for 2 s.
_TICK_NS = 2_000_000_000
# A note is data of the clone: more files than settings can name are not looked at.
_MAX_FILES = 32


def compared_name(key: str) -> str:
    """The name of the note with this key."""
    return f"release-hygiene-{key}.compared"


def facts_of(root: str, paths: "Iterable[str]") -> "dict[str, Facts]":
    """What tells whether a file below ``root`` has changed."""
    return {path: _facts(join(root, path)) for path in paths}


def note(version: str, files: "dict[str, Facts]") -> "dict[str, object]":
    """The note. Files that changed a moment ago are left out: they might change unseen."""
    recent = time.time_ns() - _TICK_NS
    settled = all([facts is None or facts[0] < recent for facts in files.values()])
    return {"version": version, "files": files if settled else {}}


def has_version(found: "dict[str, object] | None", version: str) -> bool:
    """Whether ``version`` was compared: the default branch only goes up."""
    return found is not None and found.get("version") == version


def is_current(found: "dict[str, object] | None", root: str) -> bool:
    """Whether the files below ``root`` are as they were when the note was made."""
    files = found.get("files") if found else None
    if not isinstance(files, dict) or not 0 < len(files) <= _MAX_FILES:
        return False
    return facts_of(root, files) == files


def _facts(path: str) -> "Facts":
    try:
        found = native.lstat(path)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size, found.st_ino]
