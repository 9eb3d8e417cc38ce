"""Telling the hosts apart, and one event out of every dialect."""

import json
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import hosts
from session_memory.core.payload import Event
from support import PAYLOADS

OURS = ("sessionstart", "userpromptsubmit", "posttooluse")
CAPTURED = sorted(
    path
    for path in PAYLOADS.rglob("*.json")
    if any(f"-{name}" in f"-{path.stem.lower()}-" for name in OURS)
    and "failure" not in path.stem.lower()
)


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: str(path.relative_to(PAYLOADS)))
def test_captured_payloads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captured = json.loads(path.read_text("utf-8"))
    monkeypatch.setattr(hosts, "environ", lambda name: "1" * (name in captured["env_names"]))
    expected = hosts.CLAUDE if captured["host"] == "claude-code" else hosts.COPILOT_CLI
    assert Event(captured["stdin"]).host == expected


@pytest.mark.parametrize(
    ("payload", "host"),
    [
        pytest.param({"hook_event_name": "PostToolUse", "session_id": "x"}, "claude", id="claude"),
        pytest.param({}, "claude", id="nothing known"),
        pytest.param({"hook_event_name": ["AfterTool"]}, "claude", id="event is a list"),
        pytest.param({"hook_event_name": {}}, "claude", id="event is an object"),
        pytest.param({"sessionId": "x", "timestamp": 1, "cwd": "/"}, "copilot-cli", id="camel"),
        pytest.param({"timestamp": "t", "tool_result": {}}, "copilot-cli", id="pascal"),
        pytest.param({"timestamp": "t", "initial_prompt": ""}, "copilot-cli", id="pascal start"),
        pytest.param({"hookEventName": "PostToolUse", "sessionId": "x"}, "vscode", id="old vscode"),
        pytest.param({"timestamp": "t", "tool_use_id": "x"}, "vscode", id="vscode tool"),
        pytest.param({"timestamp": "t", "transcript_path": "x"}, "vscode", id="vscode prompt"),
        pytest.param({"timestamp": "t", "prompt": "x"}, "copilot", id="either"),
        pytest.param({"turn_id": "1", "hook_event_name": "PostToolUse"}, "codex", id="codex"),
        pytest.param({"hook_event_name": "AfterTool", "timestamp": "t"}, "gemini", id="gemini"),
    ],
)
def test_shapes(payload: dict[str, Any], host: str) -> None:
    assert hosts.detect(payload) == host


def test_the_environment_breaks_a_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "environ", lambda name: "1" * (name == "COPILOT_CLI"))
    assert hosts.detect({"timestamp": "t", "prompt": "x"}) == hosts.COPILOT_CLI
    assert hosts.detect({"prompt": "x"}) == hosts.CLAUDE


def test_a_host_can_be_named() -> None:
    assert Event({"turn_id": 1}, "vscode").host == "vscode"


@pytest.mark.parametrize("value", [None, 7, True, [], {}, ""])
def test_a_value_of_the_wrong_type_is_a_missing_one(value: object) -> None:
    names = ("session_id", "cwd", "prompt", "tool_name", "tool_use_id", "agent_id", "source")
    event = Event(dict.fromkeys(names, value))
    assert {getattr(event, name) for name in names} == {""}


def test_the_second_spelling_serves_when_the_first_is_empty() -> None:
    assert Event({"session_id": "", "sessionId": "x"}).session_id == "x"


@pytest.mark.parametrize(
    ("payload", "arguments"),
    [
        ({"tool_input": {"a": 1}}, {"a": 1}),
        ({"toolArgs": {"a": 1}}, {"a": 1}),
        ({"toolArgs": '{"path":"README.md"}'}, {"path": "README.md"}),
        ({"toolArgs": "*** Begin Patch\n"}, "*** Begin Patch\n"),
        ({"tool_input": "[1]"}, "[1]"),
        ({"tool_input": "{} and more"}, "{} and more"),
        ({"tool_input": None}, {}),
        ({"tool_input": [1]}, {}),
        ({}, {}),
    ],
)
def test_arguments_in_any_wrapping(payload: dict[str, Any], arguments: object) -> None:
    assert Event(payload).tool_arguments() == arguments


def test_texts_can_be_written() -> None:
    assert Event({"prompt": "half \ud83d pair"}).prompt == "half \ufffd pair"


def test_long_ids_are_bounded_and_stay_apart() -> None:
    one, other = (Event({"tool_use_id": "t" * 5000 + last}).tool_use_id for last in "ab")
    assert one != other
    assert len(one) == len(other) == 200
