"""Append-only logs of JSON lines that many processes write at once.

A record is one ``write`` of a whole line to a descriptor opened for appending, which the kernel
does not interleave. The lock is for rotation and for the look at the tail.
"""

import time

from session_memory.core import lock
from session_memory.core.folder import Folder
from session_memory.core.system import native, read_fd, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Callable

    # Given the tail of the log and its age in seconds: is the record there already?
    Seen = Callable[[bytes, float], bool]

# Bytes at which a log is put aside; one earlier generation is kept beside it.
MAX_BYTES = 8 << 20
TAIL_BYTES = 64 << 10

# How often a writer may find that the log was rotated under its hands.
_ATTEMPTS = 5


def append(folder: Folder, name: str, line: bytes, seen: "Seen | None" = None) -> bool:
    """Add ``line``, which carries no newline, to the log ``name``.

    ``False`` when ``seen`` recognised the record in the tail and nothing was written. Raises
    :class:`OSError` when the record could not be written in full.
    """
    for attempt in range(_ATTEMPTS):
        fd = folder.open(name, native.O_RDWR | native.O_APPEND | native.O_CREAT)
        try:
            locked = lock.acquire(fd) == lock.HELD
            if locked and attempt < _ATTEMPTS - 1 and _put_aside(folder, name, fd):
                continue
            if seen and _is_recorded(folder, name, fd, seen):
                return False
            _append(fd, line, locked)
            return True
        finally:
            native.close(fd)
    raise OSError(f"{name} was rotated too often")  # pragma: no cover - the last attempt writes


def earlier(name: str) -> str:
    """The name under which the previous generation of a log is kept.

    ``~`` cannot occur in a session key, so no conversation's log has this name.
    """
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}~1{dot}{suffix}"


def split_lines(data: bytes) -> "Iterator[bytes]":
    """The non-blank lines of a log. Only a line feed ends a line."""
    for line in data.split(b"\n"):
        if line.strip():
            yield line


def _put_aside(folder: Folder, name: str, fd: int) -> bool:
    """Whether ``fd`` is not, or no longer, the log to write to."""
    facts = native.fstat(fd)
    if folder.identity(name) != (facts.st_dev, facts.st_ino):
        return True
    if facts.st_size < MAX_BYTES:
        return False
    try:
        folder.replace(name, earlier(name))
    except OSError:  # a log that is too long is better than a lost record
        return False
    return True


def _is_recorded(folder: Folder, name: str, fd: int, seen: "Seen") -> bool:
    if _is_in_tail(fd, seen):
        return True
    begun = native.fstat(fd).st_size < TAIL_BYTES
    return begun and _is_in_earlier(folder, earlier(name), seen)


def _is_in_earlier(folder: Folder, name: str, seen: "Seen") -> bool:
    """A log that was begun just now does not tell what its predecessor ends in."""
    try:
        fd = folder.open(name, native.O_RDONLY)
    except OSError:  # there is none, or it is not ours
        return False
    try:
        return _is_in_tail(fd, seen)
    finally:
        native.close(fd)


def _append(fd: int, line: bytes, locked: bool) -> None:
    size = native.fstat(fd).st_size
    tail = _tail(fd, size, 1)
    # A writer that was killed may have left a line without its end.
    data = (b"\n" if tail and not tail.endswith(b"\n") else b"") + line + b"\n"
    try:
        write_all(fd, data)
    except OSError:
        if locked:
            native.ftruncate(fd, size)
        raise


def _is_in_tail(fd: int, seen: "Seen") -> bool:
    facts = native.fstat(fd)
    tail = _tail(fd, facts.st_size, TAIL_BYTES)
    return bool(tail) and seen(tail, time.time() - facts.st_mtime)


def _tail(fd: int, size: int, length: int) -> bytes:
    if not size:
        return b""
    native.lseek(fd, max(0, size - length), 0)
    return read_fd(fd, length)
