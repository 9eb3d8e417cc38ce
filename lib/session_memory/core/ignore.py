"""Keeping state files out of ``git status`` without touching a file of the user."""

from session_memory.core import lock
from session_memory.core.folder import Folder
from session_memory.core.system import base_name, native, parent, read_fd, write_all

# What the bundle writes, as patterns below the folder that holds it.
OUR_NAMES = (
    "gate-events*",
    "hook-diagnostics*",
    "references-preflight-*",
    "release-hygiene-*",
    "session-startup-check-complete-*",
)

_OWN = ".gitignore"
_MAX_BYTES = 1 << 20


def hide(folder: Folder) -> None:
    """Make git overlook all of a folder that was just made."""
    _create(folder, ("*",))


def cover(folder: Folder, place: "tuple[str, ...]", common_dir: str) -> None:
    """Make git overlook our files in a folder that somebody else made.

    A ``.gitignore`` that is not ours stays as it is; the patterns then go into the exclude list of
    the clone, which is never committed.
    """
    present = folder.read(_OWN, _MAX_BYTES)
    if present is None:
        _create(folder, (_OWN, *OUR_NAMES))
    elif common_dir and not _covers(present):
        prefix = "/" + "/".join(place) + "/"
        info = Folder(parent(common_dir), (base_name(common_dir), "info"), create=True)
        try:
            _add_lines(info, "exclude", [(prefix + name).encode() for name in OUR_NAMES])
        finally:
            info.close()


def _covers(patterns: bytes) -> bool:
    lines = patterns.split()
    return b"*" in lines or all([name.encode() in lines for name in OUR_NAMES])


def _create(folder: Folder, patterns: "tuple[str, ...]") -> None:
    fd = folder.open(_OWN, native.O_WRONLY | native.O_CREAT | native.O_EXCL)
    try:
        write_all(fd, "".join([pattern + "\n" for pattern in patterns]).encode())
    finally:
        native.close(fd)


def _add_lines(folder: Folder, name: str, lines: "list[bytes]") -> None:
    fd = folder.open(name, native.O_RDWR | native.O_APPEND | native.O_CREAT)
    try:
        lock.acquire(fd)
        present = read_fd(fd, _MAX_BYTES)
        missing = [line for line in lines if line not in present.split(b"\n")]
        if missing:
            torn = present and not present.endswith(b"\n")
            write_all(fd, (b"\n" if torn else b"") + b"\n".join(missing) + b"\n")
    finally:
        native.close(fd)
