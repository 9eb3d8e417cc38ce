"""Whether an editor has the hooks from the plugin. The files are as the editors leave them."""

import json
from pathlib import Path
from typing import Any

import pytest

from session_memory.editors import plugins
from session_memory.editors.locations import claude_home, copilot_home
from session_memory.editors.surroundings import Surroundings
from support import Repository

NAME = "session-memory-hooks@session-memory-hooks"


@pytest.fixture
def around(tmp_path: Path, repo: Repository) -> Surroundings:
    return Surroundings.of(repo.root, {"HOME": str(tmp_path / "home")})


def find(around: Surroundings, host: str) -> str:
    """The root of the plugin that ``host`` runs; empty without any."""
    found = [str(plugin.root) for plugin in plugins.enabled(around, host)]
    return "".join(found)


def write(path: Path, value: Any, head: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + json.dumps(value), encoding="utf-8")


def claude(around: Surroundings, *installations: dict[str, Any], name: str = NAME) -> None:
    listed = {"version": 2, "plugins": {"other@x": [{}], name: list(installations)}}
    write(claude_home(around) / "plugins" / "installed_plugins.json", listed)


def enable(path: Path, value: Any = True) -> None:
    write(path, {"enabledPlugins": {NAME: value}})


USER = {"scope": "user", "installPath": "/cache/0.1.0"}


def test_no_editor_at_all(around: Surroundings) -> None:
    assert [find(around, host) for host in ("claude", "copilot", "vscode")] == [""] * 3


def test_claude_for_the_user(around: Surroundings) -> None:
    claude(around, USER)
    enable(claude_home(around) / "settings.json")
    assert find(around, "claude") == "/cache/0.1.0"


def test_claude_elsewhere(around: Surroundings, tmp_path: Path) -> None:
    moved = Surroundings.of(
        around.cwd, {**around.environ, "CLAUDE_CONFIG_DIR": str(tmp_path / "moved")}
    )
    claude(moved, USER)
    enable(tmp_path / "moved" / "settings.json")
    assert (find(moved, "claude"), find(around, "claude")) == ("/cache/0.1.0", "")


@pytest.mark.parametrize(
    ("project", "found"), [("here", True), ("elsewhere", False)], ids=["here", "elsewhere"]
)
def test_claude_for_a_project(around: Surroundings, project: str, found: bool) -> None:
    path = str(around.project) if project == "here" else "/elsewhere"
    claude(around, {**USER, "scope": "project", "projectPath": path})
    enable(around.project / ".claude" / "settings.json")
    assert bool(find(around, "claude")) == found


def test_claude_disabled_for_a_project(around: Surroundings) -> None:
    claude(around, USER)
    enable(claude_home(around) / "settings.json")
    enable(around.project / ".claude" / "settings.local.json", False)
    assert find(around, "claude") == ""


def test_claude_never_enabled(around: Surroundings) -> None:
    claude(around, USER)
    assert find(around, "claude") == ""


def test_another_plugin_of_a_similar_name(around: Surroundings) -> None:
    claude(around, USER, name="session-memory-hooks-2@x")
    write(
        claude_home(around) / "settings.json",
        {"enabledPlugins": {"session-memory-hooks-2@x": True}},
    )
    assert find(around, "claude") == ""


@pytest.mark.parametrize("on", [True, False])
def test_copilot_from_a_marketplace(around: Surroundings, on: bool) -> None:
    enable(copilot_home(around) / "settings.json", on)
    copy = copilot_home(around) / "installed-plugins" / "session-memory-hooks"
    assert find(around, "copilot") == (str(copy / "session-memory-hooks") if on else "")


def test_name_that_a_removed_plugin_of_copilot_leaves_behind(around: Surroundings) -> None:
    enable(copilot_home(around) / "settings.json", False)
    assert plugins.installed(around) == []


DIRECT = {"name": "session-memory-hooks", "marketplace": "", "enabled": True, "cache_path": "/c"}
HEAD = "// User settings belong in settings.json.\n"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        pytest.param({}, "/c", id="installed"),
        pytest.param({"enabled": False}, "", id="disabled"),
        pytest.param({"marketplace": "m"}, "/c", id="of-a-marketplace"),
        pytest.param({"name": "other"}, "", id="other"),
    ],
)
def test_copilot_from_a_folder(around: Surroundings, change: dict[str, Any], found: str) -> None:
    write(
        copilot_home(around) / "config.json", {"installedPlugins": [1, {**DIRECT, **change}]}, HEAD
    )
    assert find(around, "copilot") == found


@pytest.mark.parametrize("folder", [".config/Code", "Library/Application Support/Cursor"])
def test_vscode(around: Surroundings, folder: str) -> None:
    plugin = around.home / folder / "agentPlugins/github.com/someone/session-memory-hooks"
    write(plugin / "hooks.json", {})
    assert find(around, "vscode") == str(plugin)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"plugins": [], "enabledPlugins": 1, "installedPlugins": {}}', "\0"]
)
def test_files_of_another_form_tell_nothing(around: Surroundings, text: str) -> None:
    for path in (
        claude_home(around) / "plugins" / "installed_plugins.json",
        claude_home(around) / "settings.json",
        copilot_home(around) / "settings.json",
        copilot_home(around) / "config.json",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert [find(around, host) for host in ("claude", "copilot")] == ["", ""]


def test_installations_of_another_form_tell_nothing(around: Surroundings) -> None:
    listed = {"plugins": {NAME: "x", f"{NAME}2": [1]}}
    write(claude_home(around) / "plugins" / "installed_plugins.json", listed)
    enable(claude_home(around) / "settings.json")
    assert find(around, "claude") == ""
