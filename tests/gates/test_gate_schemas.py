"""What the hooks write is what the schemas of question events and diagnostics say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from session_memory import schemas
from session_memory.core import diagnostics, guard, hosts, key
from session_memory.gates.questions import EVENT_TYPE
from support import Hook, Repository

EVENT = schemas.load("question-event")
DIAGNOSTIC = schemas.load("hook-diagnostic")

RECORD: dict[str, Any] = {
    "event_type": EVENT_TYPE,
    "tool_name": "AskUserQuestion",
    "session_key": "s-abc",
    "question_digest": "0126b8617ccbd61b",
    "timestamp": "2026-06-02T00:00:00Z",
    "question_count": 2,
    "key_rung": "session_id",
    "host": "claude",
    "agent_id": "a1",
    "tool_use_id": "toolu_1",
}
REPORT: dict[str, Any] = {
    "timestamp": "2026-06-02T00:00:00Z",
    "entry": "post_tool_use",
    "message": "question event not recorded: No space left on device",
    "host": "claude",
    "session_key": "session",
    "key_rung": "session",
}

NEAR_MISSES = {
    "question text": {"question": "Which order?"},
    "digest of another length": {"question_digest": "0126b8617ccbd61b00"},
    "digest with a line feed": {"question_digest": "0126b8617ccbd61b\n"},
    "digest without a question": {"question_count": 0},
    "question without a digest": {"question_digest": ""},
    "unknown rung": {"key_rung": "issue"},
    "key of another rung": {"key_rung": "branch_slug"},
    "key without a prefix": {"session_key": "abc"},
    "key with a slash": {"session_key": "s-a/b"},
    "negative count": {"question_count": -1},
    "local time": {"timestamp": "2026-06-02T00:00:00"},
    "unknown host": {"host": "emacs"},
    "another event": {"event_type": "question"},
    "empty agent": {"agent_id": ""},
}
MISSED_REPORTS = {
    "traceback": {"traceback": "…"},
    "long message": {"message": "x" * 401},
    "no message": {"message": ""},
    "unknown entry": {"entry": "stop"},
    "unknown rung": {"key_rung": "issue"},
    "key of another rung": {"session_key": "s-abc"},
}


@pytest.mark.parametrize("schema", [EVENT, DIAGNOSTIC], ids=["event", "diagnostic"])
def test_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_schemas_know_every_name_of_the_code() -> None:
    rungs = [key.SESSION_ID, key.BRANCH, key.SHA, key.LAST_RESORT]
    for schema in (EVENT, DIAGNOSTIC):
        assert schema["properties"]["host"]["enum"] == list(hosts.NAMES)
        assert schema["properties"]["key_rung"]["enum"] == rungs
    assert DIAGNOSTIC["properties"]["entry"]["enum"] == list(guard.EVENT_NAMES)


def test_whole_event() -> None:
    Draft202012Validator(EVENT).validate(RECORD)


@pytest.mark.parametrize("change", NEAR_MISSES.values(), ids=NEAR_MISSES)
def test_near_miss_of_an_event(change: dict[str, Any]) -> None:
    assert not Draft202012Validator(EVENT).is_valid({**RECORD, **change})


@pytest.mark.parametrize("name", EVENT["required"])
def test_event_without(name: str) -> None:
    record = {field: value for field, value in RECORD.items() if field != name}
    assert not Draft202012Validator(EVENT).is_valid(record)


def test_whole_diagnostic() -> None:
    Draft202012Validator(DIAGNOSTIC).validate(REPORT)


@pytest.mark.parametrize("change", MISSED_REPORTS.values(), ids=MISSED_REPORTS)
def test_near_miss_of_a_diagnostic(change: dict[str, Any]) -> None:
    assert not Draft202012Validator(DIAGNOSTIC).is_valid({**REPORT, **change})


@pytest.mark.parametrize("name", DIAGNOSTIC["required"])
def test_diagnostic_without(name: str) -> None:
    report = {field: value for field, value in REPORT.items() if field != name}
    assert not Draft202012Validator(DIAGNOSTIC).is_valid(report)


QUESTIONS = {
    "claude": {
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "One?"}, {"question": "Two?"}]},
        "tool_use_id": "toolu_1",
        "agent_id": "a1",
    },
    "copilot-cli": {"toolName": "ask_user", "toolArgs": '{"message": "One?"}'},
    "no question": {"tool_name": "AskUserQuestion", "tool_input": {}},
    "empty question": {"tool_name": "AskUserQuestion", "tool_input": {"questions": [""]}},
    "nothing but punctuation as an id": {
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": "One?"},
        "session_id": "///",
    },
}


@pytest.mark.parametrize("payload", QUESTIONS.values(), ids=QUESTIONS)
def test_hook_writes_valid_events(
    repo: Repository, hook: Callable[..., Hook], payload: dict[str, Any]
) -> None:
    hook("post_tool_use", {"session_id": "abc", "cwd": str(repo.root), **payload}).assert_quiet()
    [log] = repo.session.glob("gate-events-*.jsonl")
    [line] = log.read_text().splitlines()
    Draft202012Validator(EVENT).validate(json.loads(line))


def test_hook_writes_valid_diagnostics(repo: Repository, hook: Callable[..., Hook]) -> None:
    repo.session.mkdir(parents=True)
    (repo.session / "gate-events-s-abc.jsonl").mkdir()
    (repo.root / ".copilot-tracking").write_text("in the way")
    payload = {
        "session_id": "abc",
        "cwd": str(repo.root),
        "agent_id": "a1",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": "secret?"},
    }
    hook("post_tool_use", payload).assert_failed_open()
    [line] = (repo.session / diagnostics.LOG_NAME).read_text().splitlines()
    Draft202012Validator(DIAGNOSTIC).validate(json.loads(line))
    assert "secret" not in line


def test_unusable_payload_leaves_a_valid_diagnostic(
    tmp_path: Path, hook: Callable[..., Hook]
) -> None:
    env = {"CLAUDE_PLUGIN_DATA": str(tmp_path)}
    hook("post_tool_use", b'{"prompt": "hunter2', env=env).assert_failed_open()
    line = (tmp_path / diagnostics.LOG_NAME).read_text()
    Draft202012Validator(DIAGNOSTIC).validate(json.loads(line))
    assert "hunter2" not in line


def test_no_such_schema() -> None:
    with pytest.raises(FileNotFoundError, match="no schema called nothing"):
        schemas.load("nothing")
