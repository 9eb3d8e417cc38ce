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


@pytest.mark.parametrize("ahead_s", [60.0, 365 * 86400.0])
def test_a_claim_from_the_future_is_abandoned(
    folder: Folder, tmp_path: Path, ahead_s: float
) -> None:
    runonce.claim(folder, NAME)
    age(tmp_path / NAME, -ahead_s)
    assert runonce.claim(folder, NAME)
    assert not runonce.claim(folder, NAME)


@pytest.mark.parametrize(("age_s", "free"), [(90, False), (110, True), (-90, False), (-110, True)])
def test_a_marker_that_counts_for_a_time(
    folder: Folder, tmp_path: Path, age_s: float, free: bool
) -> None:
    runonce.claim(folder, NAME)
    runonce.complete(folder, NAME, b"done\n")
    age(tmp_path / NAME, age_s)
    assert runonce.claim(folder, NAME, valid_s=100.0) is free
    assert not runonce.claim(folder, NAME, valid_s=100.0)
