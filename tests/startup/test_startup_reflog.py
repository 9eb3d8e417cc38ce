"""Whether a branch has work of its own, by its reflog in a real clone."""

from pathlib import Path

import pytest

from session_memory.startup import reflog, refs
from startup_support import Clone
from support import Repository

X = "claude/x"


@pytest.fixture
def work(clone: Clone) -> Repository:
    """A worktree on a branch that was just made."""
    clone.branch(X, unique=0)
    return clone.worktree(X)


def _is_own(clone: Clone, name: str = X) -> bool:
    known = refs.read(str(clone.primary.root))
    assert known
    common_dir = str(clone.primary.root / ".git")
    return reflog.ends_in_own_commit(common_dir, known.branches[name])


def test_new_branch(clone: Clone, work: Repository) -> None:
    assert not _is_own(clone)


def test_commit(clone: Clone, work: Repository) -> None:
    work.commit("work")
    assert _is_own(clone)


def test_amended_commit(clone: Clone, work: Repository) -> None:
    work.commit("work")
    work.git("commit", "--quiet", "--amend", "--allow-empty", "--message", "better")
    assert _is_own(clone)


def test_rename(clone: Clone, work: Repository) -> None:
    work.commit("work")
    clone.primary.git("branch", "--move", X, "claude/y")
    assert _is_own(clone, "claude/y")


def test_rebase(clone: Clone, work: Repository) -> None:
    work.write("work.txt", "work")
    work.commit("work")
    clone.primary.commit("meanwhile")
    work.git("rebase", "--quiet", "main")
    assert _is_own(clone)


def test_rebase_that_left_nothing(clone: Clone, work: Repository) -> None:
    work.write("work.txt", "work")
    work.commit("work")
    clone.primary.commit("meanwhile")
    clone.primary.git("cherry-pick", X)
    work.git("rebase", "--quiet", "main")
    assert not _is_own(clone)


def test_fast_forward_to_the_default_branch(clone: Clone, work: Repository) -> None:
    clone.primary.commit("meanwhile")
    work.git("merge", "--quiet", "--ff-only", "main")
    assert not _is_own(clone)


def test_cherry_pick(clone: Clone, work: Repository) -> None:
    clone.primary.commit("meanwhile")
    work.git("cherry-pick", "--allow-empty", "main")
    assert _is_own(clone)


def test_reset(clone: Clone, work: Repository) -> None:
    work.commit("work")
    work.git("reset", "--quiet", "--hard", "main")
    assert not _is_own(clone)


@pytest.mark.parametrize("text", ["", "\n", "gibberish\n", "\t\n"])
def test_reflog_that_tells_nothing(clone: Clone, work: Repository, text: str) -> None:
    work.commit("work")
    (clone.primary.root / ".git/logs/refs/heads" / X).write_text(text)
    assert not _is_own(clone)


def test_progress_of_a_clone_without_any(tmp_path: Path) -> None:
    assert reflog.in_progress(str(tmp_path)) == set()
