"""``gate log``: selection, forms, following, faults."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import COMMAND, environment, run
from session_memory.core import journal
from session_memory.core.folder import Folder
from support import Repository
from token_samples import ISSUE_TOKEN, REVIEW_TOKEN

QUESTION: dict[str, Any] = {
    "event_type": "structured-question-fired",
    "tool_name": "AskUserQuestion",
    "session_key": "s-abc",
    "question_digest": "0126b8617ccbd61b",
    "timestamp": "2026-06-02T00:01:00Z",
    "question_count": 1,
    "key_rung": "session_id",
    "host": "claude",
    "agent_id": "a1",
}
LATER = {
    **REVIEW_TOKEN,
    "timestamp": "2026-06-02T00:02:00Z",
    "outcome": "declined",
    "skip_reason": "not now",
}

TABLE = """\
TIME                  TYPE      PHASE          FOR      WHAT
2026-06-02T00:00:00Z  token     design         #617     d-load-order: asked, load-bearing, pre-ask
2026-06-02T00:01:00Z  question  -              -        \
AskUserQuestion: 1 question, 0126b8617ccbd61b, agent a1
2026-06-02T00:02:00Z  token     review         PR 42    \
src/foo.ts:42:db55d9e9: declined, load-bearing, review-disposition (not now)
"""


@pytest.fixture
def log(repo: Repository) -> Path:
    """The log of conversation ``s-abc``, with three records."""
    return write(repo, "s-abc", ISSUE_TOKEN, QUESTION, LATER)


def write(repo: Repository, key: str, *records: dict[str, Any]) -> Path:
    lines = "".join([json.dumps(record) + "\n" for record in records])
    return repo.write(f"memories/session/gate-events-{key}.jsonl", lines)


def test_table(repo: Repository, log: Path) -> None:
    ran = run("gate", "log", "--session", "abc", cwd=repo.root)
    assert (ran.code, ran.stdout, ran.stderr) == (0, TABLE, "")


def test_json_lines(repo: Repository, log: Path) -> None:
    ran = run("gate", "log", "--key", "s-abc", "--json", cwd=repo.root)
    assert list(map(json.loads, ran.stdout.splitlines())) == [ISSUE_TOKEN, QUESTION, LATER]


FILTERS = {
    "tokens": (["--type", "token"], [ISSUE_TOKEN, LATER]),
    "questions": (["--type", "question"], [QUESTION]),
    "phase": (["--phase", "Review"], [LATER]),
    "decision": (["--decision", "D-LOAD-ORDER"], [ISSUE_TOKEN]),
    "since a time": (["--since", "2026-06-02T00:01:00Z"], [QUESTION, LATER]),
    "since a day": (["--since", "2026-06-02"], [ISSUE_TOKEN, QUESTION, LATER]),
    "since an age": (["--since", "1s"], []),
    "several": (["--type", "token", "--since", "2026-06-02T00:01:00Z"], [LATER]),
}


@pytest.mark.parametrize(("options", "records"), FILTERS.values(), ids=FILTERS)
def test_filters(repo: Repository, log: Path, options: list[str], records: list[object]) -> None:
    ran = run("gate", "log", "--key", "s-abc", "--json", *options, cwd=repo.root)
    assert list(map(json.loads, ran.stdout.splitlines())) == records


def test_all_conversations_carry_their_key(repo: Repository, log: Path) -> None:
    write(repo, "b-x", {**ISSUE_TOKEN, "session_key": "b-x"})
    ran = run("gate", "log", "--all", "--decision", "d-load-order", cwd=repo.root)
    assert [line.rpartition(" ")[2] for line in ran.stdout.splitlines()[1:]] == ["[b-x]", "[-]"]


def test_own_conversation_by_default(repo: Repository, log: Path) -> None:
    ran = run("gate", "log", cwd=repo.root, env={"CLAUDE_CODE_SESSION_ID": "abc"})
    assert ran.stdout == TABLE


def test_nothing_found_says_where(repo: Repository) -> None:
    ran = run("gate", "log", cwd=repo.root)
    assert (ran.code, ran.stdout) == (0, "")
    assert ran.stderr.startswith("No gate events of conversation b-main. Looked in ")
    assert ran.stderr.count("\n") == 1
    assert str(repo.session / "gate-events-b-main.jsonl") in ran.stderr
    assert str(repo.root / ".copilot-tracking" / "gate-events.jsonl") in ran.stderr


def test_nothing_found_tells_of_others(repo: Repository, log: Path) -> None:
    ran = run("gate", "log", cwd=repo.root)
    last = "1 other conversation has events here: session-memory gate log --all"
    assert ran.stderr.splitlines()[1:] == [last]


def test_nothing_found_counts_conversations_not_files(repo: Repository, log: Path) -> None:
    log.rename(log.with_name(journal.earlier(log.name)))
    write(repo, "s-abc", ISSUE_TOKEN)
    write(repo, "s-empty")
    shared = json.dumps({**QUESTION, "session_key": "s-shared"}) + "\n"
    repo.write(".copilot-tracking/gate-events.jsonl", shared)
    ran = run("gate", "log", cwd=repo.root)
    assert "\n2 other conversations have events here" in ran.stderr


def test_nothing_meets_the_conditions(repo: Repository, log: Path) -> None:
    ran = run("gate", "log", "--key", "s-abc", "--phase", "plan", cwd=repo.root)
    said = "None of the 3 gate events of conversation s-abc meets the conditions.\n"
    assert (ran.code, ran.stdout, ran.stderr) == (0, "", said)


def test_nothing_at_all(repo: Repository) -> None:
    ran = run("gate", "log", "--all", cwd=repo.root)
    assert ran.stderr.startswith("No gate events of any conversation. Looked in ")


def test_unreadable_lines_are_counted(repo: Repository, log: Path) -> None:
    log.write_text("\n".join([json.dumps(ISSUE_TOKEN), *["bad"] * 7]))
    ran = run("gate", "log", "--key", "s-abc", cwd=repo.root)
    assert len(ran.stdout.splitlines()) == 2
    assert ran.stderr.startswith(f"7 unreadable lines: {log}:2, {log}:3,")
    assert ran.stderr.endswith(f"{log}:6, …\n")


def test_unreadable_file_is_named(repo: Repository, log: Path) -> None:
    log.unlink()
    os.mkfifo(log)
    ran = run("gate", "log", "--key", "s-abc", cwd=repo.root)
    assert f"cannot be read: {log}: " in ran.stderr


STRANGE: dict[str, tuple[dict[str, Any], str]] = {
    "terminal controls": (
        {**ISSUE_TOKEN, "decision_id": "\x1b[2J\u202e\u0085\n"},
        "\\x1b[2J\\u202e\\x85\\n: asked",
    ),
    "values of other types": ({"decision_id": [1], "phase": None}, "[1]: ?, ?, ?"),
    "something else": ({"a": 1, "b": 2}, "other     -              -        not a gate event"),
    "question without facts": (
        {"event_type": "structured-question-fired"},
        "?: ? questions, no digest",
    ),
}


@pytest.mark.parametrize(("record", "shown"), STRANGE.values(), ids=STRANGE)
def test_strange_records(repo: Repository, record: dict[str, Any], shown: str) -> None:
    write(repo, "s-abc", record)
    ran = run("gate", "log", "--key", "s-abc", cwd=repo.root)
    assert ran.code == 0
    assert shown in ran.stdout
    assert ran.stdout.count("\n") == 2


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_deep_record(repo: Repository, form: list[str]) -> None:
    line = '{"decision_id": ' + "[" * 900 + "]" * 900 + "}\n"
    repo.write("memories/session/gate-events-s-abc.jsonl", line)
    assert run("gate", "log", "--key", "s-abc", *form, cwd=repo.root).code == 0


def test_terminal_without_unicode(repo: Repository) -> None:
    write(repo, "s-abc", {**LATER, "skip_reason": "a → b"})
    ran = run(
        *("gate", "log", "--key", "s-abc"), cwd=repo.root, env={"PYTHONIOENCODING": "latin-1"}
    )
    assert "(a \\u2192 b)" in ran.stdout


USAGE = {
    "two conversations": ["--key", "s-a", "--all"],
    "two names": ["--key", "s-a", "--session", "a"],
    "path as a key": ["--key", "../s-a"],
    "path behind a prefix": ["--key", "s-../a"],
    "no such phase": ["--phase", "bogus"],
    "no time": ["--since", "yesterday"],
    "no such day": ["--since", "2026-02-30"],
    "no such type": ["--type", "note"],
}


@pytest.mark.parametrize("options", USAGE.values(), ids=USAGE)
def test_log_usage(repo: Repository, options: list[str]) -> None:
    ran = run("gate", "log", *options, cwd=repo.root)
    ran.assert_fault(64, "See session-memory gate log --help.")


def test_log_outside_any_repository(tmp_path: Path) -> None:
    run("gate", "log", cwd=tmp_path).assert_fault(2, "outside any repository")


def test_reader_that_goes_away(repo: Repository, log: Path) -> None:
    log.write_text((json.dumps(ISSUE_TOKEN) + "\n") * 3000)
    process = start(repo, "--key", "s-abc", "--json")
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait(20)) == (b"", 0)
    process.stderr.close()


def start(repo: Repository, *options: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, "gate", "log", *options],
        cwd=repo.root,
        env=environment(repo.root.parent / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.fixture
def follower(repo: Repository, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """``gate log --follow`` that has shown the three records of :func:`log`."""
    with start(repo, "--key", "s-abc", "--json", "--follow") as process:
        assert process.stdout
        for _ in range(3):
            process.stdout.readline()
        yield process
        process.kill()


def test_follow_survives_rotation(
    repo: Repository, log: Path, follower: "subprocess.Popen[bytes]"
) -> None:
    folder = Folder(str(repo.root), ("memories", "session"), create=False)
    assert follower.stdout
    for number in range(1, 6):
        if number in (2, 4):
            log.rename(log.with_name(journal.earlier(log.name)))
        journal.append(folder, log.name, json.dumps({"n": number}).encode())
        assert json.loads(follower.stdout.readline()) == {"n": number}
    folder.close()


def test_follow_ends_quietly(follower: "subprocess.Popen[bytes]") -> None:
    time.sleep(0.1)
    follower.send_signal(signal.SIGINT)
    assert follower.stdout
    assert follower.stderr
    assert (follower.wait(20), follower.stdout.read(), follower.stderr.read()) == (0, b"", b"")
