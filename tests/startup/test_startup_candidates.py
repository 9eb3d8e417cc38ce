"""Which branches and worktrees are candidates, by their shape."""

import os
import shutil
from pathlib import Path

import pytest

from session_memory.startup import worktrees
from startup_support import UNMERGED, Clone, Programs, look
from support import Repository


def _names(root: Path) -> list[str]:
    return [each.name for each in look(root).found.candidates]


def _categories(root: Path) -> dict[str, str]:
    return {each.name: each.category for each in look(root).found.candidates}


def test_categories(clone: Clone) -> None:
    for name in ("claude/here", "claude/beside", "claude/orphan", "feature/issue-4-x", "other"):
        clone.branch(name)
    clone.follow("feature/issue-4-x", pruned=True)
    here = clone.worktree("claude/here")
    clone.worktree("claude/beside")
    clone.worktree("other")
    assert _categories(here.root) == {
        "claude/here": "current-worktree",
        "claude/beside": "sibling",
        "claude/orphan": "orphan",
        "feature/issue-4-x": "orphan",
    }


@pytest.mark.parametrize("name", ["Claude/x", "claudette/x", "feature/x", "feature/issues-1-x"])
def test_prefixes_are_exact(clone: Clone, name: str) -> None:
    clone.branch(name)
    clone.follow(name, pruned=True)
    assert _names(clone.primary.root) == []


def test_current_branch_may_have_any_name(clone: Clone) -> None:
    clone.branch("topic")
    clone.follow("topic", pruned=True)
    clone.primary.git("switch", "--quiet", "topic")
    assert _categories(clone.primary.root) == {"topic": "stale-branch"}


def test_pushed_claude_branch_is_none(clone: Clone) -> None:
    clone.branch("claude/x")
    clone.follow("claude/x", pruned=True)
    assert _names(clone.primary.root) == []


def test_never_pushed_feature_branch_is_none(clone: Clone) -> None:
    clone.branch("feature/issue-4-x")
    assert _names(clone.primary.root) == []


def test_claude_branch_in_the_main_worktree_is_none(clone: Clone) -> None:
    clone.branch("claude/x")
    clone.primary.git("switch", "--quiet", "claude/x")
    assert _names(clone.primary.root) == []


def test_default_branch_in_a_worktree_is_none(clone: Clone) -> None:
    clone.branch("topic", UNMERGED)
    clone.primary.git("switch", "--quiet", "topic")
    clone.worktree("main")
    assert _names(clone.primary.root) == []


def test_branch_that_is_being_rebased_is_none(clone: Clone) -> None:
    clone.branch("claude/x", "undetermined")
    worktree = clone.worktree("claude/x")
    with pytest.raises(Exception, match="rebase"):
        worktree.git("rebase", "main")
    assert "detached" in clone.primary.git("worktree", "list", "--porcelain")
    assert _names(clone.primary.root) == []


def test_branch_that_is_being_bisected_is_none(clone: Clone) -> None:
    clone.branch("claude/x", UNMERGED)
    worktree = clone.worktree("claude/x")
    worktree.git("bisect", "start", "HEAD", "HEAD~1")
    assert _names(clone.primary.root) == []


def test_without_a_default_branch_to_compare_with_there_is_none(repo: Repository) -> None:
    repo.git("branch", "claude/x")
    assert look(repo.root).found.candidates == []


def test_bare_main_repository(clone: Clone, tmp_path: Path) -> None:
    clone.remote.git("update-ref", "refs/remotes/origin/main", "refs/heads/main")
    clone.remote.git("branch", "claude/x", "main")
    clone.remote.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "claude/x")
    assert _categories(tmp_path / "linked") == {"claude/x": "current-worktree"}


def test_moved_worktree_is_not_where_git_thinks(clone: Clone, tmp_path: Path) -> None:
    for name in ("claude/moved", "claude/beside", "claude/orphan"):
        clone.branch(name)
    moved = clone.worktree("claude/moved")
    clone.worktree("claude/beside")
    os.rename(moved.root, tmp_path / "elsewhere")
    looked = look(tmp_path / "elsewhere", network=True)
    assert looked.reasons() == dict.fromkeys(("claude/beside", "claude/orphan"), "degraded-cwd")
    assert looked.report.fence == []
    assert "is not in `git worktree list`" in looked.section("degraded-note")
    assert (looked.run.git, looked.run.gh, looked.run.ls_remote) == (2, 0, 0)


def test_root_may_be_reached_through_a_link(clone: Clone, tmp_path: Path) -> None:
    clone.branch("claude/x")
    os.symlink(clone.worktree("claude/x").root, tmp_path / "link")
    assert _categories(tmp_path / "link") == {"claude/x": "current-worktree"}


def test_missing_folder_of_a_worktree(clone: Clone) -> None:
    clone.branch("claude/x")
    shutil.rmtree(clone.worktree("claude/x").root)
    looked = look(clone.primary.root)
    assert "(prunable) is merged" in looked.section("sibling")
    assert len(looked.report.fence) == 1


PORCELAIN = """\
worktree /r/main
HEAD a
branch refs/heads/main

worktree /r/bare
bare

gibberish

worktree
HEAD c

worktree /r/locked
HEAD d
branch refs/heads/x
locked a reason

worktree /r/detached
HEAD e
detached
locked
prunable gone
"""


def test_records_of_the_registry() -> None:
    found = {each.path: each for each in worktrees.parse(PORCELAIN)}
    assert list(found) == ["/r/main", "/r/bare", "/r/locked", "/r/detached"]
    assert found["/r/bare"].is_bare
    assert (found["/r/locked"].branch, found["/r/locked"].lock) == ("x", "a reason")
    detached = found["/r/detached"]
    assert (detached.branch, detached.lock, detached.is_prunable) == ("", "", True)
    assert not found["/r/main"].is_locked


def test_older_git_has_no_nul_in_its_registry(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    from session_memory.core import git

    real = git.run

    def older(folder: str, *arguments: str, stdin: bytes = b"") -> "bytes | None":
        return None if "-z" in arguments else real(folder, *arguments, stdin=stdin)

    monkeypatch.setattr(git, "run", older)
    clone.branch("claude/x")
    clone.worktree("claude/x")
    assert _categories(clone.primary.root) == {"claude/x": "sibling"}


def test_git_that_hangs_over_its_registry_is_not_asked_again(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("session_memory.core.git.LIMIT_S", 0.2)
    monkeypatch.setattr(worktrees, "_REFUSAL_S", 0.1)
    clone.branch("claude/x")
    hangs = 'case "$*" in *"worktree list"*) exec sleep 60;; esac'
    with Programs.first(tmp_path / "bin", git=hangs) as p:
        assert look(clone.primary.root).text == ""
    assert len([call for call in p.calls("git") if "worktree list" in call]) == 1
