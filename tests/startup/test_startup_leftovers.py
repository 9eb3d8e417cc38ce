"""Tracking files that finished work left behind."""

import os

import pytest

from session_memory.startup import leftovers
from startup.looks import look
from support import Repository

ISSUE = "---\nstatus: in-progress\nissue_id: {}\n---\n"


@pytest.mark.parametrize(
    "name",
    [
        "calibration/review-data.json",
        "Calibration/x.md",
        "archived/issue-3.md",
        "gate-events.jsonl",
        "gate-events~1.jsonl",
        "hook-diagnostics.jsonl",
        "references-state.yml",
        "References-Init.manifest",
        "session-startup-check-complete-s-x.md",
        ".gitignore",
        ".gitkeep",
        "research/.gitkeep",
    ],
)
def test_what_is_meant_to_stay(repo: Repository, name: str) -> None:
    repo.write(f".copilot-tracking/{name}", ISSUE.format(5))
    assert look(repo.root) == []


@pytest.mark.parametrize("name", ["notes.md", "research/notes.md", "sub/calibration/notes.md"])
def test_files_without_an_issue(repo: Repository, name: str) -> None:
    repo.write(f".copilot-tracking/{name}", "# Notes\n")
    assert look(repo.root) == [
        (
            "- 1 tracking file is left in `.copilot-tracking`: 1 without an issue"
            " (`ls -R .copilot-tracking`)."
        )
    ]


@pytest.mark.parametrize(
    "line",
    ["issue_id: 185", 'issue_id: "185"', "issue_id: '185'", "issue_id:185", "issue_id: 185\r"],
)
def test_issue_of_a_file(repo: Repository, line: str) -> None:
    repo.write(".copilot-tracking/research/a.md", f"---\n{line}\n---\n")
    assert "1 of issue 185" in look(repo.root)[0]


@pytest.mark.parametrize("line", ["issue_id: none", "issue_id:", "  issue_id: 1", "x issue_id: 1"])
def test_line_that_names_no_issue(repo: Repository, line: str) -> None:
    repo.write(".copilot-tracking/a.md", f"{line}\n")
    assert "1 without an issue" in look(repo.root)[0]


def test_counts_by_issue(repo: Repository) -> None:
    for name, text in {"a": ISSUE.format(9), "b": ISSUE.format(9), "c": ISSUE.format(12)}.items():
        repo.write(f".copilot-tracking/{name}.md", text)
    repo.write(".copilot-tracking/d.bin", "")
    assert look(repo.root) == [
        (
            "- 4 tracking files are left in `.copilot-tracking`:"
            " 2 of issue 9, 1 of issue 12, 1 without an issue (`ls -R .copilot-tracking`)."
        )
    ]


def test_issue_with_a_local_branch_is_at_work(repo: Repository) -> None:
    repo.write(".copilot-tracking/a.md", ISSUE.format(77))
    repo.git("branch", "feature/issue-77-wip")
    assert look(repo.root) == []


def test_issue_of_an_unborn_branch_is_at_work(repo: Repository) -> None:
    repo.write(".copilot-tracking/a.md", ISSUE.format(77))
    repo.git("switch", "--quiet", "--orphan", "feature/issue-77-new")
    assert look(repo.root) == []


def test_issue_with_a_remote_branch_is_at_work(clone: Repository) -> None:
    clone.write(".copilot-tracking/a.md", ISSUE.format(185))
    clone.git("push", "--quiet", "origin", "main:feature/issue-185-red")
    assert look(clone.root) == []


def test_issue_whose_branch_has_lost_its_upstream_is_done(clone: Repository) -> None:
    clone.write(".copilot-tracking/a.md", ISSUE.format(185))
    clone.git("switch", "--quiet", "-c", "feature/issue-185-red")
    clone.git("push", "--quiet", "--set-upstream", "origin", "HEAD")
    clone.git("push", "--quiet", "--delete", "origin", "feature/issue-185-red")
    assert [line for line in look(clone.root) if "1 of issue 185" in line]


def test_without_an_answer_of_git_no_issue_is_called_done(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(".copilot-tracking/a.md", ISSUE.format(185))
    repo.write(".copilot-tracking/b.md", "")
    monkeypatch.setattr("session_memory.core.git.run", lambda *_: None)
    assert "1 tracking file is left in `.copilot-tracking`: 1 without" in look(repo.root)[0]


def test_links_are_neither_followed_nor_counted(repo: Repository) -> None:
    outside = repo.root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text(ISSUE.format(1))
    folder = repo.root / ".copilot-tracking"
    folder.mkdir()
    os.symlink(outside, folder / "away")
    os.symlink(outside / "a.md", folder / "a.md")
    os.mkfifo(folder / "pipe")
    assert look(repo.root) == []


def test_tracking_folder_that_is_a_link(repo: Repository) -> None:
    outside = repo.root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("")
    os.symlink(outside, repo.root / ".copilot-tracking")
    assert look(repo.root) == []


def test_tracking_folder_that_is_a_file(repo: Repository) -> None:
    repo.write(".copilot-tracking", "")
    assert look(repo.root) == []


def test_the_look_is_bounded(repo: Repository) -> None:
    for index in range(leftovers.MAX_ENTRIES + 10):
        repo.write(f".copilot-tracking/{index}.md", "")
    assert "- at least 500 tracking files are left" in look(repo.root)[0]


def test_only_the_beginning_of_a_file_is_read(repo: Repository) -> None:
    repo.write(".copilot-tracking/a.md", "x" * 5000 + "\nissue_id: 5\n")
    assert "1 without an issue" in look(repo.root)[0]
