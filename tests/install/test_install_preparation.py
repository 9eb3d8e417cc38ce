"""What an installation needs, and what it tells when that is missing."""

import os
from pathlib import Path

import pytest

from install_support import Machine
from session_memory import library as bundles
from session_memory.editors.surroundings import Surroundings
from session_memory.install import compiled, installation
from session_memory.install.place import Refused
from session_memory.library import Library

Env = dict[str, str]


@pytest.fixture
def around(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Surroundings:
    """A machine of which this very process is a part, with the copy of the bundle."""
    library = Library(machine.bundle / "hooks", machine.bundle / "lib" / "session_memory")
    monkeypatch.setattr(bundles, "locate", lambda: library)
    return Surroundings.of(machine.repo.root, {"HOME": str(machine.home)})


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        pytest.param({}, ".cache", id="home"),
        pytest.param({"XDG_CACHE_HOME": "relative"}, ".cache", id="relative"),
        pytest.param({"XDG_CACHE_HOME": "/var/x"}, "/var/x", id="named"),
    ],
)
def test_read_only_package_has_its_compiled_modules_elsewhere(
    env: Env, folder: str, around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    elsewhere = Surroundings.of(around.cwd, {**around.environ, **env})
    prepared = installation.prepare(elsewhere, "claude", "user")
    cache = str(around.home / folder / "session-memory-hooks" / "pycache")
    assert prepared.runner.pycache == cache
    assert f"pycache_prefix={cache}" in str(prepared.plan.after)
    assert any(cache in note for note in installation.warnings(elsewhere, prepared))


def test_writable_package_needs_no_other_place(around: Surroundings) -> None:
    prepared = installation.prepare(around, "claude", "user")
    assert prepared.runner.pycache == ""
    assert installation.warnings(around, prepared) == []


def test_modules_that_could_not_be_compiled_are_told(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = installation.prepare(around, "claude", "user")
    monkeypatch.setattr(compiled, "compile_for", lambda *_: (9, 2))
    assert prepared.carry_out() == (
        7,
        ["2 of 9 modules could not be compiled; hooks will be slow"],
    )


def test_installation_without_entry_points_is_refused(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    library = Library(tmp_path / "hooks", bundles.locate().package)
    monkeypatch.setattr(bundles, "locate", lambda: library)
    with pytest.raises(Refused, match=r"session_start\.py is missing"):
        installation.prepare(around, "claude", "user")


@pytest.mark.parametrize(
    ("host", "scope", "env", "word"),
    [
        pytest.param("copilot", "user", {}, "VS Code reads this file too", id="copilot"),
        pytest.param("vscode", "user", {}, "Copilot CLI reads this file too", id="vscode"),
        pytest.param("copilot", "user", {"COPILOT_HOME": "/x"}, "", id="moved"),
        pytest.param("vscode", "project", {}, "read this file both", id="project"),
    ],
)
def test_who_else_reads_the_file_is_told(
    around: Surroundings, host: str, scope: str, env: Env, word: str
) -> None:
    elsewhere = Surroundings.of(around.cwd, {**around.environ, **env})
    notes = installation.warnings(elsewhere, installation.prepare(elsewhere, host, scope))
    assert (len(notes), all(word in note for note in notes)) == (1 if word else 0, True)
