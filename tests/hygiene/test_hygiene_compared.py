"""Later edits of a conversation are spared the work that nothing has changed."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hygiene.plugin_repository import BUMP_SCRIPT, CountedGit, PluginRepository, edit
from session_memory.hygiene.compared import facts_of, has_version, is_current, note
from support import Hook

RunHook = Callable[..., Hook]


def age(root: Path, seconds: float = 60) -> None:
    """Make every file look as old as it would be in real life."""
    then = time.time() - seconds
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (then, then))


@pytest.fixture
def plugin(tmp_path: Path) -> PluginRepository:
    made = PluginRepository.released(tmp_path / "plugin")
    age(made.root)
    return made


def noted(plugin: PluginRepository) -> Any:
    return json.loads((plugin.state_folder / "release-hygiene-s.compared").read_bytes())


def test_reminder_leaves_a_note(plugin: PluginRepository, hook: RunHook) -> None:
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    note = noted(plugin)
    assert note["version"] == "1.0.0"
    assert {"pyproject.toml", BUMP_SCRIPT, "plugin.json", "README.md"} <= set(note["files"])
    assert is_current(note, str(plugin.root))


def test_later_files_are_still_recorded(plugin: PluginRepository, hook: RunHook) -> None:
    for name in ("a", "b", "a"):
        hook("post_tool_use", edit(plugin.root / f"agents/{name}.md"))
    assert plugin.decision("s")["touched_files"] == ["agents/a.md", "agents/b.md"]


def test_later_edits_read_no_managed_file(plugin: PluginRepository, hook: RunHook) -> None:
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    path = plugin.root / "plugin.json"
    facts = path.stat()
    path.write_bytes(b"x" * facts.st_size)  # what only a look inside could tell
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    hook("post_tool_use", edit(plugin.root / "agents/a.md")).assert_quiet()
    assert noted(plugin)["files"]["plugin.json"] == [facts.st_mtime_ns, facts.st_size, facts.st_ino]


def test_bump_is_seen(plugin: PluginRepository, hook: RunHook) -> None:
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    plugin.bump("1.0.1")
    hook("post_tool_use", edit(plugin.root / "agents/a.md")).assert_quiet()
    assert "symmetric_bump_credit" in plugin.decision("s")


@pytest.mark.parametrize("name", [".session-memory.toml", "pyproject.toml"])
def test_new_settings_are_seen(plugin: PluginRepository, hook: RunHook, name: str) -> None:
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    plugin.write(name, "[tool.session-memory]\nbump_comand = 1\n")
    assert b"unknown setting" in hook("post_tool_use", edit(plugin.root / "agents/a.md")).stderr


def test_lost_state_makes_it_speak_again(plugin: PluginRepository, hook: RunHook) -> None:
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    (plugin.state_folder / "release-hygiene-s.json").unlink()
    assert hook("post_tool_use", edit(plugin.root / "agents/a.md")).context


def test_files_of_a_moment_ago_are_read_again(plugin: PluginRepository, hook: RunHook) -> None:
    plugin.bump("1.0.0")
    git = CountedGit.install(plugin.root.parent / "bin")
    hook("post_tool_use", edit(plugin.root / "agents/a.md"), env=git.env)
    assert noted(plugin) == {"version": "1.0.0", "files": {}}
    age(plugin.root)
    hook("post_tool_use", edit(plugin.root / "agents/a.md"), env=git.env)
    assert noted(plugin)["files"]
    assert len(git.calls) == 1


def test_worktrees_have_files_of_their_own(plugin: PluginRepository, hook: RunHook) -> None:
    linked = plugin.worktree("linked", "topic")
    hook("post_tool_use", edit(plugin.root / "agents/a.md"))
    linked.bump("1.0.1")
    hook("post_tool_use", edit(linked.root / "agents/b.md")).assert_quiet()
    assert "symmetric_bump_credit" in plugin.decision("s")


def linked(path: Path) -> Path:
    link = path.with_name("link")
    link.symlink_to("old")
    return link


CHANGES: dict[str, Callable[[Path], object]] = {
    "same size": lambda path: path.write_text("1.0.1"),
    "longer": lambda path: path.write_text("1.0.10"),
    "removed": lambda path: path.unlink(),
    "replaced by an old file": lambda path: path.with_name("old").replace(path),
    "replaced by a link": lambda path: os.replace(linked(path), path),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_tells(tmp_path: Path, change: Callable[[Path], object]) -> None:
    (tmp_path / "file").write_text("1.0.0")
    (tmp_path / "old").write_text("0.9.0")
    age(tmp_path)
    made = note("1", facts_of(str(tmp_path), ("file", "absent")))
    assert is_current(made, str(tmp_path))
    change(tmp_path / "file")
    assert not is_current(made, str(tmp_path))


def test_a_new_file_tells(tmp_path: Path) -> None:
    made = note("1", facts_of(str(tmp_path), ("absent",)))
    (tmp_path / "absent").touch()
    assert not is_current(made, str(tmp_path))


@pytest.mark.parametrize(
    "found",
    [
        None,
        {},
        {"version": "1"},
        {"files": []},
        {"files": {}},
        {"files": {"a\0b": [1, 2, 3]}},
        {"files": {str(n): None for n in range(33)}},
        {"files": {"/etc/passwd": None}},
    ],
    ids=str,
)
def test_unusable_note_spares_nothing(tmp_path: Path, found: dict[str, object] | None) -> None:
    assert not is_current(found, str(tmp_path))


@pytest.mark.parametrize(("found", "known"), [(None, False), ({}, False), ({"version": "1"}, True)])
def test_version(found: dict[str, object] | None, known: bool) -> None:
    assert has_version(found, "1") is known
