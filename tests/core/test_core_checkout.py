"""Checkout facts from files, compared with what git itself answers."""

import os
import shutil
import stat
import string
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core import checkout
from session_memory.core.checkout import Checkout, locate
from support import Hook, Repository, question


def found(path: object) -> Checkout:
    answer = locate(str(path))
    assert answer is not None
    return answer


def test_a_branch(repo: Repository) -> None:
    here = found(repo.root)
    assert (here.root, here.branch, here.sha) == (str(repo.root), "main", "")
    assert here.common_dir == str(repo.root / ".git")
    assert here.shared_root == str(repo.root)
    assert here.ours


def test_a_folder_deep_below(repo: Repository) -> None:
    deep = repo.root / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert found(deep).root == str(repo.root)


@pytest.mark.parametrize("spelling", ["{}/", "{}/.", "{}/a/..", "{}//", "{}/a/../a/./.."])
def test_one_spelling_of_the_root(repo: Repository, spelling: str) -> None:
    (repo.root / "a").mkdir()
    assert found(spelling.format(repo.root)).root == str(repo.root)


def test_a_folder_that_was_removed(repo: Repository) -> None:
    assert found(repo.root / "gone" / "deeper").root == str(repo.root)


def test_a_link_into_a_checkout(repo: Repository, tmp_path: Path) -> None:
    (repo.root / "sub").mkdir()
    (tmp_path / "link").symlink_to(repo.root / "sub")
    assert found(tmp_path / "link").root == str(repo.root)


def test_detached(repo: Repository) -> None:
    sha = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "--detach")
    assert (found(repo.root).branch, found(repo.root).sha) == ("", sha)


def test_detached_in_a_sha256_repository(tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "long", "--object-format=sha256")
    repo.git("checkout", "--quiet", "--detach")
    assert found(repo.root).sha == repo.git("rev-parse", "HEAD")
    assert len(found(repo.root).sha) == 64


def test_unborn(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    Repository(root).git("init", "--quiet", "--initial-branch=topic/one")
    assert found(root).branch == "topic/one"


def test_packed_references_do_not_matter(repo: Repository) -> None:
    repo.git("pack-refs", "--all")
    assert found(repo.root).branch == "main"


def test_a_branch_called_head(repo: Repository) -> None:
    (repo.root / ".git" / "HEAD").write_text("ref: refs/heads/HEAD\n")
    assert found(repo.root).branch == ""


def test_an_alias_is_followed_as_git_does(repo: Repository) -> None:
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert found(repo.root).branch == repo.git("rev-parse", "--abbrev-ref", "HEAD") == "main"


def test_aliases_in_a_circle_end(repo: Repository) -> None:
    heads = repo.root / ".git" / "refs" / "heads"
    (heads / "a").write_text("ref: refs/heads/b\n")
    (heads / "b").write_text("ref: refs/heads/a\n")
    repo.git("symbolic-ref", "HEAD", "refs/heads/a")
    assert found(repo.root).branch in ("a", "b")


@pytest.mark.parametrize("unborn", [False, True])
def test_head_as_a_link(repo: Repository, unborn: bool) -> None:
    target = "refs/heads/new" if unborn else "refs/heads/main"
    head = repo.root / ".git" / "HEAD"
    head.unlink()
    head.symlink_to(target)
    assert found(repo.root).branch == target.rpartition("/")[2]


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xfe\x00", id="bytes"),
        pytest.param(b"ref: ../../../etc/passwd\n", id="a way out"),
        pytest.param(b"ref: refs/../../../etc/passwd\n", id="a hidden way out"),
        pytest.param(b"ref: refs/heads/\x00x\n", id="a zero byte"),
        pytest.param(b"x" * 10_000, id="long"),
        pytest.param(b"g" * 40, id="no hexadecimal"),
    ],
)
def test_a_broken_head_gives_no_name_but_a_root(repo: Repository, head: bytes) -> None:
    (repo.root / ".git" / "HEAD").write_bytes(head)
    here = found(repo.root)
    assert (here.root, here.sha) == (str(repo.root), "")
    assert "passwd" not in here.branch


def test_head_as_a_pipe_does_not_block(repo: Repository) -> None:
    head = repo.root / ".git" / "HEAD"
    head.unlink()
    os.mkfifo(head)
    assert locate(str(repo.root)) is None


def worktree(repo: Repository, name: str = "wt") -> Path:
    repo.git("worktree", "add", "--quiet", f"../{name}", "-b", f"{name}-branch")
    return repo.root.parent / name


@pytest.mark.parametrize("below", ["", "deep/er"])
def test_a_linked_worktree(repo: Repository, below: str) -> None:
    linked = worktree(repo)
    (linked / "deep" / "er").mkdir(parents=True)
    here = found(linked / below)
    assert (here.root, here.branch) == (str(linked), "wt-branch")
    assert here.common_dir == str(repo.root / ".git")
    assert here.shared_root == str(repo.root)


def test_a_linked_worktree_with_relative_paths(repo: Repository) -> None:
    linked = worktree(repo)
    (linked / ".git").write_text("gitdir: ../repo/.git/worktrees/wt\n")
    admin = repo.root / ".git" / "worktrees" / "wt"
    (admin / "gitdir").write_text("../../../../wt/.git\n")
    assert found(linked).shared_root == str(repo.root)


def test_a_detached_linked_worktree(repo: Repository) -> None:
    linked = worktree(repo)
    Repository(linked).git("checkout", "--quiet", "--detach")
    assert found(linked).sha == repo.git("rev-parse", "HEAD")


def test_a_linked_worktree_of_a_bare_repository_has_no_main_one(tmp_path: Path) -> None:
    source = Repository.create(tmp_path / "source")
    source.git("clone", "--quiet", "--bare", ".", "../store.git")
    Repository(tmp_path / "store.git").git("worktree", "add", "--quiet", "../wt", "main")
    assert found(tmp_path / "wt").shared_root == str(tmp_path / "wt")


def test_a_worktree_whose_main_one_is_gone(repo: Repository) -> None:
    linked = worktree(repo)
    shutil.rmtree(repo.root)
    assert locate(str(linked)) is None


def test_a_worktree_that_was_moved_by_hand_is_not_vouched_for(repo: Repository) -> None:
    moved = worktree(repo).rename(repo.root.parent / "moved")
    here = found(moved)
    assert (here.branch, here.shared_root, here.ours) == ("wt-branch", str(moved), False)


def test_a_planted_pointer_gives_nothing_away(repo: Repository, tmp_path: Path) -> None:
    """Neither a foreign repository's folder nor a foreign worktree's is vouched for."""
    worktree(repo)
    for number, target in enumerate((repo.root / ".git", repo.root / ".git" / "worktrees" / "wt")):
        trap = tmp_path / f"trap{number}"
        trap.mkdir()
        (trap / ".git").write_text(f"gitdir: {target}\n")
        here = found(trap)
        assert (here.root, here.shared_root, here.ours) == (str(trap), str(trap), False)


def plant(trap: Path, git_dir: str, commondir: object, gitdir: object) -> Repository:
    """A ``.git`` file, and a git folder of the attacker's that says what he likes."""
    admin = trap / git_dir
    admin.mkdir(parents=True)
    (trap / ".git").write_text(f"gitdir: {git_dir}\n")
    (admin / "HEAD").write_text("ref: refs/heads/main\n")
    (admin / "commondir").write_text(f"{commondir}\n")
    (admin / "gitdir").write_text(f"{gitdir}\n")
    return Repository(trap)


@pytest.mark.parametrize("git_dir", ["g/x", "g/worktrees/x"])
@pytest.mark.parametrize("back", ["../../.git", "{}/.git"])
def test_a_forged_way_back_proves_nothing(
    repo: Repository, tmp_path: Path, git_dir: str, back: str
) -> None:
    trap = plant(tmp_path / "trap", git_dir, repo.root / ".git", back.format(tmp_path / "trap"))
    here = found(trap.root)
    assert (here.root, here.shared_root, here.ours) == (str(trap.root), str(trap.root), False)


def test_a_link_into_the_entries_of_a_clone_proves_nothing(
    repo: Repository, tmp_path: Path
) -> None:
    worktree(repo)
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / "g").symlink_to(repo.root / ".git" / "worktrees")
    (trap / ".git").write_text("gitdir: g/wt\n")
    assert not found(trap).ours


def test_a_link_to_the_git_file_of_a_worktree_proves_nothing(
    repo: Repository, tmp_path: Path
) -> None:
    linked = worktree(repo)
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / ".git").symlink_to(linked / ".git")
    here = found(trap)
    assert (here.shared_root, here.ours) == (str(trap), False)


def test_a_common_folder_that_is_no_repository_is_no_checkout(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    trap = plant(tmp_path / "trap", "g/x", victim / ".git", "../../.git")
    assert locate(str(trap.root)) is None


@pytest.mark.parametrize("git_dir", ["g/x", "g/worktrees/x"])
def test_a_planted_git_file_leads_no_write_out_of_the_root(
    tmp_path: Path, hook: Callable[..., Hook], git_dir: str
) -> None:
    """Neither into a clone, nor into a folder that is none."""
    for victim in (Repository.create(tmp_path / "clone").root, tmp_path / "folder"):
        victim.mkdir(exist_ok=True)
        before = sorted(victim.rglob("*"))
        trap = plant(tmp_path / f"at-{victim.name}", git_dir, victim / ".git", "../../.git")
        trap.write(".github/scripts/bump-version.ps1", "x")
        trap.write("memories/session/.gitignore", "x\n")
        hook("post_tool_use", question(trap))
        edited = {"tool_name": "Edit", "tool_input": {"file_path": str(trap.root / "README.md")}}
        hook("post_tool_use", question(trap, **edited))
        assert sorted(victim.rglob("*")) == before


@pytest.mark.parametrize("lacking", ["objects", "refs"])
def test_a_lone_head_is_no_checkout(repo: Repository, lacking: str) -> None:
    fake = make_git_dir(repo.root / "sub") / ".git"
    (fake / "HEAD").write_text("ref: refs/heads/main\n")
    (fake / lacking).rmdir()
    assert found(repo.root / "sub").root == str(repo.root)


def test_a_separate_git_folder_is_not_vouched_for(tmp_path: Path) -> None:
    apart = Repository.create(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "store"))
    here = found(apart.root)
    assert (here.root, here.branch, here.ours) == (str(apart.root), "main", False)


def test_a_worktree_of_a_submodule_keeps_its_own_root(repo: Repository, tmp_path: Path) -> None:
    inner = Repository.create(tmp_path / "inner")
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "--quiet", "add", str(inner.root), "part")
    part = Repository(repo.root / "part")
    part.git("worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "topic")
    here = found(tmp_path / "wt")
    assert (here.shared_root, here.branch, here.ours) == (str(tmp_path / "wt"), "topic", True)


def test_a_long_path_is_given_up_quickly(repo: Repository, hook: Callable[..., Hook]) -> None:
    began = time.monotonic()
    hook("post_tool_use", question(repo, cwd="/a" * 500_000), cwd=repo.root).assert_quiet()
    assert time.monotonic() - began < 3
    assert len(repo.log("s-s1")) == 1


@pytest.mark.parametrize("pointer", [b"gitdir:", b"gitdir: /nowhere", b"gitdir: \0", b"other"])
def test_a_broken_pointer_is_no_checkout(tmp_path: Path, pointer: bytes) -> None:
    (tmp_path / ".git").write_bytes(pointer)
    assert locate(str(tmp_path)) is None


def test_a_submodule_is_its_own_root(repo: Repository, tmp_path: Path) -> None:
    inner = Repository.create(tmp_path / "inner")
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "--quiet", "add", str(inner.root), "part")
    here = found(repo.root / "part")
    assert (here.root, here.shared_root) == (str(repo.root / "part"), str(repo.root / "part"))
    assert here.branch == "main"
    assert not here.ours


def test_inside_the_git_folder_is_the_work_tree(repo: Repository) -> None:
    assert found(repo.root / ".git" / "refs").root == str(repo.root)


def test_a_bare_repository_is_no_work_tree(tmp_path: Path) -> None:
    bare = Repository.create(tmp_path / "bare.git", "--bare")
    assert locate(str(bare.root)) is None


@pytest.mark.parametrize("cwd", ["/", "/nonexistent/x", "/\0", "/a/../\0", "/" + "a/" * 3000])
def test_nowhere(cwd: str) -> None:
    assert locate(cwd) is None


def test_a_foreign_owner_is_no_obstacle(repo: Repository) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    for path in (repo.root, repo.root / ".git"):
        os.chown(path, 12345, 12345)
    assert found(repo.root).branch == "main"


def test_the_environment_of_a_git_hook_is_not_asked(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository.create(tmp_path / "other")
    other.git("checkout", "--quiet", "-b", "elsewhere")
    set_environment(monkeypatch, GIT_DIR=other.root / ".git", GIT_WORK_TREE=other.root)
    assert found(repo.root).branch == "main"


def test_the_environment_tells_where_no_file_does(
    tmp_path: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    set_environment(monkeypatch, GIT_DIR=repo.root / ".git", GIT_WORK_TREE=tree)
    here = found(tree / "sub")
    assert (here.root, here.branch, here.ours) == (str(tree), "main", False)
    assert locate(str(tmp_path / "tree-and-more")) is None


def set_environment(monkeypatch: pytest.MonkeyPatch, **values: Path) -> None:
    """The fast path reads the process's first environment, which monkeypatch does not change."""
    texts = {name: str(value) for name, value in values.items()}
    monkeypatch.setattr(checkout, "environ", lambda name: texts.get(name, ""))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param({"symbolic-ref": "topic"}, ("topic", ""), id="branch"),
        pytest.param({"rev-parse": "a" * 40}, ("", "a" * 40), id="detached"),
        pytest.param({}, ("", ""), id="git cannot"),
    ],
)
def test_reftable_asks_git(
    repo: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: dict[str, str],
    expected: tuple[str, str],
) -> None:
    (repo.root / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    stand_in = tmp_path / "bin" / "git"
    stand_in.parent.mkdir()
    cases = "".join(f'*" {name} "*) echo {text};;\n' for name, text in answers.items())
    stand_in.write_text(f'#!/bin/sh\ncase " $* " in\n{cases}*) exit 1;;\nesac\n')
    stand_in.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{stand_in.parent}:/usr/bin:/bin")
    assert (found(repo.root).branch, found(repo.root).sha) == expected


def make_git_dir(root: Path) -> Path:
    for part in ("objects", "refs"):
        (root / ".git" / part).mkdir(parents=True)
    return root


REF_CHARACTERS = string.ascii_letters + string.digits + "-_./@ äß中"


@given(name=st.text(REF_CHARACTERS, min_size=1, max_size=60))
def test_any_branch_name_comes_back(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    root = make_git_dir(tmp_path_factory.mktemp("any"))
    (root / ".git" / "HEAD").write_text(f"ref: refs/heads/{name}\n", encoding="utf-8")
    expected = "" if name.strip() == "HEAD" else name.rstrip()
    assert found(root).branch == expected


@given(head=st.binary(max_size=200))
def test_any_head_gives_a_checkout(tmp_path_factory: pytest.TempPathFactory, head: bytes) -> None:
    root = make_git_dir(tmp_path_factory.mktemp("any"))
    (root / ".git" / "HEAD").write_bytes(head)
    here = found(root)
    assert here.sha == "" or (len(here.sha) in (40, 64) and not here.branch)
