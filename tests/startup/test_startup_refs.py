"""Branches and their upstreams, in real clones."""

import subprocess
from pathlib import Path

import pytest

from session_memory.startup import refs
from session_memory.startup.refs import Branch, Refs
from session_memory.startup.snapshot import compare_ref, default_branch
from session_memory.startup.worktrees import Worktree
from startup_support import Clone, look
from support import Repository, clean_environment

TOPIC = "feature/issue-3-red"


def _gone(root: Path) -> list[str]:
    known = refs.read(str(root))
    assert known
    return [branch.name for branch in known.branches.values() if known.is_gone(branch)]


def test_living_upstream(clone: Clone) -> None:
    clone.branch(TOPIC)
    clone.follow(TOPIC)
    assert _gone(clone.primary.root) == []


def test_without_a_fetch_nothing_is_known(clone: Clone) -> None:
    clone.branch(TOPIC)
    clone.follow(TOPIC, missing=True)
    assert _gone(clone.primary.root) == []


def test_gone_upstream(clone: Clone) -> None:
    clone.branch(TOPIC)
    clone.follow(TOPIC)
    clone.remote.git("update-ref", "-d", f"refs/heads/{TOPIC}")
    clone.primary.git("fetch", "--quiet", "--prune")
    clone.primary.git("pack-refs", "--all")
    assert _gone(clone.primary.root) == [TOPIC]


def test_local_upstream(clone: Clone) -> None:
    clone.primary.git("branch", "base")
    clone.primary.git("branch", "--track", "topic", "base")
    assert _gone(clone.primary.root) == []
    clone.primary.git("branch", "-D", "base")
    assert _gone(clone.primary.root) == ["topic"]


def test_clone_of_an_empty_repository_never_had_the_upstream(tmp_path: Path) -> None:
    Repository.create(tmp_path / "empty.git", "--bare")
    subprocess.run(
        ["git", "clone", "-q", "empty.git", "work"],
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        check=True,
        capture_output=True,
    )
    work = Repository(tmp_path / "work")
    assert look(work.root).text == ""
    work.commit("never pushed")
    assert _gone(work.root) == []
    assert look(work.root).text == ""


def test_unborn_branch(tmp_path: Path) -> None:
    (tmp_path / "unborn").mkdir()
    Repository(tmp_path / "unborn").git("init", "--quiet")
    assert look(tmp_path / "unborn").text == ""


def test_detached_head(clone: Clone) -> None:
    clone.branch(TOPIC)
    clone.follow(TOPIC, pruned=True)
    clone.primary.git("switch", "--quiet", "--detach")
    assert look(clone.primary.root).names == {"orphan"}


def test_submodule_is_its_own_main_worktree(clone: Clone, tmp_path: Path) -> None:
    outer = Repository.create(tmp_path / "outer")
    url = str(clone.remote.root)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "inner")
    inner = Repository(outer.root / "inner")
    inner.git("switch", "--quiet", "-c", "claude/here")
    inner.git("branch", "claude/there")
    looked = look(inner.root)
    assert looked.found.seen
    assert not looked.found.seen.is_degraded
    assert [each.name for each in looked.found.candidates] == ["claude/there"]


def test_reftable(tmp_path: Path) -> None:
    made = Repository(tmp_path / "reftable")
    made.root.mkdir()
    try:
        made.git("init", "--quiet", "--ref-format=reftable", "--initial-branch=main")
    except subprocess.CalledProcessError:
        pytest.skip("this git has no reftable")
    made.commit("first")
    made.git("update-ref", "refs/remotes/origin/main", "main")
    made.git("branch", "claude/x")
    assert [each.name for each in look(made.root).found.candidates] == ["claude/x"]


@pytest.mark.parametrize(
    ("remotes", "registry", "default"),
    [
        ({"origin/HEAD": "origin/trunk", "origin/trunk": ""}, "dev", "trunk"),
        ({"origin/HEAD": "origin/gone", "origin/main": ""}, "dev", "main"),
        ({"origin/main": "", "origin/master": ""}, "dev", "main"),
        ({"origin/master": ""}, "dev", "master"),
        ({"fork/main": ""}, "dev", "dev"),
        ({}, "", "main"),
    ],
    ids=["named", "dangling", "main", "master", "other-remote", "nothing"],
)
def test_default_branch(remotes: dict[str, str], registry: str, default: str) -> None:
    full = {
        f"refs/remotes/{name}": f"refs/remotes/{target}" if target else ""
        for name, target in remotes.items()
    }
    first = Worktree("/x")
    first.branch = registry
    assert default_branch(Refs([], full, {}), [first]) == default


@pytest.mark.parametrize(
    ("upstream", "remote", "expected"),
    [
        ("refs/remotes/up/trunk", "", "refs/remotes/up/trunk"),
        ("refs/heads/base", "fork", "refs/remotes/fork/main"),
        ("", "fork", "refs/remotes/fork/main"),
        ("", "", "refs/remotes/origin/main"),
    ],
    ids=["upstream", "local-upstream", "remote-only", "neither"],
)
def test_what_the_default_branch_is_compared_with(
    upstream: str, remote: str, expected: str
) -> None:
    known = Refs([Branch("main", "0" * 40, upstream)], {}, {})
    assert compare_ref(known, "main", lambda _: remote) == expected


def test_remote_of_the_default_branch_is_read_from_the_settings(clone: Clone) -> None:
    clone.branch("claude/x")
    clone.primary.git("branch", "--unset-upstream", "main")
    clone.primary.git("config", "branch.main.remote", "fork")
    assert look(clone.primary.root).found.candidates == []
    clone.primary.git("update-ref", "refs/remotes/fork/main", "main")
    looked = look(clone.primary.root)
    assert "`fork/main`" in looked.text
