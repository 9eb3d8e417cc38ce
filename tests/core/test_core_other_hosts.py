"""Codex CLI and Gemini CLI: payloads of the documented shapes, through the entry points.

Neither client was run. The shapes are those of Codex's generated schemas and of Gemini CLI's hooks
reference; members that no hook reads are there because a client sends them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hygiene.plugin_repository import PluginRepository
from session_memory.core import hosts
from support import Hook, Repository

PATCH = "*** Begin Patch\n*** Update File: agents/a.md\n@@\n-# Agent\n+# An agent\n*** End Patch\n"
QUESTIONS = {"questions": [{"question": "Which colour?", "header": "Colour"}]}


@dataclass(frozen=True)
class Client:
    """How a client calls the events, and what it sends with each of them."""

    host: str
    events: dict[str, str]
    common: dict[str, Any]
    in_turn: dict[str, Any]

    def payload(self, entry: str, repo: Repository, **members: object) -> dict[str, Any]:
        turn = {} if entry == "session_start" else self.in_turn
        named = {"hook_event_name": self.events[entry], "cwd": str(repo.root)}
        return {**self.common, **turn, **named, **members}


CODEX = Client(
    hosts.CODEX,
    {
        "session_start": "SessionStart",
        "user_prompt_submit": "UserPromptSubmit",
        "post_tool_use": "PostToolUse",
    },
    {
        "session_id": "0199a213",
        "transcript_path": None,
        "model": "gpt-5.4-codex",
        "permission_mode": "default",
    },
    {"turn_id": "turn-1"},
)
GEMINI = Client(
    hosts.GEMINI,
    {
        "session_start": "SessionStart",
        "user_prompt_submit": "BeforeAgent",
        "post_tool_use": "AfterTool",
    },
    {
        "session_id": "0199a213",
        "transcript_path": "/home/dev/.gemini/tmp/chats/session.json",
        "timestamp": "2026-11-30T12:00:00.000Z",
    },
    {},
)
KEY = "s-0199a213"

clients = pytest.mark.parametrize("client", [CODEX, GEMINI], ids=lambda client: client.host)

# Tool name, arguments, and what the client tells of the result.
EDITS: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "codex": ("apply_patch", {"command": PATCH}, {"turn_id": "turn-1", "tool_response": "Done"}),
    "codex, as its model calls it": ("apply_patch", {"input": PATCH}, {"tool_response": "Done"}),
    "gemini write": ("write_file", {"file_path": "agents/a.md", "content": "# An agent\n"}, {}),
    "gemini replace": (
        "replace",
        {"file_path": "agents/a.md", "old_string": "Agent", "new_string": "An agent"},
        {"tool_response": {"llmContent": "Done", "returnDisplay": "Done"}},
    ),
}


@pytest.fixture
def untidy(repo: Repository) -> Repository:
    """A repository that the start-up check has something to say about."""
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    return repo


def assert_dialect(done: Hook, event: str) -> None:
    """Codex takes no member that its schema does not list; Gemini CLI gets its own event name."""
    assert (done.code, done.stderr) == (0, b"")
    assert done.answer
    assert set(done.answer) == {"hookSpecificOutput"}
    assert set(done.answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert done.answer["hookSpecificOutput"]["hookEventName"] == event


@clients
@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_start_is_answered_and_marked(
    client: Client, source: str, untidy: Repository, hook: Callable[..., Hook]
) -> None:
    done = hook("session_start", client.payload("session_start", untidy, source=source))

    assert_dialect(done, "SessionStart")
    assert "Start-up check" in done.context
    assert (untidy.session / f"session-startup-check-complete-{KEY}.md").stat().st_size


@clients
def test_prompt_is_answered_under_the_name_of_its_event(
    client: Client, untidy: Repository, hook: Callable[..., Hook]
) -> None:
    done = hook("user_prompt_submit", client.payload("user_prompt_submit", untidy, prompt="hello"))

    assert_dialect(done, client.events["user_prompt_submit"])
    marker = untidy.session / f"session-startup-check-complete-{KEY}.md"
    assert f'host: "{client.host}"' in marker.read_text("utf-8")


@clients
def test_prompt_after_a_start_is_not_told_again(
    client: Client, untidy: Repository, hook: Callable[..., Hook]
) -> None:
    hook("session_start", client.payload("session_start", untidy, source="startup"))

    hook(
        "user_prompt_submit", client.payload("user_prompt_submit", untidy, prompt="hello")
    ).assert_quiet()


@pytest.mark.parametrize("edit", EDITS)
def test_edit_of_an_entry_point_is_answered(
    edit: str, tmp_path: Path, hook: Callable[..., Hook]
) -> None:
    plugin = PluginRepository.released(tmp_path / "plugin")
    client = CODEX if edit.startswith("codex") else GEMINI
    tool, arguments, rest = EDITS[edit]
    members = {"tool_name": tool, "tool_input": arguments, **rest}

    done = hook("post_tool_use", client.payload("post_tool_use", plugin, **members))

    assert_dialect(done, client.events["post_tool_use"])
    assert "`agents/a.md` is an entry point" in done.context


@pytest.mark.parametrize("tool", ["read_file", "run_shell_command", "Bash", "update_plan"])
@clients
def test_other_tools_are_left_alone(
    client: Client, tool: str, repo: Repository, hook: Callable[..., Hook]
) -> None:
    members = {"tool_name": tool, "tool_input": {"file_path": "agents/a.md"}}

    hook("post_tool_use", client.payload("post_tool_use", repo, **members)).assert_quiet()


def test_question_of_gemini_is_recorded(repo: Repository, hook: Callable[..., Hook]) -> None:
    members = {"tool_name": "ask_user", "tool_input": QUESTIONS}

    hook("post_tool_use", GEMINI.payload("post_tool_use", repo, **members)).assert_quiet()

    (record,) = repo.log(KEY)
    assert (record["host"], record["question_count"]) == (hosts.GEMINI, 1)


@pytest.mark.parametrize("event", ["BeforeTool", "AfterAgent", "BeforeModel", "SessionEnd"])
@pytest.mark.parametrize("entry", sorted(GEMINI.events))
def test_other_events_of_gemini_are_left_alone(
    entry: str, event: str, untidy: Repository, hook: Callable[..., Hook]
) -> None:
    payload = GEMINI.payload(entry, untidy, hook_event_name=event, prompt="hello")

    hook(entry, payload).assert_quiet()

    assert not untidy.session.exists()
