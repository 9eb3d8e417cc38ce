"""What is captured of a real repository, and which changes it shows."""

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.handshake import fingerprint
from session_memory.handshake.capture import CaptureFailed, capture
from session_memory.handshake.fingerprint import changed_paths
from support import Repository, clean_environment


def git_output(repo: Repository, *arguments: str) -> bytes:
    """What git prints, to the byte."""
    command = ["git", "-C", str(repo.root), *arguments]
    return subprocess.run(
        command, env=clean_environment(repo.root.parent), capture_output=True, check=True
    ).stdout


def test_fields_are_what_git_and_the_shell_say(repo: Repository) -> None:
    repo.write("README.md", "changed\n")
    repo.write("with blank.txt", "new\n")
    seen = capture(str(repo.root))

    status = git_output(repo, "status", "--porcelain")
    assert seen.parent_head == repo.git("rev-parse", "HEAD")
    assert seen.parent_branch == "main"
    assert seen.parent_cwd == str(repo.root)
    assert seen.parent_dirty_fingerprint == hashlib.sha256(status).hexdigest()[:12]


def test_clean_tree(repo: Repository) -> None:
    seen = capture(str(repo.root))

    assert (seen.parent_dirty_fingerprint, seen.content) == ("e3b0c44298fc", "e3b0c44298fc")


def test_detached_head(repo: Repository) -> None:
    repo.git("switch", "--quiet", "--detach")

    assert capture(str(repo.root)).parent_branch == "HEAD"


def test_branch_with_the_name_of_a_tag_is_called_as_git_calls_it(repo: Repository) -> None:
    repo.git("tag", "main")

    assert capture(str(repo.root)).parent_branch == "heads/main"


def test_folder_below_the_root_differs_in_the_folder_only(repo: Repository) -> None:
    repo.write("lib/a.py", "x\n")
    repo.commit("a")
    repo.write("README.md", "changed\n")
    top, below = capture(str(repo.root)), capture(str(repo.root / "lib"))

    assert below.parent_cwd == str(repo.root / "lib")
    assert (top.parent_dirty_fingerprint, top.content) == (
        below.parent_dirty_fingerprint,
        below.content,
    )


def test_root_with_a_line_feed(tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "a\nb")
    before = capture(str(repo.root))
    repo.write("README.md", "one\n")
    one = capture(str(repo.root))
    repo.write("README.md", "two\n")

    assert len({before.content, one.content, capture(str(repo.root)).content}) == 3


@pytest.mark.parametrize("folder", ["unborn", "bare", "none"])
def test_capture_fails_without_a_commit_or_a_work_tree(tmp_path: Path, folder: str) -> None:
    options = {"unborn": ["init"], "bare": ["init", "--bare"], "none": ["version"]}
    (tmp_path / folder).mkdir()
    subprocess.run(
        ["git", *options[folder]], cwd=tmp_path / folder, check=True, capture_output=True
    )

    with pytest.raises(CaptureFailed, match="git rev-parse gives no answer"):
        capture(str(tmp_path / folder))


def test_status_that_fails(repo: Repository) -> None:
    (repo.root / ".git" / "index").write_bytes(b"broken")

    with pytest.raises(CaptureFailed, match="git status gives no answer"):
        capture(str(repo.root))


def test_working_directory_as_the_shell_names_it(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(repo.root)
    monkeypatch.chdir(link)
    monkeypatch.setenv("PWD", str(link))

    assert capture().parent_cwd == str(link)


@pytest.mark.parametrize("pwd", ["", "relative", "/nowhere/at/all", "/tmp", "{repo}/.", "{repo}/"])
def test_working_directory_that_the_shell_names_wrongly(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, pwd: str
) -> None:
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PWD", pwd.format(repo=repo.root))

    assert capture().parent_cwd.rstrip("/") == str(repo.root.resolve())


def test_working_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    with pytest.raises(CaptureFailed, match="working directory"):
        capture()


def write(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


def link_to(target: str) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return make


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def executable(path: Path) -> None:
    path.write_text("one\n")
    path.chmod(0o755)


def grow_sparse(path: Path) -> None:
    os.truncate(path, fingerprint.MAX_BYTES + 1)


CHANGES: dict[str, Callable[[Path], object]] = {
    "one": write("one\n"),
    "two": write("two\n"),
    "empty": write(""),
    "executable": executable,
    "deleted": lambda path: path.unlink(),
    "link": link_to("one\n"),
    "other-link": link_to("two\n"),
    "fifo": fifo,
    "large": grow_sparse,
}


def test_contents_of_a_changed_file_are_seen(repo: Repository) -> None:
    found = {}
    for name, change in CHANGES.items():
        repo.git("checkout", "--quiet", "--force", "--", "README.md")
        change(repo.root / "README.md")
        found[name] = capture(str(repo.root)).content

    assert len(set(found.values())) == len(CHANGES), found


def test_content_beyond_the_total_counts_by_its_facts(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprint, "MAX_TOTAL", 6)
    repo.write("a", "")
    repo.write("b", "")
    repo.commit("two")
    repo.write("a", "1234\n")
    path = repo.write("b", "1234\n")
    found = []
    for time in (1, 2):
        os.utime(path, (time, time))
        found.append(capture(str(repo.root)).content)

    assert found[0] != found[1]


def test_two_edits_have_one_fingerprint_of_version_1(repo: Repository) -> None:
    repo.write("README.md", "one\n")
    one = capture(str(repo.root))
    repo.write("README.md", "two\n")
    two = capture(str(repo.root))

    assert one.parent_dirty_fingerprint == two.parent_dirty_fingerprint
    assert one.content != two.content


def test_same_content_has_the_same_fingerprint(repo: Repository) -> None:
    path = repo.write("README.md", "one\n")
    before = capture(str(repo.root))
    os.utime(path, (1, 1))
    repo.write("README.md", "one\n")

    assert capture(str(repo.root)) == before


def test_staged_content_is_seen(repo: Repository) -> None:
    found = []
    for text in ("one\n", "two\n"):
        repo.write("README.md", text)
        repo.git("add", "README.md")
        found.append(capture(str(repo.root)).content)

    assert found[0] != found[1]


def test_content_of_an_untracked_file_is_not_seen(repo: Repository) -> None:
    repo.write("new.txt", "one\n")
    before = capture(str(repo.root))
    repo.write("new.txt", "two\n")

    assert capture(str(repo.root)) == before


NAMES = ["plain", "with blank", 'q"uote', "back\\slash", "tab\t", "é", "line\nfeed", "a -> b"]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_unquoted_as_git_quotes_it(repo: Repository, name: str) -> None:
    repo.write(name, "x\n")
    repo.commit("name")
    repo.write(name, "y\n")

    status = git_output(repo, "status", "--porcelain")
    assert list(changed_paths(status)) == [name.encode()]


def test_name_that_is_no_text(repo: Repository) -> None:
    path = os.fsencode(repo.root) + b"/\xff\xfe"
    Path(os.fsdecode(path)).write_text("x\n")
    repo.commit("name")
    Path(os.fsdecode(path)).write_text("y\n")

    assert list(changed_paths(git_output(repo, "status", "--porcelain"))) == [b"\xff\xfe"]


def test_of_a_renamed_file_the_new_name_counts(repo: Repository) -> None:
    repo.git("mv", "README.md", "READ ME.md")

    status = git_output(repo, "status", "--porcelain")
    assert status == b'R  README.md -> "READ ME.md"\n'
    assert list(changed_paths(status)) == [b"READ ME.md"]


def test_submodule_counts_by_its_status(repo: Repository, tmp_path: Path) -> None:
    inner = Repository.create(tmp_path / "inner")
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "add", "--quiet", str(inner.root), "sub")
    repo.commit("sub")
    clean = capture(str(repo.root))
    (repo.root / "sub" / "README.md").write_text("changed\n")

    assert capture(str(repo.root)) != clean
