"""What files alone tell: whether git is worth asking."""

import subprocess
from pathlib import Path

import pytest

from session_memory.core.checkout import Checkout, locate
from session_memory.startup import glance
from startup_support import UNMERGED, Clone
from support import Repository


def _checkout(root: Path) -> Checkout:
    found = locate(str(root))
    assert found
    return found


def _asks(clone: Clone) -> bool:
    return glance.may_have_candidates(_checkout(clone.primary.root))


def test_default_branch_alone(clone: Clone) -> None:
    assert not _asks(clone)
    clone.primary.git("pack-refs", "--all")
    assert not _asks(clone)


def test_other_branches_beside_the_default_branch(clone: Clone) -> None:
    clone.branch("topic", UNMERGED)
    clone.follow("topic")
    assert not _asks(clone)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["claude/x", "feature/issue-1-x", "goal-run/x"])
def test_branches_of_agents(clone: Clone, name: str, packed: bool) -> None:
    clone.branch(name, UNMERGED)
    if packed:
        clone.primary.git("pack-refs", "--all", "--prune")
    assert _asks(clone)


def test_a_branch_that_follows_another(clone: Clone) -> None:
    clone.branch("topic", UNMERGED)
    clone.primary.git("switch", "--quiet", "topic")
    assert _asks(clone)


def test_linked_worktree(clone: Clone) -> None:
    clone.branch("topic", UNMERGED)
    assert not _asks(clone)
    clone.worktree("topic")
    assert _asks(clone)


def test_current_branch_is_not_what_the_remote_calls_default(clone: Clone) -> None:
    clone.primary.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert _asks(clone)


@pytest.mark.parametrize("packed", [False, True])
def test_main_is_the_default_where_the_remote_says_nothing(clone: Clone, packed: bool) -> None:
    clone.primary.git("remote", "set-head", "origin", "--delete")
    if packed:
        clone.primary.git("pack-refs", "--all", "--prune")
    assert not _asks(clone)


def test_too_many_packed_refs_to_look_through(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.primary.git("pack-refs", "--all")
    monkeypatch.setattr(glance, "_MAX_PACKED", 16)
    assert _asks(clone)


def test_repository_that_is_not_ours_to_read(clone: Clone) -> None:
    checkout = _checkout(clone.primary.root)
    checkout.ours = False
    assert glance.may_have_candidates(checkout)


def test_repository_without_a_remote(repo: Repository) -> None:
    repo.git("switch", "--quiet", "-c", "topic")
    assert not glance.may_have_candidates(_checkout(repo.root))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('[branch "main"]\n\tremote = origin\n', True),
        ('[Branch "main"]\n', True),
        ("[include]\n\tpath = other\n", True),
        ("[core]\n\tbare = false\n", False),
    ],
)
def test_upstreams_by_the_configuration(tmp_path: Path, config: str, expected: bool) -> None:
    (tmp_path / "config").write_text(config)
    assert glance.may_have_upstreams(str(tmp_path)) is expected


def test_no_configuration_no_upstream(tmp_path: Path) -> None:
    assert not glance.may_have_upstreams(str(tmp_path))


def test_reftable_hides_its_branches(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git" / "reftable").mkdir()
    assert glance.may_have_candidates(_checkout(tmp_path))
