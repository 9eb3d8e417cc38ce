"""Every captured payload through the entry points, as real processes.

Each goes once with the variables that its client sets, and once without any.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import guard, hosts, reply
from session_memory.core.payload import Event
from session_memory.events.post_tool_use import QUESTION_TOOLS
from support import PAYLOADS, Hook, Repository

ENTRIES = {
    "sessionstart": "session_start",
    "userpromptsubmit": "user_prompt_submit",
    "userpromptsubmitted": "user_prompt_submit",
    "posttooluse": "post_tool_use",
}


@dataclass(frozen=True)
class Captured:
    """A payload as a client sent it."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.relative_to(PAYLOADS))

    @property
    def entry(self) -> str:
        """The entry point that it is for; ``""`` when there is none."""
        parts = self.path.stem.lower().split("-")
        return next((ENTRIES[part] for part in parts if part in ENTRIES), "")

    def content(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(self.path.read_text("utf-8"))
        return whole

    def for_repository(self, repo: Repository) -> dict[str, Any]:
        return {**self.content()["stdin"], "cwd": str(repo.root)}

    def environment(self, repo: Repository) -> dict[str, str]:
        """The client's variables, with values of their kind."""
        values = {name: "1" for name in self.content()["env_names"] if not name.startswith("GIT_")}
        folders = {name: str(repo.root) for name in values if name.endswith("_DIR")}
        data = {name: str(repo.root.parent) for name in values if name.endswith("_DATA")}
        return {**values, **folders, **data}

    def hosts(self, known: bool) -> set[str]:
        if self.content()["host"] == "claude-code":
            return {hosts.CLAUDE}
        return {hosts.COPILOT_CLI} if known else {hosts.COPILOT_CLI, hosts.COPILOT}


ALL = [Captured(path) for path in sorted(PAYLOADS.rglob("*.json"))]
OURS = [captured for captured in ALL if captured.entry]
OTHERS = [captured for captured in ALL if "hook_event_name" in captured.content()["stdin"]]
OTHERS = [captured for captured in OTHERS if not captured.entry]


def named(captured: Captured) -> str:
    return captured.name


def assert_dialect(answer: "dict[str, Any] | None", host: str, event: str) -> None:
    if answer is None:
        return
    flat, nested = "additionalContext" in answer, "hookSpecificOutput" in answer
    assert flat == (host in (hosts.COPILOT_CLI, hosts.COPILOT))
    assert nested == (host != hosts.COPILOT_CLI)
    assert set(answer) <= {"additionalContext", "hookSpecificOutput"}
    if nested:
        assert answer["hookSpecificOutput"]["hookEventName"] == event


def test_there_are_payloads_for_every_entry_point() -> None:
    assert {captured.entry for captured in OURS} == set(guard.EVENT_NAMES)
    assert len(ALL) > 150


@pytest.mark.parametrize("known", [True, False], ids=["with variables", "without"])
@pytest.mark.parametrize("captured", OURS, ids=named)
def test_captured(
    captured: Captured, known: bool, repo: Repository, hook: Callable[..., Hook]
) -> None:
    payload = captured.for_repository(repo)
    env = captured.environment(repo) if known else {}
    done = hook(captured.entry, payload, env=env)
    assert (done.code, done.stderr) == (0, b"")

    (host,) = hosts_seen = {h for h in captured.hosts(known) if fits(h, payload, known)}
    assert_dialect(done.answer, host, guard.EVENT_NAMES[captured.entry])
    assert hosts_seen <= captured.hosts(known)

    key = "s-" + (payload.get("session_id") or payload["sessionId"])
    records = repo.log(key)
    tool = payload.get("tool_name") or payload.get("toolName")
    assert len(records) == (tool in QUESTION_TOOLS)
    for record in records:
        assert record["session_key"] == key
        assert record["key_rung"] == "session_id"
        assert record["host"] == host
        assert record["question_count"] >= 1
        assert record.get("tool_use_id", "") == payload.get("tool_use_id", "")
    assert repo.status() == ""


def fits(host: str, payload: dict[str, Any], known: bool) -> bool:
    """Without its variable, Copilot is told from VS Code only by what a payload holds."""
    if host == hosts.CLAUDE or known:
        return True
    telling = {"sessionId", "tool_result", "initial_prompt"} & payload.keys()
    return (host == hosts.COPILOT_CLI) == bool(telling)


@pytest.mark.parametrize("captured", OURS, ids=named)
def test_the_answer_to_a_captured_payload(captured: Captured) -> None:
    event = Event(captured.content()["stdin"])
    name = guard.EVENT_NAMES[captured.entry]
    assert_dialect(json.loads(reply.render(event, name, "facts")), event.host, name)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository that no payload of another event may touch."""
    return Repository.create(tmp_path_factory.mktemp("untouched") / "repo")


@pytest.mark.parametrize("captured", OTHERS, ids=named)
def test_payloads_of_other_events_are_ignored(
    captured: Captured, untouched: Repository, hook: Callable[..., Hook]
) -> None:
    entry = sorted(guard.EVENT_NAMES)[len(captured.name) % 3]
    hook(entry, captured.for_repository(untouched)).assert_quiet()
    assert {path.name for path in untouched.root.iterdir()} == {".git", "README.md"}


def test_a_question_asked_within_a_subagent_says_so(
    repo: Repository, hook: Callable[..., Hook]
) -> None:
    inside = Captured(PAYLOADS / "claude/2.1.332/PostToolUse-Write-in-subagent-print.json")
    asked = {"questions": [{"question": "Which?"}]}
    changes = {"tool_name": "AskUserQuestion", "tool_input": asked}
    payload = {**inside.for_repository(repo), **changes}
    hook("post_tool_use", payload).assert_quiet()
    (record,) = repo.log("s-" + payload["session_id"])
    assert record["agent_id"] == payload["agent_id"]
