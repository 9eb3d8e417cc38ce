"""Keeping a project's registration out of its commits."""

from pathlib import Path

import pytest

from session_memory.editors.surroundings import Surroundings
from session_memory.install import git_exclude
from session_memory.install import place as places
from session_memory.install.place import Place, Refused
from support import Repository


def place(folder: Path) -> Place:
    return places.place(Surroundings.of(folder, {"HOME": "/home/x"}), "copilot", "project")


def exclude(repo: Repository) -> Path:
    return repo.root / ".git" / "info" / "exclude"


@pytest.mark.parametrize(
    "before",
    [b"*.o\n", b"*.o", b"*.o\r\n# x\r\n", None],
    ids=["usual", "torn", "windows", "absent"],
)
def test_list_comes_back(repo: Repository, before: "bytes | None") -> None:
    exclude(repo).unlink()
    if before is not None:
        exclude(repo).write_bytes(before)
    assert git_exclude.cover(place(repo.root)) == ""
    repo.write(".github/hooks/session-memory.json", "{}")
    repo.write(".github/hooks/session-memory.json.before-session-memory-1", "{}")
    assert repo.status() == ""
    git_exclude.uncover(place(repo.root))
    assert (exclude(repo).read_bytes() if exclude(repo).exists() else None) == before


def test_folder_behind_a_link_with_an_odd_name(repo: Repository) -> None:
    odd = repo.root / "o[d] d*!"
    (odd / "hooks").mkdir(parents=True)
    (repo.root / ".github").symlink_to(odd.name)
    repo.commit("link")
    git_exclude.cover(place(repo.root))
    (odd / "hooks" / "session-memory.json").write_text("{}", "utf-8")
    assert repo.status() == ""
    git_exclude.uncover(place(repo.root))
    assert "session-memory" not in exclude(repo).read_text("utf-8")


def test_line_between_others_goes(repo: Repository) -> None:
    git_exclude.cover(place(repo.root))
    with exclude(repo).open("ab") as stream:
        stream.write(b"*.later\n")
    git_exclude.uncover(place(repo.root))
    text = exclude(repo).read_text("utf-8")
    assert ("session-memory" in text, text.endswith("*.later\n")) == (False, True)


def test_covered_once(repo: Repository) -> None:
    for _ in range(2):
        git_exclude.cover(place(repo.root))
    assert exclude(repo).read_text("utf-8").count("session-memory") == 1


def test_what_git_ignores_already_needs_no_line(repo: Repository) -> None:
    repo.write(".gitignore", ".github/\n")
    before = exclude(repo).read_bytes()
    git_exclude.cover(place(repo.root))
    assert exclude(repo).read_bytes() == before


def test_tracked_file_is_told(repo: Repository) -> None:
    repo.write(".github/hooks/session-memory.json", "{}")
    repo.commit("hooks")
    assert git_exclude.cover(place(repo.root)) == git_exclude.TRACKED


def test_outside_any_repository_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert git_exclude.cover(place(tmp_path)) == ""
    git_exclude.uncover(place(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_list_that_is_a_link_to_elsewhere_is_refused(repo: Repository, tmp_path: Path) -> None:
    target = tmp_path / "victim"
    target.write_bytes(b"untouched")
    exclude(repo).unlink()
    exclude(repo).symlink_to(target)
    with pytest.raises(Refused, match="leads to"):
        git_exclude.cover(place(repo.root))
    assert target.read_bytes() == b"untouched"
