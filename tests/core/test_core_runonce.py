"""Run-once markers."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from session_memory.core import runonce
from session_memory.core.folder import Folder

NAME = "marker-s-1.md"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    opened = Folder(str(tmp_path), (), create=False)
    yield opened
    opened.close()


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_the_first_claim_wins(folder: Folder) -> None:
    assert runonce.claim(folder, NAME)
    assert not runonce.claim(folder, NAME)


def test_a_finished_marker_is_never_taken_over(folder: Folder, tmp_path: Path) -> None:
    runonce.claim(folder, NAME)
    runonce.complete(folder, NAME, b"done\n")
    age(tmp_path / NAME, runonce.ABANDONED_S * 100)
    assert not runonce.claim(folder, NAME)
    assert (tmp_path / NAME).read_bytes() == b"done\n"


def test_an_abandoned_claim_is_taken_over_once(folder: Folder, tmp_path: Path) -> None:
    runonce.claim(folder, NAME)
    age(tmp_path / NAME, runonce.ABANDONED_S + 1)
    assert runonce.claim(folder, NAME)
    assert not runonce.claim(folder, NAME)


def test_a_shorter_record_replaces_a_longer_one(folder: Folder, tmp_path: Path) -> None:
    runonce.claim(folder, NAME)
    runonce.complete(folder, NAME, b"a long record\n")
    runonce.complete(folder, NAME, b"short\n")
    assert (tmp_path / NAME).read_bytes() == b"short\n"


def test_completing_what_was_removed_fails(folder: Folder) -> None:
    with pytest.raises(FileNotFoundError):
        runonce.complete(folder, NAME, b"done\n")


def test_a_planted_link_is_not_followed(folder: Folder, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / NAME).symlink_to(victim)
    for action in (runonce.claim, lambda at, name: runonce.complete(at, name, b"x")):
        with pytest.raises(OSError, match="symbolic links"):
            action(folder, NAME)
    assert victim.read_text() == "kept"


def test_old_markers_go_a_bounded_number_a_run(folder: Folder, tmp_path: Path) -> None:
    for number in range(500):
        path = tmp_path / f"marker-{number}"
        path.touch()
        age(path, runonce.MAX_AGE_S + 60)
    foreign, current = tmp_path / "notes.md", tmp_path / "marker-current"
    for path in (foreign, current):
        path.touch()
    age(foreign, runonce.MAX_AGE_S * 2)
    counts = [runonce.remove_stale(folder, ("marker-",), time.time()) for _ in range(4)]
    assert counts == [200, 200, 100, 0]
    assert sorted(tmp_path.iterdir()) == [current, foreign]


def test_what_cannot_be_removed_stops_nothing(folder: Folder, tmp_path: Path) -> None:
    stubborn, old = tmp_path / "marker-a", tmp_path / "marker-b"
    stubborn.mkdir()
    old.touch()
    for path in (stubborn, old):
        age(path, runonce.MAX_AGE_S + 60)
    assert runonce.remove_stale(folder, ("marker-",), time.time()) == 1
    assert stubborn.is_dir()
