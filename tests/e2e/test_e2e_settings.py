"""Doctor and the clients agree on which settings let the hooks run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.editors.editor import Editor
from e2e.workspace import Workspace
from session_memory.core.checkout import locate
from session_memory.doctor.registrations import Registry
from session_memory.editors.surroundings import Surroundings

Change = Callable[[Workspace, Path], None]
OFF = {"disableAllHooks": True}


def comment(_: Workspace, settings: Path) -> None:
    settings.write_text("// mine\n" + settings.read_text("utf-8"), "utf-8")


def byte_order_mark(_: Workspace, settings: Path) -> None:
    settings.write_text("\ufeff" + settings.read_text("utf-8"), "utf-8")


def another_version(_: Workspace, settings: Path) -> None:
    settings.write_text(json.dumps({**json.loads(settings.read_text("utf-8")), "version": 2}))


def off_in_the_repository(workspace: Workspace, _: Path) -> None:
    workspace.repository.write(".claude/settings.local.json", json.dumps(OFF))


def on_again_in_the_repository(workspace: Workspace, settings: Path) -> None:
    settings.write_text(json.dumps({**json.loads(settings.read_text("utf-8")), **OFF}), "utf-8")
    on = json.dumps({"disableAllHooks": False})
    workspace.repository.write(".claude/settings.local.json", on)


def variable(workspace: Workspace, _: Path) -> None:
    env = {"env": {"SESSION_MEMORY_DISABLE": "1"}}
    workspace.repository.write(".claude/settings.local.json", json.dumps(env))


def agree(editor: Editor, host: str, settings: Path, change: Change) -> bool:
    """Whether the client ran the hooks, which is what doctor says."""
    editor.options = []
    editor.register()
    change(editor.workspace, settings)
    root = editor.workspace.scene.root
    around = Surroundings(root, editor.workspace.home, {}, locate(str(root)))
    editor.run("hello")
    ran = editor.workspace.markers() != []
    assert ran == any(file.host == host for file in Registry(around).active)
    return ran


@pytest.mark.parametrize(
    ("change", "runs"),
    [
        (comment, False),
        (byte_order_mark, True),
        (off_in_the_repository, False),
        (on_again_in_the_repository, True),
        (variable, False),
    ],
)
def test_claude(claude: Editor, change: Change, runs: bool) -> None:
    settings = claude.workspace.home / ".claude" / "settings.json"
    assert agree(claude, "claude", settings, change) == runs


@pytest.mark.parametrize(
    ("change", "runs"),
    [
        (comment, False),
        (byte_order_mark, False),
        (another_version, False),
        (off_in_the_repository, False),
        (variable, True),
    ],
)
def test_copilot(copilot: Editor, change: Change, runs: bool) -> None:
    home = copilot.workspace.home / ".copilot"
    home.mkdir(exist_ok=True)
    trusted = {"trustedFolders": [str(copilot.workspace.scene.root)]}
    (home / "config.json").write_text(json.dumps(trusted), "utf-8")
    settings = home / "hooks" / "session-memory.json"
    assert agree(copilot, "copilot", settings, change) == runs
