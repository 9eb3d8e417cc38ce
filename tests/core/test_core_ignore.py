"""``git status`` stays clean, and no file of the user is touched."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core import ignore
from session_memory.core.folder import Folder
from session_memory.core.places import HYGIENE
from session_memory.core.store import Store
from support import Hook, Repository, question

PLACE = ("memories", "session")


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


@pytest.mark.parametrize(
    ("place", "hidden"), [(("memories", "session"), True), ((".copilot-tracking",), False)]
)
def test_what_an_agent_remembers_is_hidden_in_its_own_folder_only(
    repo: Repository, place: "tuple[str, ...]", hidden: bool
) -> None:
    repo.write("/".join([*place, "plan-issue-7.md"]), "a plan")
    Store(str(repo.root), (place,), str(repo.root / ".git")).append("gate-events-s-1.jsonl", b"{}")
    assert ("plan-issue-7.md" in repo.status()) is not hidden


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
    ignore.cover(folder, str(repo.root), PLACE, str(repo.root / ".git"))
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


@pytest.mark.parametrize("present", ["", "*", ".giti", ".gitignore\n", ".gitignore\ngate-ev"])
def test_a_part_of_our_own_file_is_hidden(
    repo: Repository, hook: Callable[..., Hook], present: str
) -> None:
    repo.write("memories/session/.gitignore", present)
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == ""


def test_an_empty_file_of_the_user_stays_as_it_is(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    repo.write("memories/session/.gitignore", "")
    repo.commit("keep the folder")
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == ""


def test_a_failed_write_leaves_no_part(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes) -> None:
        os.write(fd, data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("session_memory.core.document.write_all", full)
    folder = Folder(str(repo.root), PLACE, create=True)
    with pytest.raises(OSError, match="No space left"):
        ignore.hide(folder)
    assert folder.names() == []
    folder.close()


@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param("# * is for later\n", id="comment"),
        pytest.param("# ignore gate-events* of them\n", id="names in a comment"),
        pytest.param("a b * c\n", id="star within a pattern"),
        pytest.param("!gate-events*\n*\n", id="exception taken back"),
        pytest.param("*.bak\r\n", id="other line ends"),
    ],
)
def test_patterns_that_do_not_cover(
    repo: Repository, hook: Callable[..., Hook], patterns: str
) -> None:
    repo.write("memories/session/.gitignore", patterns)
    repo.git("add", "--force", "memories")
    repo.commit("mine")
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == ""


@pytest.mark.parametrize("patterns", ["*\n!.gitignore\n", "/*\r\n", "# all\n**\n!/.gitkeep\n"])
def test_patterns_that_cover(repo: Repository, hook: Callable[..., Hook], patterns: str) -> None:
    repo.write("memories/session/.gitignore", patterns)
    repo.git("add", "--force", "memories")
    repo.commit("mine")
    exclude = repo.root / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == ""
    assert exclude.read_bytes() == before


def plant(kind: str, path: Path) -> None:
    other = path.parent.parent.parent.parent / "other"
    other.write_text("*\n")
    if kind == "folder":
        path.mkdir()
        (path / ".gitkeep").touch()
    elif kind == "link":
        path.symlink_to(other)
    elif kind == "hard link":
        path.hardlink_to(other)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))


@pytest.mark.parametrize("kind", ["folder", "link", "hard link", "socket"])
def test_what_stands_in_the_place_of_an_ignore_file(
    repo: Repository, hook: Callable[..., Hook], kind: str
) -> None:
    repo.session.mkdir(parents=True)
    plant(kind, repo.session / ".gitignore")
    before = repo.status()
    hook("post_tool_use", question(repo)).assert_quiet()
    assert repo.status() == before
    assert len(repo.log("s-s1")) == 1


def submodule(tmp_path: Path) -> Repository:
    inner = Repository.create(tmp_path / "inner")
    whole = Repository.create(tmp_path / "whole")
    allow = ("-c", "protocol.file.allow=always")
    whole.git(*allow, "submodule", "--quiet", "add", str(inner.root), "part")
    return Repository(whole.root / "part")


def separate(tmp_path: Path) -> Repository:
    return Repository.create(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "store"))


@pytest.mark.parametrize("make", [submodule, separate])
@pytest.mark.parametrize("patterns", ["*.bak\n", ""])
def test_where_the_git_folder_is_not_ours_the_folder_above_serves(
    tmp_path: Path, hook: Callable[..., Hook], make: Callable[[Path], Repository], patterns: str
) -> None:
    repo = make(tmp_path)
    own = repo.write("memories/session/.gitignore", patterns)
    repo.commit("mine")
    for number in range(2):
        hook("post_tool_use", question(repo, session_id=f"s{number}")).assert_quiet()
    assert repo.status() == ""
    assert own.read_text() == patterns
    assert (repo.root / "memories" / ".gitignore").read_text().startswith("/.gitignore\n/session/")


def test_an_ignore_file_of_the_user_above_stays_as_it_is(
    tmp_path: Path, hook: Callable[..., Hook]
) -> None:
    repo = separate(tmp_path)
    own = [repo.write(f"memories/{name}", "x\n") for name in (".gitignore", "session/.gitignore")]
    hook("post_tool_use", question(repo)).assert_quiet()
    assert [path.read_text() for path in own] == ["x\n", "x\n"]
    assert len(repo.log("s-s1")) == 1


@pytest.mark.parametrize("place", [PLACE, (".copilot-tracking",)])
def test_a_git_folder_is_never_made(repo: Repository, place: tuple[str, ...]) -> None:
    root = repo.root / "plain"
    repo.write("plain/" + "/".join(place) + "/.gitignore", "x\n")
    folder = Folder(str(root), place, create=False)
    try:
        ignore.cover(folder, str(root), place, str(root / ".git"))
    except FileNotFoundError:
        pass
    folder.close()
    assert not (root / ".git").exists()


def test_a_document_that_is_there_does_not_show_its_new_lock(repo: Repository) -> None:
    repo.write(".gitignore", "release-hygiene-*.json\n")
    repo.commit("mine")
    repo.write(".claude/.state/release-hygiene-s1.json", "{}")
    store = Store(str(repo.root), HYGIENE, str(repo.root / ".git"))
    store.update("release-hygiene-s1.json", lambda _: {"n": 1})
    assert repo.status() == ""
