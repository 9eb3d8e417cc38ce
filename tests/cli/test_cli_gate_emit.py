"""``gate emit``: what is written, where, and what is refused."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from command_line import COMMAND, environment, run
from session_memory import schemas
from support import Hook, Repository
from token_samples import ISSUE_TOKEN, REVIEW_TOKEN

TOKEN_SCHEMA = Draft202012Validator(schemas.load("gate-decision-token"))

OPTIONS = {
    "--decision-id": "d-load-order",
    "--phase": "design",
    "--outcome": "asked",
    "--classification": "load-bearing",
    "--window-position": "pre-ask",
    "--issue": "617",
}


def emit(**changes: str | None) -> list[str]:
    """The command line of a good token, with changes; ``None`` leaves an option out."""
    named = {"--" + name.replace("_", "-"): value for name, value in changes.items()}
    options: dict[str, str | None] = {**OPTIONS, **named}
    given = [[name, value] for name, value in options.items() if value]
    return ["gate", "emit", *[part for pair in given for part in pair]]


def test_token_from_options(repo: Repository) -> None:
    ran = run(*emit(session="abc"), cwd=repo.root)
    log = repo.session / "gate-events-s-abc.jsonl"
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == f"key   s-abc\nrung  session_id\nlog   {log}\n"
    [token] = repo.log("s-abc")
    assert token == {**ISSUE_TOKEN, "timestamp": token["timestamp"], "session_key": "s-abc"}
    TOKEN_SCHEMA.validate(token)
    assert repo.status() == ""
    assert log.stat().st_mode & 0o777 == 0o600


def test_every_option(repo: Repository) -> None:
    arguments = emit(
        decision_id="gh-1-db55d9e9",
        phase="review",
        outcome="declined",
        classification="routine",
        window_position="review-disposition",
        issue=None,
        pr="42",
        skip_reason="not now",
        timestamp="2026-06-02T00:00:00Z",
        session="abc",
    )
    assert run(*arguments, cwd=repo.root).code == 0
    assert repo.log("s-abc") == [
        {
            "decision_id": "gh-1-db55d9e9",
            "phase": "review",
            "outcome": "declined",
            "classification": "routine",
            "window_position": "review-disposition",
            "timestamp": "2026-06-02T00:00:00Z",
            "pull_request_number": 42,
            "session_key": "s-abc",
            "skip_reason": "not now",
        }
    ]


def test_token_from_standard_input(repo: Repository) -> None:
    token = json.dumps({**REVIEW_TOKEN, "pull_request_number": 42.0}).encode()
    ran = run("gate", "emit", "--json-file", "-", "--json", cwd=repo.root, stdin=token)
    assert ran.json == {
        "written": True,
        "key": "b-main",
        "rung": "branch_slug",
        "log": str(repo.session / "gate-events-b-main.jsonl"),
        "token": {**REVIEW_TOKEN, "session_key": "b-main"},
    }
    assert repo.log("b-main") == [ran.json["token"]]


def test_token_from_a_file(repo: Repository, tmp_path: Path) -> None:
    file = tmp_path / "token.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(ISSUE_TOKEN).encode())
    ran = run("gate", "emit", "--json-file", str(file), "--session", "a", cwd=repo.root)
    assert ran.code == 0
    assert len(repo.log("s-a")) == 1


SESSION = {"CLAUDE_CODE_SESSION_ID": "turn-1"}
REMOTE = {**SESSION, "CLAUDE_CODE_REMOTE_SESSION_ID": "remote-1"}
LADDER: dict[str, tuple[dict[str, str], str | None, str]] = {
    "told": (REMOTE, "abc", "s-abc"),
    "the editor's": (SESSION, None, "s-turn-1"),
    "the one that stays": (REMOTE, None, "s-remote-1"),
    "nothing usable told": ({}, "///", "b-main"),
    "none": ({}, None, "b-main"),
}


@pytest.mark.parametrize(("variables", "session", "key"), LADDER.values(), ids=LADDER)
def test_ladder(repo: Repository, variables: dict[str, str], session: str | None, key: str) -> None:
    assert run(*emit(session=session), cwd=repo.root, env=variables).code == 0
    assert len(repo.log(key)) == 1


def test_token_and_question_share_a_log(repo: Repository, hook: Callable[..., Hook]) -> None:
    question = {
        "session_id": "turn-2",
        "cwd": str(repo.root),
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which?"}]},
    }
    hook("post_tool_use", question, env=REMOTE).assert_quiet()
    below = repo.write("deep/er/file", "").parent
    assert run(*emit(), cwd=below, env=REMOTE).code == 0
    assert [set(record) & {"event_type", "decision_id"} for record in repo.log("s-remote-1")] == [
        {"event_type"},
        {"decision_id"},
    ]


def test_fallback_log(repo: Repository) -> None:
    (repo.root / "memories").write_text("in the way")
    ran = run(*emit(session="abc"), "--json", cwd=repo.root)
    assert ran.json["log"] == str(repo.root / ".copilot-tracking" / "gate-events.jsonl")
    shown = run("gate", "log", "--session", "abc", "--json", cwd=repo.root)
    assert shown.json == ran.json["token"]


REFUSED: dict[str, tuple[dict[str, str | None], list[str]]] = {
    "unknown phase": ({"phase": "open-for-work"}, ["phase must be one of experience, design"]),
    "no issue": ({"issue": None}, ["issue_number is missing"]),
    "issue 0": ({"issue": "0"}, ["issue_number must be 1 or more"]),
    "both numbers": ({"pr": "1"}, ["pull_request_number goes only with window_position review"]),
    "asked and skipped": ({"skip_reason": "x"}, ["skip_reason does not go with outcome asked"]),
    "finding id": ({"decision_id": "F1"}, ["decision_id must be a slug"]),
    "no such day": ({"timestamp": "2026-02-30T00:00:00Z"}, ["timestamp must be an ISO-8601 time"]),
    "two faults": (
        {"phase": None, "outcome": "maybe"},
        ["phase is missing; outcome must be one of asked, gate-fails"],
    ),
}


@pytest.mark.parametrize(("changes", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(repo: Repository, changes: dict[str, str | None], words: list[str]) -> None:
    ran = run(*emit(**changes), cwd=repo.root)
    ran.assert_fault(2, "session-memory gate emit: token refused (SMC-21)", "nothing was", *words)
    assert not (repo.root / "memories").exists()


def test_refused_for_a_program(repo: Repository) -> None:
    ran = run(*emit(phase="x"), "--json", cwd=repo.root)
    assert (ran.code, ran.json) == (2, {"written": False, "errors": ["enum:phase"]})


BAD_FILES = {
    "empty": (b"", "Expecting value at line 1, column 1"),
    "cut off": (b'{"password": "hunter2"', "at line 1, column 23"),
    "two values": (json.dumps(ISSUE_TOKEN).encode() * 2, "Extra data"),
    "not UTF-8": (b'"\xff"', "not UTF-8 at byte 1"),
    "twice the same name": (b'{"phase": "design", "phase": "plan"}', "a name occurs twice"),
    "no number": (b'{"issue_number": NaN}', "not JSON"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "an array": (b"[]", "token must be a JSON object"),
    "large": (b" " * (1 << 20) + b"{}", "more than 1048576 bytes"),
    "large token": (
        json.dumps(
            {**ISSUE_TOKEN, "outcome": "declined", "skip_reason": "é" * 200_000}, ensure_ascii=False
        ).encode(),
        "the token exceeds 1048576 bytes",
    ),
    "unknown field": (
        json.dumps({**ISSUE_TOKEN, "\x1b[2J": 1}).encode(),
        "\\x1b[2J is not a field of a token",
    ),
    "another conversation": (
        json.dumps({**ISSUE_TOKEN, "session_key": "s-x"}).encode(),
        "session_key is of another conversation; this one is b-main",
    ),
}


@pytest.mark.parametrize(("data", "words"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_json(repo: Repository, data: bytes, words: str) -> None:
    ran = run("gate", "emit", "--json-file", "-", cwd=repo.root, stdin=data)
    ran.assert_fault(2, words)
    assert "hunter2" not in ran.stderr
    assert not (repo.root / "memories").exists()


USAGE: dict[str, list[str]] = {
    "nothing": ["gate", "emit"],
    "unknown option": [*emit(), "--brief-tier", "x"],
    "issue of no number": emit(issue="abc"),
    "file and fields": [*emit(), "--json-file", "-"],
    "no such folder": [*emit(), "--cwd", "nowhere"],
    "stray word": [*emit(), "more"],
}


@pytest.mark.parametrize("arguments", USAGE.values(), ids=USAGE)
def test_usage(repo: Repository, arguments: list[str]) -> None:
    run(*arguments, cwd=repo.root).assert_fault(64, "See session-memory gate emit --help.")


@pytest.mark.parametrize(
    ("name", "words"), [("none", "none: No such file"), (".", ".: Is a directory")]
)
def test_no_such_file(repo: Repository, name: str, words: str) -> None:
    run("gate", "emit", "--json-file", name, cwd=repo.root).assert_fault(64, "--json-file", words)


def test_time_of_a_token_from_a_file_is_now(repo: Repository) -> None:
    token = {name: value for name, value in ISSUE_TOKEN.items() if name != "timestamp"}
    stdin = json.dumps(token).encode()
    ran = run("gate", "emit", "--json-file", "-", "--session", "a", cwd=repo.root, stdin=stdin)
    assert ran.code == 0
    [written] = repo.log("s-a")
    TOKEN_SCHEMA.validate(written)


KEYS = {
    "s-abc": "session_id",
    "b-other": "branch_slug",
    "sha-0123456789ab": "sha",
    "session": "session",
}


@pytest.mark.parametrize(("key", "rung"), KEYS.items(), ids=KEYS)
def test_conversation_by_its_key(repo: Repository, key: str, rung: str) -> None:
    ran = run(*emit(key=key), "--json", cwd=repo.root, env=REMOTE)
    assert (ran.json["key"], ran.json["rung"], ran.stderr) == (key, rung, "")
    assert len(repo.log(key)) == 1


def test_outside_any_repository(tmp_path: Path) -> None:
    run(*emit(), cwd=tmp_path).assert_fault(2, "outside any repository", "SMC-21", "--cwd")


def test_no_place_for_the_log(repo: Repository) -> None:
    repo.write("memories", "a file")
    repo.write(".copilot-tracking", "a file")
    run(*emit(), cwd=repo.root).assert_fault(3, "token not written (SMC-21)", str(repo.root))


def test_concurrent_writers_lose_nothing(repo: Repository) -> None:
    def start(number: int) -> "subprocess.Popen[bytes]":
        arguments = emit(session="abc", issue=str(number))
        env = environment(repo.root.parent / "home")
        return subprocess.Popen([*COMMAND, *arguments], cwd=repo.root, env=env)

    processes = [start(number) for number in range(1, 9)]
    assert [process.wait(30) for process in processes] == [0] * 8
    tokens: list[dict[str, Any]] = repo.log("s-abc")
    assert sorted(token["issue_number"] for token in tokens) == list(range(1, 9))
