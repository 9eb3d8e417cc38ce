"""Payloads whose members have types that no host sends: counted as missing, never a failure."""

import itertools
import random
from typing import Any

import pytest

from session_memory.core import guard, reply
from session_memory.core.payload import Event
from session_memory.core.session import Session
from support import Repository

WRONG: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, "", " ", "x\0y", "half \ud83d", "/", "a" * 5000),
    *([], [[]], ["x"], [None, 7], {}, {"x": {}}, {"question": [None]}, [{"file_path": 7}]),
)
MEMBERS = (
    *("hook_event_name", "hookEventName", "session_id", "sessionId", "cwd", "source", "prompt"),
    *("tool_name", "toolName", "tool_input", "toolArgs", "tool_use_id", "agent_id", "timestamp"),
    *("transcript_path", "turn_id", "tool_response", "initial_prompt"),
)
TOOLS = ("AskUserQuestion", "Edit")


def payloads(repo: Repository, entry: str) -> "list[dict[str, Any]]":
    """Every member wrong in every way, and some that are wrong in many members at once."""
    sound = {"session_id": "s", "cwd": str(repo.root), "prompt": "Work on #1", "source": "startup"}
    arguments = {"questions": ["Which?"], "file_path": str(repo.root / "skills/x/SKILL.md")}
    made = [
        {**sound, "tool_name": TOOLS[number % 2], "tool_input": arguments, member: value}
        for number, (member, value) in enumerate(itertools.product(MEMBERS, WRONG))
    ]
    chance = random.Random(entry)
    for _ in range(100):
        members = chance.sample(MEMBERS, 6)
        made.append({**sound, **{member: chance.choice(WRONG) for member in members}})
    inner = ("questions", "question", "message", "file_path", "files", "edits", "input", "command")
    for number, (member, value) in enumerate(itertools.product(inner, WRONG)):
        made.append({**sound, "tool_name": TOOLS[number % 2], "tool_input": {member: value}})
    return made


@pytest.mark.parametrize("entry", guard.EVENT_NAMES)
def test_no_wrong_type_is_a_failure(repo: Repository, entry: str) -> None:
    handler = __import__("session_memory.events." + entry, fromlist=["handle"])
    for payload in payloads(repo, entry):
        session = Session(Event(payload), dry=True)
        handler.handle(session)
        reply.render(session.event, guard.EVENT_NAMES[entry], session.context)
        assert session.losses == []
        assert session.key.isascii()
