"""``hook``: the real thing by hand, and the explanation that touches nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import Ran, run
from session_memory.core import deadline
from session_memory.core.dry_store import DryStore
from session_memory.core.places import SESSION
from support import SWITCH, Hook, Repository

SPELLINGS = [
    *("PostToolUse", "post_tool_use", "post-tool-use", "postToolUse", "POSTTOOLUSE"),
]


def question(repo: Repository, **changes: Any) -> bytes:
    payload = {
        "session_id": "abc",
        "cwd": str(repo.root),
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "The secret plan?"}]},
        **changes,
    }
    return json.dumps(payload).encode()


def explain(
    repo: Repository, payload: bytes, *options: str, env: "dict[str, str] | None" = None
) -> Ran:
    arguments = ("hook", "PostToolUse", "--explain", *options)
    return run(*arguments, cwd=repo.root, stdin=payload, env=env)


@pytest.mark.parametrize("name", SPELLINGS)
def test_hook_by_hand(repo: Repository, name: str) -> None:
    ran = run("hook", name, cwd=repo.root, stdin=question(repo))
    assert (ran.code, ran.stdout, ran.stderr) == (0, "", "")
    assert len(repo.log("s-abc")) == 1


@pytest.mark.parametrize("name", ["SessionStart", "userPromptSubmitted", "user-prompt-submit"])
def test_other_events(repo: Repository, name: str) -> None:
    ran = run("hook", name, cwd=repo.root, stdin=b'{"session_id": "abc", "prompt": "hello"}')
    assert (ran.code, ran.stderr) == (0, "")


def test_hook_by_hand_fails_open(repo: Repository, tmp_path: Path) -> None:
    broken = b'{"prompt":"password=hunter2", "session_id": '
    ran = run("hook", "PostToolUse", cwd=repo.root, stdin=broken)
    real = Hook.run("post_tool_use", broken, home=tmp_path / "home", cwd=repo.root)
    assert (ran.code, ran.stdout, ran.stderr.encode()) == (real.code, "", real.stderr)
    assert "hunter2" not in ran.stderr


def test_host_by_hand(repo: Repository) -> None:
    run("hook", "PostToolUse", "--host", "vscode", cwd=repo.root, stdin=question(repo))
    assert repo.log("s-abc")[0]["host"] == "vscode"


def test_explanation(repo: Repository) -> None:
    payload = question(repo, agent_id="a1")
    facts = explain(repo, payload, "--json").json
    run("hook", "PostToolUse", cwd=repo.root, stdin=payload)
    written = (repo.session / "gate-events-s-abc.jsonl").stat().st_size
    timing = facts.pop("timing_ms")
    assert facts == {
        "event": "PostToolUse",
        "payload_event": "PostToolUse",
        "host": "claude",
        "host_from": "payload",
        "agent_id": "a1",
        "tool": "AskUserQuestion",
        "session_key": "s-abc",
        "key_rung": "session_id",
        "key_from": "payload",
        "cwd": str(repo.root),
        "root": str(repo.root),
        "checkout": {
            "root": str(repo.root),
            "common_dir": str(repo.root / ".git"),
            "shared_root": str(repo.root),
            "branch": "main",
            "sha": "",
        },
        "state_folder": str(repo.session),
        "would_write": [f"append {written} bytes to {repo.session / 'gate-events-s-abc.jsonl'}"],
        "would_skip": [],
        "context": "",
        "because": [
            {
                "feature": "questions",
                "code": "only-recorded",
                "text": "questions are recorded; nothing is ever injected for them",
            }
        ],
        "stdout": "",
        "losses": [],
    }
    assert list(timing) == ["payload", "host", "checkout", "key", "import", "decision"]
    assert all(ms >= 0 for ms in timing.values())


def test_explanation_touches_nothing(repo: Repository) -> None:
    before = sorted(repo.root.rglob("*"))
    ran = explain(repo, question(repo))
    assert ran.code == 0
    assert sorted(repo.root.rglob("*")) == before
    assert "secret" not in ran.stdout


def test_explanation_in_words(repo: Repository) -> None:
    lines = explain(repo, question(repo), "--host", "vscode").stdout.splitlines()
    assert lines[:4] == [
        "event       PostToolUse",
        "payload     PostToolUse",
        "host        vscode (from --host)",
        "key         s-abc (rung session_id, from payload)",
    ]
    assert lines[lines.index("would write:") + 1].startswith("  append ")
    assert lines[lines.index("would inject:") + 1] == "  nothing"
    assert lines[lines.index("because:") + 1].startswith("  questions: ")
    assert any(line.startswith("  decision") and line.endswith(" ms") for line in lines)


def test_explanation_of_a_second_call(repo: Repository) -> None:
    payload = question(repo, tool_use_id="toolu_1")
    run("hook", "PostToolUse", cwd=repo.root, stdin=payload)
    facts = explain(repo, payload, "--json").json
    log = repo.session / "gate-events-s-abc.jsonl"
    assert (facts["would_write"], facts["would_skip"]) == ([], [f"already recorded in {log}"])


def test_explanation_where_nothing_can_be_written(repo: Repository) -> None:
    repo.write("memories", "a file")
    repo.write(".copilot-tracking", "a file")
    ran = explain(repo, question(repo), "--json")
    assert ran.json["state_folder"] == ""
    assert ran.json["losses"] == ["question event not recorded: no place for state"]
    assert "would lose:\n  question event" in explain(repo, question(repo)).stdout


def test_explanation_of_the_fallback(repo: Repository) -> None:
    repo.write("memories", "a file")
    facts = explain(repo, question(repo), "--json").json
    assert facts["would_write"][0].endswith(str(repo.root / ".copilot-tracking/gate-events.jsonl"))


KEYS = {
    "payload": ({"session_id": "abc"}, {}, "payload"),
    "editor": ({"session_id": "abc"}, {"CLAUDE_CODE_REMOTE_SESSION_ID": "r"}, None),
    "branch": ({"session_id": ""}, {}, "checkout"),
}


@pytest.mark.parametrize(("changes", "variables", "origin"), KEYS.values(), ids=KEYS)
def test_where_the_key_comes_from(
    repo: Repository, changes: dict[str, str], variables: dict[str, str], origin: str | None
) -> None:
    facts = explain(repo, question(repo, **changes), "--json", env=variables).json
    assert facts["key_from"] == (origin or "CLAUDE_CODE_REMOTE_SESSION_ID")


def test_explanation_outside_any_repository(repo: Repository) -> None:
    outside = str(repo.root.parent)
    payload = question(repo, cwd=outside, session_id="")
    facts = explain(repo, payload, "--json").json
    assert (facts["root"], facts["checkout"], facts["key_from"]) == ("", None, "nothing")
    assert "none: outside any repository" in explain(repo, payload).stdout


def reasons(facts: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["feature"], each["code"]) for each in facts["because"]]


@pytest.mark.parametrize(("variables", "on"), SWITCH.values(), ids=SWITCH)
def test_explanation_heeds_the_switch(
    repo: Repository, variables: dict[str, str], on: bool
) -> None:
    facts = explain(repo, question(repo), "--json", env=variables).json
    assert len(facts["would_write"]) == on
    assert (("hook", "disabled") in reasons(facts)) is not on


def test_explanation_of_the_wrong_event(repo: Repository) -> None:
    arguments = ("hook", "SessionStart", "--explain", "--json")
    facts = run(*arguments, cwd=repo.root, stdin=question(repo)).json
    assert (facts["event"], facts["payload_event"]) == ("SessionStart", "PostToolUse")
    assert (facts["would_write"], facts["context"]) == ([], "")
    assert reasons(facts) == [("hook", "other-event")]


UNUSABLE = {
    "cut off": (b'{"prompt":"password=hunter2", "session_id": ', "at character 44"),
    "empty": (b"", "payload is empty"),
    "array": (b'["hunter2"]', "payload is not a JSON object"),
}


@pytest.mark.parametrize(("payload", "words"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_payload(repo: Repository, payload: bytes, words: str) -> None:
    ran = explain(repo, payload)
    ran.assert_fault(2, "session-memory hook: ", words)
    assert "hunter2" not in ran.stderr


HOOK_USAGE = {
    "no event": ["hook"],
    "unknown event": ["hook", "Stop"],
    "unknown host": ["hook", "PostToolUse", "--host", "emacs"],
    "json alone": ["hook", "PostToolUse", "--json"],
}


@pytest.mark.parametrize("arguments", HOOK_USAGE.values(), ids=HOOK_USAGE)
def test_hook_usage(repo: Repository, arguments: list[str]) -> None:
    run(*arguments, cwd=repo.root).assert_fault(64, "See session-memory hook --help.")


@pytest.fixture
def store(repo: Repository) -> DryStore:
    return DryStore(str(repo.root), SESSION, str(repo.root / ".git"))


def test_dry_claims(repo: Repository, store: DryStore) -> None:
    assert store.claim("marker") is True
    store.complete("marker", b"done")
    repo.write("memories/session/marker", "")
    assert store.claim("marker") is False
    path = repo.session / "marker"
    assert store.notes == [f"claim and complete {path}"]
    assert store.skipped == [f"already claimed {path}"]


def test_dry_update_without_a_change(repo: Repository, store: DryStore) -> None:
    store.update("state.json", lambda _: None)
    assert store.notes == []
    store.update("state.json", lambda old: {"seen": old is not None})
    assert store.notes == [f"update {repo.session / 'state.json'}"]


def test_dry_cleaning_leaves_everything(repo: Repository, store: DryStore) -> None:
    old = repo.write("memories/session/marker", "")
    store.remove_stale(("marker",), 4e9)
    assert old.exists()


def test_deadline_ends_with_the_hook() -> None:
    deadline.start(0.05)
    deadline.stop()
    assert deadline.remaining() == 60.0
    deadline.stop()
