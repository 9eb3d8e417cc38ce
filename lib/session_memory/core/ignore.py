"""Keeping state files out of ``git status`` without touching a file of the user."""

from session_memory.core import lock
from session_memory.core.folder import Folder
from session_memory.core.system import native, read_fd, write_all

# What the bundle writes, as patterns below the folder that holds it.
OUR_NAMES = (
    "gate-events*",
    "hook-diagnostics*",
    "references-preflight-*",
    "release-hygiene-*",
    "session-startup-check-complete-*",
)

_MAX_EXCLUDE = 1 << 20


def hide(folder: Folder) -> None:
    """Make git overlook a folder that was just made."""
    fd = folder.open(".gitignore", native.O_WRONLY | native.O_CREAT | native.O_EXCL)
    try:
        write_all(fd, b"*\n")
    finally:
        native.close(fd)


def cover(folder: Folder, place: "tuple[str, ...]", common_dir: str) -> None:
    """Make git overlook our files in a folder that somebody else made.

    The patterns go into the clone's own exclude list, which is never committed.
    """
    own = folder.read(".gitignore", _MAX_EXCLUDE) or b""
    if b"*" in own.split() or not common_dir:
        return
    patterns = ["/" + "/".join(place) + "/" + name for name in OUR_NAMES]
    info = Folder(common_dir, ("info",), create=True)
    try:
        _add_lines(info, "exclude", [pattern.encode() for pattern in patterns])
    finally:
        info.close()


def _add_lines(folder: Folder, name: str, lines: "list[bytes]") -> None:
    fd = folder.open(name, native.O_RDWR | native.O_APPEND | native.O_CREAT)
    try:
        lock.acquire(fd)
        present = read_fd(fd, _MAX_EXCLUDE)
        missing = [line for line in lines if line not in present.split(b"\n")]
        if missing:
            torn = present and not present.endswith(b"\n")
            write_all(fd, (b"\n" if torn else b"") + b"\n".join(missing) + b"\n")
    finally:
        native.close(fd)
