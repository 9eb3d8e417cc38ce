"""Large repositories: how long a look takes, and how many processes."""

import time

import pytest

from startup.looks import Start
from startup_support import CONFLICTED, MERGED, UNMERGED, Clone, look

VERDICTS = (MERGED, UNMERGED, CONFLICTED, "merged:merge-tree-noop", MERGED)


def _branches(clone: Clone, names: list[str]) -> None:
    """Many branches at once, in states that take turns."""
    commits = [clone.branch(f"claude/made-{index}", each) for index, each in enumerate(VERDICTS)]
    for index in range(len(VERDICTS)):
        clone.primary.git("branch", "-D", f"claude/made-{index}")
    lines = [f"{commits[index % 5]} refs/heads/{name}\n" for index, name in enumerate(names)]
    lines.sort(key=lambda line: line[41:].encode())
    packed = "# pack-refs with: peeled fully-peeled sorted \n" + "".join(lines)
    (clone.primary.root / ".git" / "packed-refs").write_text(packed)


def test_fifty_branches_and_twenty_worktrees_in_under_a_second(clone: Clone, start: Start) -> None:
    names = [f"claude/orphan-{index:02}" for index in range(50)]
    trees = [f"claude/tree-{index:02}" for index in range(20)]
    _branches(clone, names + trees)
    for name in trees:
        clone.worktree(name)
    times = []
    for attempt in range(3):  # the machine may be busy with something else
        began = time.monotonic()
        done = start(cwd=str(clone.primary.root), session_id=f"n{attempt}")
        times.append(time.monotonic() - began)
    assert min(times) < 1
    assert done.stderr == b""
    assert "46 `claude/` branches more" in done.context
    assert clone.primary.status() == ""


def test_branches_share_the_questions_about_their_commits(clone: Clone) -> None:
    _branches(clone, [f"claude/orphan-{index:02}" for index in range(50)])
    assert look(clone.primary.root).run.git < 16


@pytest.mark.slow
def test_seventy_branches_that_all_differ(clone: Clone, start: Start) -> None:
    for index in range(70):
        clone.branch(f"claude/{index}", VERDICTS[index % 5])
    began = time.monotonic()
    done = start(cwd=str(clone.primary.root))
    assert time.monotonic() - began < 2
    assert done.context


def test_ten_thousand_branches(clone: Clone, start: Start) -> None:
    _branches(clone, [f"work/{index}" for index in range(10_000)] + ["claude/x"])
    began = time.monotonic()
    done = start(cwd=str(clone.primary.root))
    assert time.monotonic() - began < 2
    assert "`claude/x` is merged" in done.context


def test_ten_thousand_candidates(clone: Clone, start: Start) -> None:
    _branches(clone, [f"claude/{index}" for index in range(10_000)])
    began = time.monotonic()
    done = start(cwd=str(clone.primary.root))
    assert time.monotonic() - began < 4
    assert done.stderr == b""
    assert len(done.context) < 9_800
