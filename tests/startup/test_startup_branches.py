"""Branches whose upstream is gone, in real clones of a real remote."""

import subprocess
from pathlib import Path

import pytest

from session_memory.startup import findings, refs
from startup.looks import look
from support import Repository, clean_environment


def _push(clone: Repository, *names: str) -> None:
    for name in names:
        clone.git("branch", name)
    clone.git("push", "--quiet", "--set-upstream", "origin", *names)


def _lose(clone: Repository, *names: str) -> None:
    """The branches are deleted on the remote by somebody else, and this clone hears of it."""
    remote = Repository(Path(clone.git("remote", "get-url", "origin")))
    for name in names:
        remote.git("update-ref", "-d", f"refs/heads/{name}")
    clone.git("fetch", "--quiet", "--prune")


def test_living_upstreams_are_not_mentioned(clone: Repository) -> None:
    _push(clone, "topic")
    assert look(clone.root) == []


def test_without_a_fetch_nothing_is_known(clone: Repository) -> None:
    _push(clone, "topic")
    remote = Repository(Path(clone.git("remote", "get-url", "origin")))
    remote.git("update-ref", "-d", "refs/heads/topic")
    assert look(clone.root) == []


def test_current_branch(clone: Repository) -> None:
    _push(clone, "topic")
    clone.git("switch", "--quiet", "topic")
    _lose(clone, "topic")
    assert look(clone.root) == [
        "- The current branch `topic` follows `origin/topic`, which is gone (`git branch -vv`)."
    ]


def test_another_branch(clone: Repository) -> None:
    _push(clone, "topic")
    _lose(clone, "topic")
    assert look(clone.root) == [
        "- 1 other branch follows an upstream that is gone: `topic` (`git branch -vv`)."
    ]


def test_many_branches_are_counted_and_a_few_are_named(clone: Repository) -> None:
    names = [f"topic-{index:02}" for index in range(8)]
    _push(clone, *names)
    _lose(clone, *names)
    assert look(clone.root) == [
        (
            "- 8 other branches follow an upstream that is gone:"
            " `topic-00`, `topic-01`, `topic-02`, `topic-03`, `topic-04` and 3 more"
            " (`git branch -vv`)."
        )
    ]


def test_packed_refs(clone: Repository) -> None:
    _push(clone, "gone", "there")
    _lose(clone, "gone")
    clone.git("pack-refs", "--all")
    assert look(clone.root) == [
        "- 1 other branch follows an upstream that is gone: `gone` (`git branch -vv`)."
    ]


def test_local_upstream(clone: Repository) -> None:
    clone.git("branch", "base")
    clone.git("branch", "--track", "topic", "base")
    assert look(clone.root) == []
    clone.git("branch", "-D", "base")
    assert "`topic`" in look(clone.root)[0]


def test_detached_head(clone: Repository) -> None:
    _push(clone, "topic")
    _lose(clone, "topic")
    clone.git("switch", "--quiet", "--detach")
    assert "other branch" in look(clone.root)[0]


def test_clone_of_an_empty_repository_never_had_the_upstream(tmp_path: Path) -> None:
    Repository.create(tmp_path / "empty.git", "--bare")
    env = clean_environment(tmp_path)
    subprocess.run(
        ["git", "clone", "-q", "empty.git", "work"],
        cwd=tmp_path,
        env=env,
        check=True,
        capture_output=True,
    )
    work = Repository(tmp_path / "work")
    assert look(work.root) == []
    work.commit("never pushed")
    assert "gone" in work.git("branch", "-vv")
    assert look(work.root) == []


def test_unborn_branch(tmp_path: Path) -> None:
    root = tmp_path / "unborn"
    root.mkdir()
    Repository(root).git("init", "--quiet")
    assert look(root) == []


def test_submodule(clone: Repository, tmp_path: Path) -> None:
    outer = Repository.create(tmp_path / "outer")
    remote = clone.git("remote", "get-url", "origin")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", remote, "inner")
    inner = Repository(outer.root / "inner")
    _push(inner, "topic")
    _lose(inner, "topic")
    assert "`topic`" in look(inner.root)[0]
    assert look(outer.root) == []


def test_reftable(tmp_path: Path) -> None:
    root = tmp_path / "reftable"
    root.mkdir()
    made = Repository(root)
    try:
        made.git("init", "--quiet", "--ref-format=reftable", "--initial-branch=main")
    except subprocess.CalledProcessError:
        pytest.skip("this git has no reftable")
    made.commit("first")
    Repository.create(tmp_path / "remote.git", "--bare")
    made.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    made.git("push", "--quiet", "--set-upstream", "origin", "main")
    _push(made, "topic")
    _lose(made, "topic")
    assert "`topic`" in look(root)[0]


def test_hostile_branch_name_stays_a_name(clone: Repository) -> None:
    name = "x`$(touch${IFS}owned)`<!--"
    _push(clone, name)
    _lose(clone, name)
    line = look(clone.root)[0]
    assert "<!--" not in line
    assert line.count("`") == 4
    assert not (clone.root / "owned").exists()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('[branch "main"]\n\tremote = origin\n', True),
        ('[Branch "main"]\n', True),
        ("[include]\n\tpath = other\n", True),
        ("[core]\n\tbare = false\n", False),
    ],
)
def test_gate_by_the_configuration(tmp_path: Path, config: str, expected: bool) -> None:
    (tmp_path / "config").write_text(config)
    assert findings.may_have_upstreams(str(tmp_path)) is expected


def test_gate_without_a_configuration(tmp_path: Path) -> None:
    assert not findings.may_have_upstreams(str(tmp_path))


def test_plain_repository_needs_no_git(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs, "read", None)  # calling it would fail
    assert look(repo.root) == []


@pytest.mark.parametrize(
    ("remotes", "default"),
    [
        ({"origin/HEAD": "origin/trunk", "origin/trunk": ""}, "origin/trunk"),
        ({"origin/HEAD": "origin/gone", "origin/main": ""}, ""),
        ({"fork/HEAD": "fork/trunk", "fork/trunk": ""}, "fork/trunk"),
        ({"origin/main": "", "origin/master": ""}, "origin/main"),
        ({"origin/master": ""}, "origin/master"),
        ({"a/main": "", "b/main": ""}, ""),
        ({}, ""),
    ],
    ids=["named", "dangling", "only-remote", "main", "master", "two-remotes", "none"],
)
def test_remote_default_branch(remotes: dict[str, str], default: str) -> None:
    full = {
        f"refs/remotes/{name}": f"refs/remotes/{target}" if target else ""
        for name, target in remotes.items()
    }
    assert refs.short(refs.Refs([], full).default) == default
