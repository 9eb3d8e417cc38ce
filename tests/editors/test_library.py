"""Which copy of the bundle is meant, and how to bring back what it lacks."""

import sys
from pathlib import Path

import pytest

from session_memory import __version__, library
from session_memory.library import Library
from support import HOOKS, ROOT, Repository


def test_this_clone() -> None:
    found = library.locate()
    assert (found.hooks, found.package) == (HOOKS, ROOT / "lib" / "session_memory")
    assert (found.version, found.is_wheel) == (__version__, False)
    assert Library.at(HOOKS) == found


@pytest.mark.parametrize("text", [None, "x = ", "print(1)"], ids=["absent", "broken", "other"])
def test_version_that_cannot_be_read(text: "str | None", tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "__init__.py").write_text(text, encoding="utf-8")
    assert Library(tmp_path / "hooks", tmp_path).version == ""


def wheel(folder: Path) -> Library:
    """A virtual environment with the package, and without its entry points."""
    package = folder / "lib" / "python3.11" / "site-packages" / "session_memory"
    package.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").touch()
    return Library.at(package / "entry_points")


def test_wheel_is_known_without_its_entry_points(tmp_path: Path) -> None:
    assert wheel(tmp_path).is_wheel


def test_wheel_without_its_entry_points_locates_itself_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = wheel(tmp_path).package
    monkeypatch.setattr(library, "_OWN", package)
    assert library.locate() == Library(package / "entry_points", package)


def test_wheel_is_installed_again_into_its_own_environment(tmp_path: Path) -> None:
    mend = wheel(tmp_path).mend()
    assert mend.startswith(f"{tmp_path}/bin/python -m pip install --force-reinstall ")


def test_wheel_of_an_environment_that_is_gone(tmp_path: Path) -> None:
    assert Library.at(tmp_path / "entry_points").mend().startswith(sys.executable)


def test_wheel_of_pipx(tmp_path: Path) -> None:
    assert wheel(tmp_path / "pipx" / "venvs" / "x").mend() == "pipx reinstall session-memory-hooks"


def test_clone_takes_lost_files_from_git(repo: Repository) -> None:
    lost = repo.write("hooks/it's.py", "x")
    repo.commit("hooks")
    lost.unlink()
    mend = Library.at(repo.root / "hooks").mend([lost])
    assert mend == f"git -C {repo.root} checkout HEAD -- 'hooks/it'\"'\"'s.py'"


def test_copy_of_an_editor_is_installed_again(tmp_path: Path) -> None:
    assert "uninstall the plugin" in Library.at(tmp_path / "hooks").mend()
