"""Tracking files that finished work left behind."""

import os
from pathlib import Path

import pytest

from session_memory.startup import leftovers
from startup.looks import look
from startup_support import UNMERGED, Clone, Programs
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
            "- 1 tracking file names no issue, in `.copilot-tracking`"
            " (`session-memory tracking archive --untagged`):"
        ),
        f"  - `{name}`",
    ]


def test_paths_are_shown_up_to_a_bound(repo: Repository) -> None:
    for index in range(12):
        repo.write(f".copilot-tracking/{index:02}.md", "")
    lines = look(repo.root)
    assert len(lines) == 12
    assert lines[-1] == "  - and 2 more"


@pytest.mark.parametrize(
    "line",
    ["issue_id: 185", 'issue_id: "185"', "issue_id: '185'", "issue_id:185", "issue_id: 185\r"],
)
def test_issue_of_a_file(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.md").write_text(f"---\n{line}\n---\n")
    assert leftovers.find(str(tmp_path)).by_issue == {185: ["a.md"]}


@pytest.mark.parametrize("line", ["issue_id: none", "issue_id:", "  issue_id: 1", "x issue_id: 1"])
def test_line_that_names_no_issue(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.md").write_text(f"{line}\n")
    assert leftovers.find(str(tmp_path)).untagged == ["a.md"]


def _tracked(clone: Clone, *issues: int) -> None:
    for number, issue in enumerate(issues):
        clone.primary.write(f".copilot-tracking/{number}.md", ISSUE.format(issue))


def test_issue_that_never_had_a_branch_is_work(clone: Clone) -> None:
    _tracked(clone, 9)
    assert look(clone.primary.root) == []


def test_issue_whose_branch_lost_its_upstream_is_finished(clone: Clone) -> None:
    _tracked(clone, 9, 9, 12)
    clone.branch("feature/issue-9-red")
    clone.follow("feature/issue-9-red", pruned=True)
    line = (
        "- 2 tracking files in `.copilot-tracking` of issues without a living branch: 2 of issue 9"
        " (`session-memory tracking archive --issue 9`)."
    )
    assert line in look(clone.primary.root)


def test_issue_of_the_current_branch_that_is_gone_is_told_with_it(clone: Clone) -> None:
    _tracked(clone, 9)
    clone.branch("feature/issue-9-red")
    clone.follow("feature/issue-9-red", pruned=True)
    clone.primary.git("switch", "--quiet", "feature/issue-9-red")
    lines = look(clone.primary.root)
    assert "It has 1 tracking file." in lines[0]
    assert not [line for line in lines if "of issue" in line]


@pytest.mark.parametrize("living", ["feature/issue-9-again", "claude/red-9-abcdef"])
def test_issue_with_another_local_branch_is_work(clone: Clone, living: str) -> None:
    _tracked(clone, 9)
    clone.branch("feature/issue-9-red")
    clone.follow("feature/issue-9-red", pruned=True)
    clone.branch(living, UNMERGED)
    assert not [line for line in look(clone.primary.root) if "tracking" in line]


def test_issue_with_a_remote_branch_is_work(clone: Clone) -> None:
    _tracked(clone, 9)
    clone.branch("feature/issue-9-red")
    clone.follow("feature/issue-9-red", pruned=True)
    clone.primary.git("push", "--quiet", "origin", "main:feature/issue-9-again")
    assert not [line for line in look(clone.primary.root) if "tracking" in line]


def test_issue_of_an_unborn_branch_is_work(clone: Clone) -> None:
    _tracked(clone, 9)
    clone.branch("feature/issue-9-red")
    clone.follow("feature/issue-9-red", pruned=True)
    clone.primary.git("switch", "--quiet", "--orphan", "feature/issue-9-new")
    assert not [line for line in look(clone.primary.root) if "tracking" in line]


def test_github_is_not_asked_about_issues_at_work(clone: Clone, tmp_path: Path) -> None:
    _tracked(clone, 9)
    clone.branch("feature/issue-9-red", UNMERGED)
    clone.pretend_github()
    with Programs.first(tmp_path / "bin", gh={}) as programs:
        assert look(clone.primary.root, network=True) == []
    assert programs.calls("gh") == []
    assert not [call for call in programs.calls("git") if "ls-remote" in call]


def test_issue_without_any_branch_is_finished_if_the_remote_says_so(clone: Clone) -> None:
    _tracked(clone, 9)
    assert look(clone.primary.root) == []
    assert [line for line in look(clone.primary.root, network=True) if "1 of issue 9" in line]


def test_issue_of_a_merged_pull_request_is_finished(clone: Clone, tmp_path: Path) -> None:
    _tracked(clone, 9)
    clone.pretend_github()
    pulls = [{"number": 4, "headRefName": "feature/issue-9-red", "headRefOid": "0" * 40}]
    away = 'case "$*" in *ls-remote*) exit 128;; esac'
    with Programs.first(tmp_path / "bin", git=away, gh={"pulls": pulls}):
        lines = look(clone.primary.root, network=True)
    assert [line for line in lines if "1 of issue 9" in line]


def test_without_an_answer_of_git_no_issue_is_called_finished(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(".copilot-tracking/a.md", ISSUE.format(185))
    repo.write(".copilot-tracking/b.md", "")
    monkeypatch.setattr("session_memory.core.git.run", lambda *_: None)
    assert look(repo.root)[1:] == ["  - `b.md`"]


def test_links_are_neither_followed_nor_counted(repo: Repository) -> None:
    outside = repo.root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("")
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
    assert look(repo.root)[0].startswith("- At least 500 tracking files name no issue")


def test_only_the_beginning_of_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x" * (1 << 17) + "\nissue_id: 5\n")
    assert leftovers.find(str(tmp_path)).untagged == ["a.md"]
