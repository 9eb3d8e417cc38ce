"""A bounded exclusive lock on an open file."""

import time

from session_memory.core import deadline
from session_memory.core.system import WINDOWS

# Holders keep a lock for well under a millisecond. Whoever waits this long meets a dead mount.
WAIT_S = 0.6

HELD = "held"
BUSY = "busy"
UNSUPPORTED = "unsupported"


class Busy(OSError):
    """Another process kept a lock for too long."""


def acquire(fd: int, wait_s: float = WAIT_S) -> str:
    """Lock ``fd`` until it is closed: :data:`HELD`, :data:`BUSY` or :data:`UNSUPPORTED`."""
    end = time.monotonic() + min(wait_s, deadline.remaining())
    pause = 0.0005
    while True:
        try:
            _try_lock(fd)
            return HELD
        except OSError as error:
            if not _is_busy(error):
                return UNSUPPORTED
        if time.monotonic() >= end:
            return BUSY
        time.sleep(pause)
        pause = min(pause * 1.5, 0.01)


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

else:

    def _try_lock(fd: int) -> None:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(fd, LOCK_EX | LOCK_NB)
