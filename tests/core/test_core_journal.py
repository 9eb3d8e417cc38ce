"""Appending to a log: whole lines only, also next to torn ones and across rotation."""

import json
import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from session_memory.core import journal, lock
from session_memory.core.folder import Folder

LOG = "log.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    opened = Folder(str(tmp_path), (), create=False)
    yield opened
    opened.close()


def lines(tmp_path: Path, name: str = LOG) -> list[bytes]:
    return list(journal.split_lines((tmp_path / name).read_bytes()))


def test_a_record_is_one_line_in_a_private_file(folder: Folder, tmp_path: Path) -> None:
    assert journal.append(folder, LOG, b'{"a": 1}')
    assert journal.append(folder, LOG, b'{"a": 2}')
    assert (tmp_path / LOG).read_bytes() == b'{"a": 1}\n{"a": 2}\n'
    assert (tmp_path / LOG).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("before", [b'{"a":', b'{"a":1}\n{"a":', b"\0\0\0"])
def test_a_torn_line_is_left_behind(folder: Folder, tmp_path: Path, before: bytes) -> None:
    (tmp_path / LOG).write_bytes(before)
    journal.append(folder, LOG, b"{}")
    assert (tmp_path / LOG).read_bytes() == before + b"\n{}\n"


@pytest.mark.parametrize("before", [b"", b"{}\n"])
def test_a_sound_log_is_simply_continued(folder: Folder, tmp_path: Path, before: bytes) -> None:
    (tmp_path / LOG).write_bytes(before)
    journal.append(folder, LOG, b"{}")
    assert (tmp_path / LOG).read_bytes() == before + b"{}\n"


def test_only_a_line_feed_ends_a_line() -> None:
    data = '{"a": "\u2028\x85\r"}\n\n  \n{}'.encode()
    assert [len(line) for line in journal.split_lines(data)] == [15, 2]


def test_a_record_that_is_there_is_not_added(folder: Folder, tmp_path: Path) -> None:
    journal.append(folder, LOG, b"{}")
    assert not journal.append(folder, LOG, b"{}", lambda tail, age: tail == b"{}\n" and age < 60)
    assert len(lines(tmp_path)) == 1


def test_only_the_tail_is_looked_at(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(b"x" * 100_000 + b"\n")
    assert not journal.append(folder, LOG, b"{}", lambda tail, _: len(tail) == journal.TAIL_BYTES)


def test_a_record_just_before_a_rotation_is_not_added(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(tail: bytes, age_s: float) -> bool:
        return b'"twice"' in tail and age_s < 60

    journal.append(folder, LOG, b'["twice"]')
    monkeypatch.setattr(journal, "MAX_BYTES", 1)
    assert not journal.append(folder, LOG, b'["twice"]', seen)
    assert lines(tmp_path, "log~1.jsonl") == [b'["twice"]']
    assert lines(tmp_path) == []


def test_an_earlier_generation_that_is_not_ours_is_not_looked_at(
    folder: Folder, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "log~1.jsonl")
    assert journal.append(folder, LOG, b"{}", lambda tail, age: True)


def test_rotation_keeps_one_generation(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MAX_BYTES", 100)
    for number in range(40):
        journal.append(folder, LOG, json.dumps({"n": number}).encode())
    assert sorted(path.name for path in tmp_path.iterdir()) == [LOG, "log~1.jsonl"]
    kept = [
        json.loads(line)["n"] for name in ("log~1.jsonl", LOG) for line in lines(tmp_path, name)
    ]
    assert kept == list(range(kept[0], 40))
    assert (tmp_path / LOG).stat().st_size <= 100 + 12


def test_a_very_long_log_is_put_aside(folder: Folder, tmp_path: Path) -> None:
    with (tmp_path / LOG).open("wb") as file:
        file.truncate(20 << 20)
    started = time.monotonic()
    journal.append(folder, LOG, b"{}")
    assert time.monotonic() - started < 0.5
    assert (tmp_path / LOG).read_bytes() == b"{}\n"


def test_a_rotation_that_fails_loses_nothing(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MAX_BYTES", 1)
    (tmp_path / "log~1.jsonl").mkdir()
    for _ in range(3):
        journal.append(folder, LOG, b"{}")
    assert len(lines(tmp_path)) == 3


def test_a_log_that_is_exchanged_while_opening_is_opened_again(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exchange(fd: int) -> str:
        monkeypatch.undo()
        os.replace(tmp_path / LOG, tmp_path / "log~1.jsonl")
        return lock.HELD

    monkeypatch.setattr(lock, "acquire", exchange)
    journal.append(folder, LOG, b"{}")
    assert lines(tmp_path) == [b"{}"]
    assert lines(tmp_path, "log~1.jsonl") == []


@pytest.mark.parametrize("answer", [lock.BUSY, lock.UNSUPPORTED])
def test_without_a_lock_a_record_is_still_written(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(lock, "acquire", lambda fd: answer)
    journal.append(folder, LOG, b"{}")
    assert lines(tmp_path) == [b"{}"]


@pytest.fixture
def small_files() -> Iterator[int]:
    """No file of this process may grow beyond so many bytes: a disk that fills up in mid-write."""
    limit = 4096
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_write_that_stops_half_way_is_taken_back(
    folder: Folder, tmp_path: Path, small_files: int
) -> None:
    whole = b'{"whole": true}\n'
    (tmp_path / LOG).write_bytes(whole)
    with pytest.raises(OSError, match="File too large"):
        journal.append(folder, LOG, b"x" * 2 * small_files)
    assert (tmp_path / LOG).read_bytes() == whole


def test_without_a_lock_the_next_record_starts_a_new_line(
    folder: Folder, tmp_path: Path, small_files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "acquire", lambda fd: lock.UNSUPPORTED)
    with pytest.raises(OSError, match="File too large"):
        journal.append(folder, LOG, b"x" * 2 * small_files)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.getrlimit(resource.RLIMIT_FSIZE)[1],) * 2)
    journal.append(folder, LOG, b"{}")
    assert lines(tmp_path)[-1] == b"{}"
