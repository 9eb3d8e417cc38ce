"""Linked worktrees: merged, freshly made, without a folder."""

import shutil
import time
from pathlib import Path

import pytest

from session_memory.core.quoting import quoted
from startup.looks import Start, look
from support import Repository


def _worktree(clone: Repository, name: str, *arguments: str) -> Repository:
    root = clone.root.parent / f"wt-{name}"
    clone.git("worktree", "add", "--quiet", str(root), *(arguments or ("-b", name)))
    return Repository(root)


def _merge(clone: Repository, name: str) -> None:
    clone.git("merge", "--quiet", "--no-edit", name)
    clone.git("push", "--quiet")


def test_merged_branch(clone: Repository) -> None:
    done = _worktree(clone, "done")
    done.commit("work")
    _merge(clone, "done")
    assert look(clone.root) == [
        (
            "- 1 linked worktree has a branch with every commit in `origin/main`:"
            f" `done` at {quoted(str(done.root))} (`git worktree list`)."
        )
    ]


def test_merged_by_a_merge_commit(clone: Repository) -> None:
    _worktree(clone, "done").commit("work")
    clone.commit("meanwhile")
    _merge(clone, "done")
    assert "`done`" in look(clone.root)[0]


def test_merged_branch_in_the_worktree_itself(clone: Repository) -> None:
    done = _worktree(clone, "done")
    done.commit("work")
    _merge(clone, "done")
    assert "`done` (this worktree)" in look(done.root)[0]


def test_freshly_made_branch_is_not_merged(clone: Repository) -> None:
    _worktree(clone, "fresh")
    assert look(clone.root) == []


def test_branch_that_only_followed_the_default_is_not_merged(clone: Repository) -> None:
    fresh = _worktree(clone, "fresh")
    clone.commit("meanwhile")
    clone.git("push", "--quiet")
    fresh.git("merge", "--quiet", "--ff-only", "origin/main")
    assert look(clone.root) == []


def test_branch_that_was_reset_to_the_default_is_not_merged(clone: Repository) -> None:
    given_up = _worktree(clone, "given-up")
    given_up.commit("work")
    given_up.git("reset", "--quiet", "--hard", "origin/main")
    assert look(clone.root) == []


def test_unmerged_branch(clone: Repository) -> None:
    _worktree(clone, "live").commit("work")
    assert look(clone.root) == []


def test_merged_locally_but_not_pushed_is_not_merged(clone: Repository) -> None:
    _worktree(clone, "live").commit("work")
    clone.git("merge", "--quiet", "live")
    assert look(clone.root) == []


def test_renamed_branch_keeps_its_evidence(clone: Repository) -> None:
    _worktree(clone, "draft").commit("work")
    clone.git("branch", "--move", "draft", "done")
    _merge(clone, "done")
    assert "`done`" in look(clone.root)[0]


def test_rebased_branch(clone: Repository) -> None:
    done = _worktree(clone, "done")
    done.write("work.txt", "work")
    done.commit("work")
    clone.commit("meanwhile")
    done.git("rebase", "--quiet", "main")
    _merge(clone, "done")
    assert "`done`" in look(clone.root)[0]


def test_rebase_that_left_nothing_is_not_merged(clone: Repository) -> None:
    picked = _worktree(clone, "picked")
    picked.write("work.txt", "work")
    picked.commit("work")
    clone.commit("meanwhile")
    clone.git("cherry-pick", "picked")
    clone.git("push", "--quiet")
    picked.git("rebase", "--quiet", "main")
    assert picked.git("rev-parse", "HEAD") == clone.git("rev-parse", "HEAD")
    assert look(clone.root) == []


def test_without_a_reflog_nothing_is_claimed(clone: Repository) -> None:
    _worktree(clone, "done").commit("work")
    _merge(clone, "done")
    (clone.root / ".git/logs/refs/heads/done").unlink()
    assert look(clone.root) == []


def test_without_a_remote_nothing_is_claimed(repo: Repository) -> None:
    _worktree(repo, "done").commit("work")
    repo.git("merge", "--quiet", "done")
    assert look(repo.root) == []


def test_default_branch_in_a_worktree_is_not_a_candidate(clone: Repository) -> None:
    clone.git("switch", "--quiet", "-c", "topic")
    _worktree(clone, "main", "main").commit("work")
    clone.git("push", "--quiet", "origin", "main")
    assert look(clone.root) == []


def test_main_worktree_is_never_a_candidate(clone: Repository) -> None:
    clone.git("switch", "--quiet", "-c", "topic")
    clone.commit("work")
    clone.git("push", "--quiet", "origin", "topic:main")
    _worktree(clone, "other")
    assert look(clone.root) == []


def test_detached_worktree(clone: Repository) -> None:
    _worktree(clone, "detached", "--detach")
    assert look(clone.root) == []


def test_missing_folder(clone: Repository) -> None:
    lost = _worktree(clone, "lost")
    shutil.rmtree(lost.root)
    assert look(clone.root) == [
        (
            "- 1 registered worktree has no folder any more:"
            f" {quoted(str(lost.root))} (`git worktree list`)."
        )
    ]


def test_missing_folder_of_a_merged_branch_is_told_once(clone: Repository) -> None:
    lost = _worktree(clone, "lost")
    lost.commit("work")
    _merge(clone, "lost")
    shutil.rmtree(lost.root)
    assert len(look(clone.root)) == 1


def test_locked_worktree_may_be_on_a_medium_that_is_away(clone: Repository) -> None:
    away = _worktree(clone, "away")
    clone.git("worktree", "lock", str(away.root))
    shutil.rmtree(away.root)
    assert look(clone.root) == []


def test_relative_registration(clone: Repository) -> None:
    lost = _worktree(clone, "lost")
    entry = clone.root / ".git/worktrees/wt-lost/gitdir"
    entry.write_text("../../../../wt-lost/.git\n")
    assert look(clone.root) == []
    shutil.rmtree(lost.root)
    assert quoted(str(lost.root)) in look(clone.root)[0]


@pytest.mark.parametrize(
    "content", ["", "\n", "/" + "x" * 300 + "/.git\n"], ids=["empty", "blank", "impossible"]
)
def test_broken_registration_is_skipped(clone: Repository, content: str) -> None:
    _worktree(clone, "broken")
    (clone.root / ".git/worktrees/wt-broken/gitdir").write_text(content)
    assert look(clone.root) == []


def test_registry_that_is_a_file(repo: Repository) -> None:
    (repo.root / ".git/worktrees").write_text("")
    assert look(repo.root) == []


def test_huge_reflog_is_not_read(clone: Repository) -> None:
    _worktree(clone, "done").commit("work")
    _merge(clone, "done")
    log = clone.root / ".git/logs/refs/heads/done"
    log.write_bytes(b"x" * (1 << 20) + b"\n" + log.read_bytes())
    assert look(clone.root) == []


def test_fifty_branches_and_twenty_worktrees_in_under_a_second(
    clone: Repository, start: Start
) -> None:
    trees = [_worktree(clone, f"tree-{index:02}") for index in range(20)]
    for tree in trees[:10]:
        tree.commit("work")
    clone.git("merge", "--quiet", "--no-edit", *[f"tree-{index:02}" for index in range(10)])
    names = [f"topic-{index:02}" for index in range(30)]
    for name in names:
        clone.git("branch", name)
    clone.git("push", "--quiet", "--set-upstream", "origin", "main", *names)
    clone.git("push", "--quiet", "--delete", "origin", *names[:20])
    began = time.monotonic()
    context = start(cwd=str(clone.root)).context
    assert time.monotonic() - began < 1
    assert "20 other branches follow an upstream that is gone" in context
    assert "10 linked worktrees have branches with every commit in `origin/main`" in context
    assert len(context.split("\n")) == 3
    assert clone.status() == ""


def test_nothing_in_the_repository_changes(clone: Repository, start: Start) -> None:
    _worktree(clone, "done").commit("work")
    _merge(clone, "done")
    before = _contents(clone.root / ".git")
    assert start(cwd=str(clone.root)).context
    assert _contents(clone.root / ".git") == before


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
