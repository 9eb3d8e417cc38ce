"""The record of a structured question (SMC-21)."""

import hashlib
import json
import os
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.gates import questions
from support import Hook, Repository, question


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def nested(depth: int) -> object:
    value: object = "x"
    for _ in range(depth):
        value = [value]
    return value


TOO_DEEP = "question nested too deeply"


def test_the_whole_record(repo: Repository, hook: Callable[..., Hook]) -> None:
    payload = question(repo, tool_use_id="toolu_1", agent_id="sub-1", agent_type="Explore")
    hook("post_tool_use", payload).assert_quiet()
    (record,) = repo.log("s-s1")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", record.pop("timestamp"))
    assert record == {
        "event_type": "structured-question-fired",
        "tool_name": "AskUserQuestion",
        "session_key": "s-s1",
        "question_digest": digest("Which way?"),
        "question_count": 1,
        "key_rung": "session_id",
        "host": "claude",
        "agent_id": "sub-1",
        "tool_use_id": "toolu_1",
    }


@pytest.mark.parametrize(
    ("arguments", "first", "count"),
    [
        pytest.param({"questions": [{"question": " a \n"}, {"question": "b"}]}, "a", 2, id="list"),
        pytest.param({"questions": ["a"]}, "a", 1, id="texts"),
        pytest.param({"questions": {"question": "a"}}, "a", 1, id="one, not in a list"),
        pytest.param({"message": "a", "requestedSchema": {}}, "a", 1, id="message"),
        pytest.param({"question": "a", "choices": ["x"]}, "a", 1, id="older form"),
        pytest.param('{"question": "a"}', "a", 1, id="JSON as text"),
        pytest.param("a", "a", 1, id="plain text"),
        pytest.param({"questions": [{"text": "a"}]}, '{"text": "a"}', 1, id="unknown form"),
        pytest.param({"questions": [7]}, "7", 1, id="a number"),
        pytest.param({"questions": ["half \ud83d"]}, "half \ufffd", 1, id="lone surrogate"),
        pytest.param({"questions": [nested(2000)]}, TOO_DEEP, 1, id="nested deeply"),
        pytest.param(
            {"question": {"question": nested(2000)}}, TOO_DEEP, 1, id="text nested deeply"
        ),
        pytest.param({"questions": []}, None, 0, id="none"),
        pytest.param({}, None, 0, id="nothing"),
        pytest.param("  ", None, 0, id="blank text"),
        pytest.param(None, None, 0, id="absent"),
    ],
)
def test_forms(arguments: object, first: "str | None", count: int) -> None:
    event = Event({"tool_name": "ask_user", "tool_input": arguments})
    record = questions.build_event(event, "s-1", "now")
    assert record["question_digest"] == ("" if first is None else digest(first))
    assert record["question_count"] == count


def test_a_question_nested_deeply_is_recorded(repo: Repository, hook: Callable[..., Hook]) -> None:
    hook("post_tool_use", question(repo, tool_input={"questions": nested(600)})).assert_quiet()
    assert len(repo.log("s-s1")) == 1


@pytest.mark.parametrize("tool", ["ask_user", "vscode/askQuestions", "askQuestions"])
def test_every_question_tool(repo: Repository, hook: Callable[..., Hook], tool: str) -> None:
    hook("post_tool_use", question(repo, tool_name=tool)).assert_quiet()
    assert [record["tool_name"] for record in repo.log("s-s1")] == [tool]


@pytest.mark.parametrize("tool", ["Read", "", "askuserquestion", None, 7])
def test_no_other_tool(repo: Repository, hook: Callable[..., Hook], tool: object) -> None:
    hook("post_tool_use", question(repo, tool_name=tool)).assert_quiet()
    assert repo.log("s-s1") == []
    assert not repo.session.exists()


def test_no_text_of_the_question_is_kept(repo: Repository, hook: Callable[..., Hook]) -> None:
    secret = "sk-" + "ant-api03-" + "b" * 40
    asked = {"questions": [{"question": f"Is {secret} right?"}]}
    response = {"answers": {"x": secret}}
    done = hook("post_tool_use", question(repo, tool_input=asked, tool_response=response))
    done.assert_quiet()
    for path in repo.root.rglob("*"):
        assert secret not in str(path)
        assert not path.is_file() or secret.encode() not in path.read_bytes()


def record(repo: Repository, **fields: Any) -> None:
    session = Session(Event(question(repo, **fields)))
    questions.record(session)
    assert session.losses == []


def test_the_same_call_is_recorded_once_whenever_it_comes_again(repo: Repository) -> None:
    for call in ("one", "two", "one", "two"):
        record(repo, tool_use_id=call)
    assert [r["tool_use_id"] for r in repo.log("s-s1")] == ["one", "two"]


def test_an_id_that_comes_again_for_another_question_is_another_call(repo: Repository) -> None:
    """Some hosts count their calls from one again."""
    for asked in ("one?", "two?", "one?"):
        record(repo, tool_use_id="call-1", tool_input={"question": asked})
    assert [r["question_digest"] for r in repo.log("s-s1")] == [digest("one?"), digest("two?")]


def test_an_id_is_compared_whole(repo: Repository) -> None:
    for call in ("call-10", "call-1", 'x", "tool_use_id": "y', "y"):
        record(repo, tool_use_id=call)
    assert len(repo.log("s-s1")) == 4


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"tool_input": {"question": "Another?"}}, id="another question"),
        pytest.param({"agent_id": "sub-1"}, id="another agent"),
        pytest.param({"tool_input": {"questions": ["Which way?", "b"]}}, id="more questions"),
    ],
)
def test_without_an_id_another_call_is_another_record(
    repo: Repository, other: dict[str, Any]
) -> None:
    for fields in ({}, other, {}, other):
        record(repo, **fields)
    assert len(repo.log("s-s1")) == 2


def test_the_same_question_later_is_another_call(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(repo)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 10)
    record(repo)
    assert len(repo.log("s-s1")) == 2


@pytest.mark.parametrize("log_is_old", [True, False], ids=["log of the future", "log of now"])
def test_a_clock_that_was_set_back_hides_no_call(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, log_is_old: bool
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    record(repo)
    monkeypatch.undo()
    when = now + 3600 if log_is_old else now
    os.utime(repo.session / "gate-events-s-s1.jsonl", (when, when))
    record(repo)
    assert len(repo.log("s-s1")) == 2


def test_a_busy_log_does_not_hide_an_old_call(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log was written just now, but not by this call."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 10)
    record(repo)
    monkeypatch.undo()
    record(repo, tool_input={"question": "Another?"})
    record(repo)
    assert len(repo.log("s-s1")) == 3


def test_a_log_with_other_lines_is_looked_through(repo: Repository) -> None:
    record(repo)
    log = repo.session / "gate-events-s-s1.jsonl"
    log.write_bytes(log.read_bytes() + b'{"torn":\n[1]\n{"event_type": "gate-decision"}\n')
    record(repo)
    assert log.read_bytes().count(questions.EVENT_TYPE.encode()) == 1


def test_the_fallback_is_shared_and_every_record_carries_its_key(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    (repo.root / "memories").write_text("not a folder")
    for session_id in ("one", "two"):
        hook("post_tool_use", question(repo, session_id=session_id)).assert_quiet()
    lines = (repo.root / ".copilot-tracking/gate-events.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["session_key"] for line in lines] == ["s-one", "s-two"]


def test_a_dry_run_tells_and_writes_nothing(repo: Repository) -> None:
    session = Session(Event(question(repo)), dry=True)
    questions.record(session)
    assert not repo.session.exists()
    assert [type(store).__name__ for store in session.stores] == ["DryStore"]
