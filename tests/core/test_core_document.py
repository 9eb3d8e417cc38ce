"""State documents: changed under a lock, replaced in one step, never overwritten when corrupt."""

import fcntl
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from session_memory.core import document, lock
from session_memory.core.folder import Folder, NotOurs

NAME = "state.json"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    opened = Folder(str(tmp_path), (), create=False)
    yield opened
    opened.close()


def increment(state: "dict[str, object] | None") -> dict[str, object]:
    return {"n": int(str((state or {}).get("n", 0))) + 1}


def test_a_change_sees_the_one_before(folder: Folder, tmp_path: Path) -> None:
    for _ in range(3):
        document.update(folder, NAME, increment)
    assert document.read(folder, NAME) == {"n": 3}
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME, NAME + ".lock"]


def test_no_change_writes_nothing(folder: Folder, tmp_path: Path) -> None:
    document.update(folder, NAME, lambda state: None)
    assert not (tmp_path / NAME).exists()


def test_an_empty_document_is_an_absent_one(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    assert document.read(folder, NAME) is None
    document.update(folder, NAME, increment)
    assert document.read(folder, NAME) == {"n": 1}


@pytest.mark.parametrize(
    "corrupt", [b'{"n":', b'{"n": 1}"n": 12}', b"[]", b"\xff\xfe", b"\0" * 10, b"[" * 100_000]
)
def test_a_corrupt_document_is_set_aside(folder: Folder, tmp_path: Path, corrupt: bytes) -> None:
    (tmp_path / NAME).write_bytes(corrupt)
    document.update(folder, NAME, increment)
    assert document.read(folder, NAME) == {"n": 1}
    (aside,) = tmp_path.glob(NAME + ".corrupt-*")
    assert aside.read_bytes() == corrupt


def test_a_huge_document_is_set_aside(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MAX_BYTES", 10)
    (tmp_path / NAME).write_bytes(b'{"n": 1234567}')
    document.update(folder, NAME, increment)
    assert document.read(folder, NAME) == {"n": 1}


def test_a_held_lock_is_waited_for_and_then_told(folder: Folder, tmp_path: Path) -> None:
    with (tmp_path / (NAME + ".lock")).open("w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(lock.Busy, match=r"state\.json is locked"):
            document.update(folder, NAME, increment, stuck_s=0.05)
    assert not (tmp_path / NAME).exists()


def test_a_queue_that_moves_is_waited_for(folder: Folder, tmp_path: Path) -> None:
    """Others keep the lock for longer than a stuck holder is given, but get their work done."""
    holder = os.open(tmp_path / (NAME + ".lock"), os.O_RDWR | os.O_CREAT)
    fcntl.flock(holder, fcntl.LOCK_EX)

    def work() -> None:
        for number in range(20):
            time.sleep(0.05)
            document.replace(folder, NAME, b'{"n": %d}' % number)
        os.close(holder)

    worker = threading.Thread(target=work)
    worker.start()
    document.update(folder, NAME, increment, stuck_s=0.4)
    worker.join()
    assert document.read(folder, NAME) == {"n": 20}


@pytest.mark.parametrize("kind", ["link", "pipe", "hard link", "folder"])
@pytest.mark.parametrize("name", [NAME, NAME + ".lock"])
def test_what_is_not_ours_is_left_alone(
    folder: Folder, tmp_path: Path, kind: str, name: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text('{"n": 7}')
    plant(kind, tmp_path / name, victim)
    with pytest.raises(OSError, match=r".") as caught:
        document.update(folder, NAME, increment)
    assert victim.read_text() == '{"n": 7}'
    assert not list(tmp_path.glob("*.tmp"))
    if kind in ("pipe", "hard link"):
        assert isinstance(caught.value, NotOurs)


def plant(kind: str, path: Path, victim: Path) -> None:
    """Put something else where a file of ours belongs."""
    if kind == "link":
        path.symlink_to(victim)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "hard link":
        os.link(victim, path)
    else:
        path.mkdir()


@contextmanager
def full_disk() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_leaves_the_document_as_it_was(folder: Folder, tmp_path: Path) -> None:
    document.update(folder, NAME, increment)
    with full_disk(), pytest.raises(OSError, match="File too large"):
        document.update(folder, NAME, lambda state: {"text": "x" * 10_000})
    assert document.read(folder, NAME) == {"n": 1}
    assert not list(tmp_path.glob("*.tmp"))


def replaced(old: "bytes | None") -> bytes:
    """A change that cannot use anything that is there."""
    if old is not None:
        raise ValueError("not this")
    return b"x" * 10_000


def test_a_full_disk_sets_nothing_aside(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("old")
    with full_disk(), pytest.raises(OSError, match="File too large"):
        document.edit(folder, NAME, replaced)
    assert (tmp_path / NAME).read_text() == "old"
    assert not list(tmp_path.glob("*.corrupt-*"))
    aside = document.edit(folder, NAME, replaced)
    assert (tmp_path / aside).read_text() == "old"
