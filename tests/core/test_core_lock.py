"""The bounded lock."""

import errno
import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from session_memory.core import deadline, lock


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Two descriptors of one file, as two processes would have them."""
    path = tmp_path / "file"
    fds = os.open(path, os.O_RDWR | os.O_CREAT), os.open(path, os.O_RDWR)
    yield fds
    for fd in fds:
        os.close(fd)


def test_one_holder_at_a_time(pair: tuple[int, int]) -> None:
    assert lock.acquire(pair[0]) == lock.HELD
    started = time.monotonic()
    assert lock.acquire(pair[1], 0.1) == lock.BUSY
    assert 0.1 <= time.monotonic() - started < 0.5
    assert lock.acquire(pair[1], 0) == lock.BUSY


@pytest.fixture
def countdown() -> Iterator[None]:
    """As in a hook, where the wait is the kernel's and the deadline ends it."""
    before = signal.getsignal(signal.SIGALRM)
    deadline.start(5)
    yield
    deadline.stop()
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("countdown")
def test_a_hook_waits_no_longer_for_a_lock_either(pair: tuple[int, int]) -> None:
    assert lock.acquire(pair[0]) == lock.HELD
    started = time.monotonic()
    assert lock.acquire(pair[1], 0.1) == lock.BUSY
    assert 0.1 <= time.monotonic() - started < 0.5
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 3


@pytest.mark.usefixtures("countdown")
def test_a_hook_gets_the_lock_when_it_is_free(pair: tuple[int, int]) -> None:
    assert lock.acquire(pair[0]) == lock.HELD
    threading.Timer(0.1, fcntl.flock, (pair[0], fcntl.LOCK_UN)).start()
    assert lock.acquire(pair[1], 4) == lock.HELD


@pytest.mark.usefixtures("countdown")
def test_locks_that_fail_while_waiting(
    pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, operation: int) -> None:
        waits = not operation & fcntl.LOCK_NB
        raise OSError(errno.ENOLCK if waits else errno.EAGAIN, "no")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert lock.acquire(pair[0]) == lock.UNSUPPORTED


@pytest.mark.parametrize("code", ["ENOSYS", "ENOLCK", "EBADF", "EOPNOTSUPP"])
def test_a_file_system_without_locks(
    pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    def refuse(fd: int, operation: int) -> None:
        raise OSError(getattr(errno, code), code)

    monkeypatch.setattr(fcntl, "flock", refuse)
    started = time.monotonic()
    assert lock.acquire(pair[0]) == lock.UNSUPPORTED
    assert time.monotonic() - started < 0.1
