"""``git status`` stays clean, and no file of the user is touched."""

from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core import ignore
from session_memory.core.folder import Folder
from support import Hook, Repository, question


def test_a_new_folder_hides_itself(repo: Repository, hook: Callable[..., Hook]) -> None:
    hook("post_tool_use", question(repo)).assert_quiet()
    assert (repo.session / ".gitignore").read_text() == "*\n"
    assert repo.status() == ""


def test_a_folder_of_the_user_hides_only_our_files(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    repo.write("memories/session/notes.md", "mine")
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == "?? memories/session/notes.md"
    assert len(repo.log("s-s1")) == 1


def test_an_ignore_file_of_the_user_stays_as_it_is(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    own = repo.write("memories/session/.gitignore", "*.bak\n")
    repo.commit("mine")
    for number in range(3):
        hook("post_tool_use", question(repo, session_id=f"s{number}")).assert_quiet()
    assert own.read_text() == "*.bak\n"
    assert repo.status() == ""
    exclude = (repo.root / ".git" / "info" / "exclude").read_text()
    assert exclude.count("/memories/session/gate-events*") == 1


def test_a_worktree_is_excluded_in_the_shared_list(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    repo.write("memories/session/.gitignore", "*.bak\n")
    repo.commit("mine")
    repo.git("worktree", "add", "--quiet", "../wt")
    linked = Repository(repo.root.parent / "wt")
    hook("post_tool_use", question(linked)).assert_quiet()
    assert linked.status() == repo.status() == ""


def test_an_exclude_list_without_a_last_line_end(repo: Repository, tmp_path: Path) -> None:
    exclude = repo.root / ".git" / "info" / "exclude"
    exclude.write_bytes(b"mine")
    repo.write("memories/session/.gitignore", "x\n")
    folder = Folder(str(repo.root), ("memories", "session"), create=True)
    ignore.cover(folder, ("memories", "session"), str(repo.root / ".git"))
    folder.close()
    assert exclude.read_bytes().startswith(b"mine\n/memories/session/")


@pytest.mark.parametrize("planted", ["exclude", "info", ".git"])
def test_a_planted_link_leads_nowhere(
    repo: Repository, tmp_path: Path, hook: Callable[..., Hook], planted: str
) -> None:
    repo.write("memories/session/.gitignore", "x\n")
    path = (
        repo.root / {"exclude": ".git/info/exclude", "info": ".git/info", ".git": ".git"}[planted]
    )
    victim = tmp_path / "victim"
    path.rename(victim)
    path.symlink_to(victim)
    before = contents(victim)
    hook("post_tool_use", question(repo)).assert_quiet()
    assert contents(victim) == before
    assert len(repo.log("s-s1")) == 1


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return {str(file): file.read_bytes() for file in files}


def test_a_foreign_git_folder_is_not_written_to(
    repo: Repository, tmp_path: Path, hook: Callable[..., Hook]
) -> None:
    trap = Repository(tmp_path / "trap")
    trap.write(".git", f"gitdir: {repo.root / '.git'}\n")
    trap.write("memories/session/.gitignore", "x\n")
    before = contents(repo.root)
    hook("post_tool_use", question(trap)).assert_quiet()
    assert len(trap.log("s-s1")) == 1
    assert contents(repo.root) == before
