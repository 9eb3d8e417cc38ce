"""The bounded lock."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from session_memory.core import lock


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
