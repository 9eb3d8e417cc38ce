"""A marker that cannot be written or read, a hostile one, and a backlog of old ones."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.core.stale import MAX_REMOVALS
from session_memory.core.store import Store
from session_memory.startup import SPEAK, check, marker_name
from startup.looks import Start
from support import Repository

NAME = marker_name("s-one")
DAY_S = 86400.0

needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


def _block(repository: Repository) -> None:
    """A file where the folder belongs, and a folder where the marker belongs."""
    repository.write("memories", "")
    repository.write(f".copilot-tracking/{NAME}/mine", "")
    repository.write(".copilot-tracking/notes.md", "# Notes\n")


def _age(path: Path, days: float) -> None:
    then = time.time() - days * DAY_S
    os.utime(path, (then, then), follow_symlinks=False)


def test_start_speaks_even_if_it_cannot_leave_a_marker(start: Start, repo: Repository) -> None:
    _block(repo)
    first, second = start(), start()
    assert first.context == second.context != ""
    assert (first.code, first.stderr.count(b"\n")) == (0, 1)
    assert b"start-up marker not written" in first.stderr


def test_prompt_that_cannot_leave_a_marker_stays_silent(prompt: Start, repo: Repository) -> None:
    _block(repo)
    answer = prompt()
    answer.assert_failed_open()
    assert b"start-up marker not written" in answer.stderr


def test_fork_that_cannot_leave_a_marker_stays_silent(start: Start, repo: Repository) -> None:
    _block(repo)
    start(source="fork").assert_failed_open()


@needs_modes
def test_read_only_repository(start: Start, prompt: Start, untidy: Repository) -> None:
    untidy.root.chmod(0o500)
    (untidy.root / ".copilot-tracking").chmod(0o500)
    try:
        assert start().context
        prompt().assert_failed_open()
    finally:
        untidy.root.chmod(0o700)
        (untidy.root / ".copilot-tracking").chmod(0o700)


def test_full_disk_at_a_prompt_does_not_repeat_the_text(
    untidy: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim takes no block, so only filling the marker fails."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Store, "complete", full)
    session = Session(Event({"session_id": "one", "cwd": str(untidy.root)}))
    assert check.at_prompt(session) == ""
    assert session.losses == ["start-up marker not written: No space left on device"]


def test_dry_run_says_the_same_and_writes_nothing(untidy: Repository) -> None:
    event = Event({"session_id": "one", "cwd": str(untidy.root)})
    dry = Session(event, dry=True)
    text = check.at_start(dry, SPEAK)
    for action in dry.afterwards:
        action()
    assert not untidy.session.exists()
    assert text == check.at_start(Session(event), SPEAK) != ""


def test_link_in_the_markers_place_is_not_followed(start: Start, untidy: Repository) -> None:
    victim = untidy.root.parent / "victim"
    victim.write_text("precious")
    untidy.session.mkdir(parents=True)
    os.symlink(victim, untidy.session / NAME)
    assert start().context
    start().assert_quiet()
    assert victim.read_text() == "precious"
    assert (untidy.root / ".copilot-tracking" / NAME).is_file()


def test_fifo_in_the_markers_place_does_not_block(start: Start, untidy: Repository) -> None:
    untidy.session.mkdir(parents=True)
    os.mkfifo(untidy.session / NAME)
    assert start().context


def test_session_folder_that_leads_away_is_not_entered(start: Start, untidy: Repository) -> None:
    outside = untidy.root.parent / "outside"
    outside.mkdir()
    os.symlink(outside, untidy.root / "memories")
    assert start().context
    assert list(outside.iterdir()) == []


def test_old_markers_go_and_everything_else_stays(start: Start, repo: Repository) -> None:
    goes = [marker_name("s-old"), "references-preflight-s-old-5.json"]
    notes = ["notes.md", "references-preflight-design-notes.md", marker_name("design-notes")]
    stays = [marker_name("s-recent"), "gate-events-s-old.jsonl", *notes]
    for name in [*goes, *stays]:
        repo.write(f"memories/session/{name}", "{}" if name.endswith("json") else "")
        _age(repo.session / name, 1 if "recent" in name else 40)
    (repo.session / marker_name("a-folder")).mkdir()
    _age(repo.session / marker_name("a-folder"), 40)
    start()
    left = {path.name for path in repo.session.iterdir()}
    assert left == {*stays, marker_name("a-folder"), NAME, ".gitignore"}


def test_old_markers_of_the_second_place_go_too(start: Start, repo: Repository) -> None:
    old = repo.write(f".copilot-tracking/{marker_name('s-old')}", "")
    _age(old, 40)
    start()
    assert not old.exists()


def test_own_marker_stays_when_an_old_conversation_is_resumed(
    start: Start, repo: Repository
) -> None:
    start()
    _age(repo.session / NAME, 40)
    start(source="resume").assert_quiet()
    assert (repo.session / NAME).exists()


def test_a_backlog_goes_a_bounded_number_a_run(start: Start, repo: Repository) -> None:
    repo.session.mkdir(parents=True)
    for index in range(5000):
        path = repo.session / marker_name(f"s-{index}")
        path.touch()
        _age(path, 40)
    began = time.monotonic()
    start()
    assert time.monotonic() - began < 1
    assert len(list(repo.session.glob("session-startup-*"))) == 5001 - MAX_REMOVALS


def test_repeated_start_removes_nothing(start: Start, repo: Repository) -> None:
    start()
    old = repo.write(f"memories/session/{marker_name('s-old')}", "")
    _age(old, 40)
    start().assert_quiet()
    assert old.exists()


@pytest.mark.skipif(not shutil.which("git"), reason="the point is to take git away")
def test_without_git_the_files_still_speak(
    hook: Callable[..., object], start: Start, untidy: Repository
) -> None:
    untidy.git("branch", "claude/topic")
    answer = start({"env": {"PATH": "/nonexistent"}})
    assert "1 tracking file names no issue" in answer.context
    assert answer.stderr == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_repository_of_somebody_else(start: Start, untidy: Repository) -> None:
    untidy.git("branch", "claude/topic")
    os.chown(untidy.root, 12345, 12345)
    os.chown(untidy.root / ".git", 12345, 12345)
    answer = start()
    assert "1 tracking file names no issue" in answer.context
    assert (answer.code, answer.stderr) == (0, b"")


def test_a_dead_temporary_file_of_a_decision_goes(start: Start, repo: Repository) -> None:
    left = repo.write(".claude/.state/release-hygiene-s1.json.1-2.tmp", "{")
    decision = repo.write(".claude/.state/release-hygiene-s1.json", "{}")
    for path in (left, decision):
        _age(path, 40)
    start()
    assert (left.exists(), decision.exists()) == (False, True)


def test_strange_output_of_git_does_not_lose_the_report(
    start: Start, untidy: Repository, tmp_path: Path
) -> None:
    untidy.git("branch", "claude/topic")
    stand_in = tmp_path / "bin" / "git"
    stand_in.parent.mkdir()
    stand_in.write_text("#!/bin/sh\nprintf 'x\\000y\\000\\nz\\000\\n'\n")
    stand_in.chmod(0o700)
    answer = start({"env": {"PATH": f"{stand_in.parent}:/usr/bin:/bin"}})
    assert "1 tracking file names no issue" in answer.context
    assert answer.stderr == b""


@pytest.mark.parametrize("event", ["start", "prompt"])
def test_an_empty_marker_from_the_future_does_not_silence(
    start: Start, prompt: Start, untidy: Repository, event: str
) -> None:
    _age(untidy.write(f"memories/session/{NAME}", ""), -365)
    assert {"start": start, "prompt": prompt}[event]().context
    start().assert_quiet()
