"""A bounded exclusive lock on an open file."""

import time

from session_memory.core import deadline
from session_memory.core.system import WINDOWS

# Holders keep a lock for well under a millisecond, but on a busy machine they may have to wait for
# a processor in the midst of it. Locks go with their holders, so a longer wait meets a stuck one.
WAIT_S = 0.6
_POLL_S = 0.002

HELD = "held"
BUSY = "busy"
UNSUPPORTED = "unsupported"


class Busy(OSError):
    """Another process kept a lock for too long."""


def acquire(fd: int, wait_s: float = WAIT_S) -> str:
    """Lock ``fd`` until it is closed: :data:`HELD`, :data:`BUSY` or :data:`UNSUPPORTED`."""
    found = _attempt(fd)
    if found != BUSY or wait_s <= 0:
        return found
    return _queue(fd, wait_s) if deadline.is_running() else _poll(fd, wait_s)


def _attempt(fd: int) -> str:
    try:
        _try_lock(fd)
    except OSError as error:
        return BUSY if _is_busy(error) else UNSUPPORTED
    return HELD


def _queue(fd: int, wait_s: float) -> str:
    """The kernel's own queue is fair, which polling is not: there, newcomers overtake."""
    deadline.limit(wait_s)
    try:
        _wait_for_lock(fd)
    except deadline.OutOfTime:
        return BUSY
    except OSError:
        return UNSUPPORTED
    finally:
        deadline.limit(deadline.remaining())
    return HELD


def _poll(fd: int, wait_s: float) -> str:
    end = time.monotonic() + min(wait_s, deadline.remaining())
    found = BUSY
    while found == BUSY and time.monotonic() < end:
        time.sleep(_POLL_S)
        found = _attempt(fd)
    return found


def _is_busy(error: OSError) -> bool:
    """Any other failure means that this file system has no locks; it says so in several ways."""
    import errno

    return error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


if WINDOWS:  # pragma: no cover

    def _try_lock(fd: int) -> None:
        import msvcrt
        import os

        # The lock covers one byte far behind any content, so that readers are not shut out.
        position = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, 0x7FFFFFFE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        finally:
            os.lseek(fd, position, os.SEEK_SET)

    _wait_for_lock = _try_lock  # nothing can interrupt a wait here, so there is none

else:

    def _try_lock(fd: int) -> None:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(fd, LOCK_EX | LOCK_NB)

    def _wait_for_lock(fd: int) -> None:
        from fcntl import LOCK_EX, flock

        flock(fd, LOCK_EX)
