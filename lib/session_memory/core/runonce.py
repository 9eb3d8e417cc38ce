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

# Conversations older than this are not resumed any more.
MAX_AGE_S = 30 * 86400.0
# Removals a run, so that a large backlog does not slow one prompt.
MAX_REMOVALS = 200


def claim(folder: Folder, name: str) -> bool:
    """Whether the caller is to do the work that ``name`` stands for. Raises :class:`OSError`."""
    try:
        native.close(folder.open(name, native.O_WRONLY | native.O_CREAT | native.O_EXCL))
        return True
    except FileExistsError:
        return _take_over(folder, name)


def complete(folder: Folder, name: str, record: bytes) -> None:
    """Fill a marker claimed before: the work is done."""
    fd = folder.open(name, native.O_WRONLY)
    try:
        write_all(fd, record)
        native.ftruncate(fd, len(record))
    finally:
        native.close(fd)


def remove_stale(folder: Folder, prefixes: "tuple[str, ...]", now: float) -> int:
    """Remove markers of ours that are older than :data:`MAX_AGE_S`; how many went."""
    removed = 0
    for name in folder.names():
        if removed >= MAX_REMOVALS:
            break
        if name.startswith(prefixes) and _remove_if_old(folder, name, now):
            removed += 1
    return removed


def _remove_if_old(folder: Folder, name: str, now: float) -> bool:
    try:
        if now - (folder.modified(name) or now) <= MAX_AGE_S:
            return False
        folder.remove(name)
    except OSError:  # another hook was faster, or it is not a file
        return False
    return True


def _take_over(folder: Folder, name: str) -> bool:
    fd = folder.open(name, native.O_RDWR)
    try:
        if lock.acquire(fd, 0) == lock.BUSY or not _is_abandoned(fd):
            return False
        folder.touch(name)
        return True
    finally:
        native.close(fd)


def _is_abandoned(fd: int) -> bool:
    facts = native.fstat(fd)
    return facts.st_size == 0 and time.time() - facts.st_mtime > ABANDONED_S
