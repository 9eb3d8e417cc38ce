"""Run-once markers: which process may do a thing that happens once a conversation.

The marker is made exclusively, so of two hooks that fire together one does the work. It is filled
when the work is done; one that stays empty belongs to a process that died, and may be taken over.
"""

import time

from session_memory.core import lock
from session_memory.core.folder import Folder
from session_memory.core.system import native, write_all

# Longer than any hook may live.
ABANDONED_S = 30.0


def claim(folder: Folder, name: str, valid_s: "float | None" = None) -> bool:
    """Whether the caller is to do the work that ``name`` stands for. Raises :class:`OSError`.

    A filled marker counts for ``valid_s`` seconds, or for ever.
    """
    try:
        native.close(folder.open(name, native.O_WRONLY | native.O_CREAT | native.O_EXCL))
        return True
    except FileExistsError:
        return _take_over(folder, name, valid_s)


def complete(folder: Folder, name: str, record: bytes) -> None:
    """Fill a marker claimed before: the work is done."""
    fd = folder.open(name, native.O_WRONLY)
    try:
        write_all(fd, record)
        native.ftruncate(fd, len(record))
    finally:
        native.close(fd)


def is_older(changed: float, limit_s: float) -> bool:
    """Whether a file changed at ``changed``, in seconds since 1970, is not of the last ``limit_s``.

    A time to come is as wrong as one long past: no clock that is right will ever catch up with it.
    """
    return abs(time.time() - changed) > limit_s


def _take_over(folder: Folder, name: str, valid_s: "float | None") -> bool:
    fd = folder.open(name, native.O_RDWR)
    try:
        if lock.acquire(fd, 0) == lock.BUSY or not _is_free(fd, valid_s):
            return False
        native.ftruncate(fd, 0)
        folder.touch(name)
        return True
    finally:
        native.close(fd)


def _is_free(fd: int, valid_s: "float | None") -> bool:
    facts = native.fstat(fd)
    limit_s = valid_s if facts.st_size else ABANDONED_S
    return limit_s is not None and is_older(facts.st_mtime, limit_s)
