"""The registrations for hosts without an installer work as they stand."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

import markdown_pages as md
from session_memory.core.guard import EVENT_NAMES, declines
from session_memory.events.post_tool_use import EDIT_TOOLS, GEMINI_EDIT_TOOLS, QUESTION_TOOLS
from support import ROOT, Repository, clean_environment

PLACEHOLDER = "/path/to/session-memory-hooks"
PAGE = ROOT / "docs" / "other-hosts.md"
CODEX, GEMINI = (json.loads(block.text)["hooks"] for block in md.blocks("json", PAGE))
REGISTRATIONS = [
    pytest.param(host, event, group.get("matcher", ""), handler, id=label)
    for host, events in (("codex", CODEX), ("gemini", GEMINI))
    for event, groups in events.items()
    for group in groups
    for handler in group["hooks"]
    for label in [f"{host} {event}"]
]
registrations = pytest.mark.parametrize(("host", "event", "matcher", "handler"), REGISTRATIONS)


def entry_of(handler: dict[str, Any]) -> str:
    return str(handler["command"].partition(";")[0].rpartition(" ")[2])


@registrations
def test_event_is_one_that_its_hook_answers(
    host: str, event: str, matcher: str, handler: dict[str, Any]
) -> None:
    assert entry_of(handler) in EVENT_NAMES
    assert not declines(entry_of(handler), event)
    # Codex counts seconds, Gemini CLI milliseconds.
    seconds = handler["timeout"] / (1000 if host == "gemini" else 1)
    assert 20 <= seconds <= 30


@registrations
def test_matcher_names_tools_that_the_hook_knows(
    host: str, event: str, matcher: str, handler: dict[str, Any]
) -> None:
    tools = {tool for tool in matcher.strip("^()$").split("|") if tool}
    assert tools <= EDIT_TOOLS | GEMINI_EDIT_TOOLS | QUESTION_TOOLS
    assert bool(tools) == (entry_of(handler) == "post_tool_use")
    if host == "gemini" and tools:
        assert tools > GEMINI_EDIT_TOOLS


@pytest.mark.skipif(os.name == "nt" or not shutil.which("sh"), reason="no POSIX shell")
@registrations
def test_command_runs_the_hook(
    host: str, event: str, matcher: str, handler: dict[str, Any], repo: Repository
) -> None:
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    home = repo.root.parent
    bundle = home / "a folder"
    bundle.symlink_to(ROOT)
    turn = {"turn_id": "1"} if host == "codex" else {"timestamp": "2026-11-30T12:00:00.000Z"}
    payload = {"session_id": "one", "cwd": str(repo.root), "hook_event_name": event, **turn}
    asked = {"tool_name": "ask_user", "tool_input": {"message": "Which?"}}

    done = subprocess.run(
        ["/bin/sh", "-c", handler["command"].replace(PLACEHOLDER, str(bundle))],
        input=json.dumps({**payload, "prompt": "hello", "source": "startup", **asked}).encode(),
        env=clean_environment(home),
        cwd=home,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    if matcher:
        assert (done.stdout, len(repo.log("s-one"))) == (b"", 1)
    else:
        assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == event


@pytest.mark.skipif(os.name == "nt" or not shutil.which("sh"), reason="no POSIX shell")
@registrations
def test_command_blocks_nothing_once_the_clone_is_gone(
    host: str, event: str, matcher: str, handler: dict[str, Any]
) -> None:
    done = subprocess.run(["/bin/sh", "-c", handler["command"]], capture_output=True, check=False)

    assert (done.returncode, done.stdout) == (0, b"")
