"""What is registered with the editors, as files and as commands that really run."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from session_memory import __version__
from session_memory.core.deadline import BUDGET_S
from session_memory.core.guard import EVENT_NAMES
from session_memory.events.post_tool_use import EDIT_TOOLS, QUESTION_TOOLS
from support import HOOKS, ROOT, Repository, clean_environment

CLAUDE = ROOT / "hooks" / "hooks.json"
COPILOT = ROOT / "hooks.json"
CLAUDE_PLUGIN = ROOT / ".claude-plugin" / "plugin.json"
COPILOT_PLUGIN = ROOT / ".github" / "plugin" / "plugin.json"
MARKETPLACE = ROOT / ".claude-plugin" / "marketplace.json"
FILES = (CLAUDE, COPILOT, CLAUDE_PLUGIN, COPILOT_PLUGIN, MARKETPLACE)

ENTRIES = {event: entry for entry, event in EVENT_NAMES.items()}
needs_sh = pytest.mark.skipif(not shutil.which("sh"), reason="no POSIX shell")


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def commands(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event with every handler registered for it, matcher groups resolved."""
    for event, items in load(path)["hooks"].items():
        for item in items:
            for handler in item.get("hooks", [item]):
                yield event, handler


def launcher_number(name: str) -> int:
    found = re.search(rf"^{name}=(\d+)", (HOOKS / "run").read_text("utf-8"), re.MULTILINE)
    assert found
    return int(found[1])


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_json_file_has_no_byte_order_mark_and_unix_line_ends(path: Path) -> None:
    data = path.read_bytes()
    assert data.startswith(b"{")
    assert b"\r" not in data
    assert data.endswith(b"}\n")


def test_versions_agree() -> None:
    (listed,) = load(MARKETPLACE)["plugins"]
    manifests = (load(CLAUDE_PLUGIN), load(COPILOT_PLUGIN), listed)
    assert {manifest["version"] for manifest in manifests} == {__version__}
    assert {manifest["name"] for manifest in manifests} == {"session-memory-hooks"}


def test_marketplace_installs_from_its_own_folder() -> None:
    assert load(MARKETPLACE)["plugins"][0]["source"] == "./"


def test_marketplace_is_readable_for_old_clients() -> None:
    """Claude Code 2.1.112 refuses the whole file for a key that it does not know."""
    assert set(load(MARKETPLACE)) <= {"name", "owner", "metadata", "plugins"}


def test_claude_finds_its_hooks_by_itself() -> None:
    assert "hooks" not in load(CLAUDE_PLUGIN)


def test_copilot_is_told_where_its_hooks_are() -> None:
    assert ROOT / load(COPILOT_PLUGIN)["hooks"] == COPILOT


@pytest.mark.parametrize("path", [CLAUDE, COPILOT], ids=name_of)
def test_only_events_that_the_oldest_clients_know(path: Path) -> None:
    """Claude Code up to 2.1.197 drops the whole file for an unknown event."""
    assert set(load(path)["hooks"]) == set(ENTRIES)


def test_claude_entries_are_matcher_groups_of_one_command() -> None:
    for groups in load(CLAUDE)["hooks"].values():
        for group in groups:
            assert set(group) <= {"matcher", "hooks"}
            (handler,) = group["hooks"]
            # With "args" a client that ignores them would run a bare interpreter on the payload.
            assert set(handler) == {"type", "command", "windows", "timeout"}
            assert handler["type"] == "command"


def test_copilot_entries_are_flat() -> None:
    assert load(COPILOT)["version"] == 1
    expected = {"type", "command", "windows", "powershell", "timeout", "timeoutSec"}
    for _, entry in commands(COPILOT):
        assert set(entry) - {"matcher"} == expected
        assert entry["timeout"] == entry["timeoutSec"]
        assert entry["windows"] == entry["powershell"]


@pytest.mark.parametrize("path", [CLAUDE, COPILOT], ids=name_of)
def test_commands_differ_in_the_entry_only(path: Path) -> None:
    for kind in ("command", "windows"):
        texts = {
            handler[kind].replace(ENTRIES[event], "ENTRY") for event, handler in commands(path)
        }
        assert len(texts) == 1


@pytest.mark.parametrize("path", [CLAUDE, COPILOT], ids=name_of)
def test_timeout_leaves_room_for_the_search_and_the_hook(path: Path) -> None:
    search = launcher_number("PROBES") * launcher_number("PROBE_S")
    for event, handler in commands(path):
        assert handler["timeout"] > search + BUDGET_S[ENTRIES[event]]
        assert handler["timeout"] <= 30  # what the hosts themselves give to a prompt


def test_claude_matchers_name_its_own_tools() -> None:
    groups = load(CLAUDE)["hooks"]
    assert [group["matcher"] for group in groups["PostToolUse"]] == [
        "^(Edit|Write|MultiEdit)$",
        "^AskUserQuestion$",
    ]
    assert all("matcher" not in group for group in groups["SessionStart"])


def test_copilot_matcher_is_what_the_hook_itself_looks_for() -> None:
    (entry,) = load(COPILOT)["hooks"]["PostToolUse"]
    assert set(entry["matcher"].strip("^()$").split("|")) == EDIT_TOOLS | QUESTION_TOOLS


# --- the commands, run by a real shell ---------------------------------------------------------


def claude_command(event: str, root: Path) -> str:
    """As clients do that put the path into the text themselves."""
    command = next(handler["command"] for name, handler in commands(CLAUDE) if name == event)
    assert '"${CLAUDE_PLUGIN_ROOT}' in command
    return str(command.replace("${CLAUDE_PLUGIN_ROOT}", root.as_posix()))


def copilot_command(event: str) -> str:
    return next(str(entry["command"]) for name, entry in commands(COPILOT) if name == event)


def run(command: str, cwd: Path, **env: str) -> "subprocess.CompletedProcess[bytes]":
    base = clean_environment(cwd)
    if "HOME" in env:
        base["HOME"] = env.pop("HOME")
    payload = {
        "session_id": "one",
        "hook_event_name": "PostToolUse",
        "cwd": str(cwd),
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which?"}]},
        "tool_use_id": "t1",
    }
    return subprocess.run(
        ["sh", "-c", command],
        input=json.dumps(payload).encode(),
        env={**base, **env},
        cwd=cwd,
        capture_output=True,
        timeout=30,
        check=False,
    )


def assert_silent(done: "subprocess.CompletedProcess[bytes]") -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plugin under a path that needs quotes."""
    root = tmp_path / "First Last's & co" / "plug in"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("hooks", "lib"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    return root


@needs_sh
def test_claude_command_runs_the_hook(repo: Repository, plugin: Path) -> None:
    assert_silent(run(claude_command("PostToolUse", plugin), repo.root))
    assert len(repo.log("s-one")) == 1


@needs_sh
@pytest.mark.parametrize("event", ENTRIES)
def test_claude_command_is_silent_when_the_plugin_is_gone(event: str, tmp_path: Path) -> None:
    """An update removes the folder of a running session; exit 2 would block every prompt."""
    assert_silent(run(claude_command(event, tmp_path / "gone"), tmp_path))


@needs_sh
@pytest.mark.parametrize("name", ["PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"])
def test_copilot_command_takes_any_of_the_root_variables(
    repo: Repository, plugin: Path, name: str
) -> None:
    assert_silent(run(copilot_command("PostToolUse"), repo.root, **{name: str(plugin)}))
    assert len(repo.log("s-one")) == 1


@needs_sh
def test_copilot_command_passes_over_a_root_without_the_hooks(
    repo: Repository, plugin: Path, tmp_path: Path
) -> None:
    roots = {"PLUGIN_ROOT": str(tmp_path), "CLAUDE_PLUGIN_ROOT": str(plugin)}
    assert_silent(run(copilot_command("PostToolUse"), repo.root, **roots))
    assert len(repo.log("s-one")) == 1


@needs_sh
@pytest.mark.parametrize("event", ENTRIES)
def test_copilot_command_without_a_plugin_is_silent(event: str, tmp_path: Path) -> None:
    assert_silent(run(copilot_command(event), tmp_path, HOME=str(tmp_path)))


def both_commands(event: str, root: Path) -> list[str]:
    return [claude_command(event, root), copilot_command(event)]


@needs_sh
@pytest.mark.parametrize("text", ["if true; then", "exit 2\n", "\0\1("], ids=["torn", "2", "zeros"])
@pytest.mark.parametrize("event", ENTRIES)
def test_commands_end_in_0_whatever_the_launcher_does(
    event: str, text: str, tmp_path: Path
) -> None:
    """The launcher may be half written just now."""
    launcher = tmp_path / "hooks" / "run"
    launcher.parent.mkdir()
    launcher.write_text(text, encoding="utf-8")
    for command in both_commands(event, tmp_path):
        done = run(command, tmp_path, PLUGIN_ROOT=str(tmp_path))
        assert (done.returncode, done.stdout) == (0, b"")


@needs_sh
def test_copilot_command_does_not_look_below_the_root_folder(tmp_path: Path) -> None:
    """Unset variables would leave paths such as /hooks/run and /.config."""
    trace = subprocess.run(
        ["sh", "-x", "-c", copilot_command("SessionStart")],
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert trace.returncode == 0
    assert re.search(rb"[ \"']/(hooks|\.config|Code|Library)", trace.stderr) is None
