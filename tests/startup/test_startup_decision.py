"""The table: what a source means for a conversation with and without its marker."""

import os
from pathlib import Path

import pytest

from session_memory.startup import (
    MANUAL,
    PROMPT,
    RECORD,
    SILENT,
    SOURCES,
    SPEAK,
    decide,
    is_complete,
    marker_name,
)

UNMARKED = [
    ("startup", SPEAK),
    ("new", SPEAK),
    ("resume", SPEAK),
    ("clear", SPEAK),
    ("compact", SPEAK),
    ("fork", RECORD),
    (PROMPT, SPEAK),
    (MANUAL, SPEAK),
    ("", SPEAK),
    ("whatever", SPEAK),
]


@pytest.mark.parametrize(("source", "action"), UNMARKED)
def test_without_a_marker(source: str, action: str) -> None:
    assert decide(source, marked=False) == action


@pytest.mark.parametrize("source", [source for source, _ in UNMARKED])
def test_with_a_marker_every_automatic_run_is_silent(source: str) -> None:
    assert decide(source, marked=True) == SILENT


@pytest.mark.parametrize("source", [source for source, _ in UNMARKED])
@pytest.mark.parametrize("marked", [True, False])
def test_manual_runs_are_always_allowed(source: str, marked: bool) -> None:
    assert decide(source, marked, manual=True) == SPEAK


def test_table_covers_every_known_source() -> None:
    assert set(SOURCES) == {source for source, _ in UNMARKED} - {"", "whatever"}


def test_marker_name_carries_the_key() -> None:
    assert marker_name("s-one") == "session-startup-check-complete-s-one.md"


def test_no_file_is_no_marker() -> None:
    assert not is_complete(None)


@pytest.mark.parametrize(("content", "complete"), [("done", True), ("", False)])
def test_an_empty_marker_is_only_a_claim(tmp_path: Path, content: str, complete: bool) -> None:
    marker = tmp_path / "marker"
    marker.write_text(content)
    assert is_complete(marker.lstat()) is complete


def test_a_link_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("done")
    os.symlink(tmp_path / "target", tmp_path / "marker")
    assert not is_complete((tmp_path / "marker").lstat())


def test_a_folder_is_no_marker(tmp_path: Path) -> None:
    assert not is_complete(tmp_path.lstat())
