"""The guard around handlers that misbehave, in real processes."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import ROOT, Hook, Repository, clean_environment, question

# A hook like any other, but for what it does.
SCRIPT = """
import sys, types
sys.path.insert(0, {lib!r})
from session_memory.core import deadline, guard
deadline.BUDGET_S["post_tool_use"] = {budget}
stand_in = types.ModuleType("session_memory.events.post_tool_use")
exec({handler!r}, stand_in.__dict__)
import session_memory.events
sys.modules[stand_in.__name__] = session_memory.events.post_tool_use = stand_in
guard.main("post_tool_use", {host!r})
"""


def command(tmp_path: Path, handler: str, budget: float, host: str) -> list[str]:
    script = tmp_path / "hook.py"
    lib = str(ROOT / "lib")
    script.write_text(SCRIPT.format(lib=lib, budget=budget, handler=handler, host=host))
    if "COVERAGE_PROCESS_CONFIG" in os.environ:
        return [sys.executable, str(ROOT / "tests" / "covered_hook.py"), str(script)]
    return [sys.executable, "-I", "-S", str(script)]


def run(
    repo: Repository, handler: str, budget: float = 8.0, host: str = "", stdout: int = -1
) -> Hook:
    tmp_path = repo.root.parent
    done = subprocess.run(
        command(tmp_path, handler, budget, host),
        input=json.dumps(question(repo)).encode(),
        env=clean_environment(tmp_path),
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=20,
        check=False,
    )
    return Hook(done.returncode, done.stdout or b"", done.stderr)


def diagnostics(repo: Repository) -> list[dict[str, str]]:
    path = repo.session / "hook-diagnostics.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_an_answer_is_given_in_the_dialect_of_the_payload(repo: Repository) -> None:
    done = run(repo, "def handle(session): session.say('facts')")
    assert (done.code, done.stderr) == (0, b"")
    context = {"hookEventName": "PostToolUse", "additionalContext": "facts"}
    assert done.answer == {"hookSpecificOutput": context}


def test_the_host_can_be_named(repo: Repository) -> None:
    done = run(repo, "def handle(session): session.say('facts')", host="copilot-cli")
    assert done.answer == {"additionalContext": "facts"}


def test_what_comes_afterwards_comes_after_the_answer(repo: Repository) -> None:
    handler = """
import posix
def handle(session):
    session.afterwards.append(lambda: posix.write(1, b"afterwards"))
    session.say("facts")
"""
    assert run(repo, handler).stdout.endswith(b"}\nafterwards")


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("raise ValueError(session.event.tool_name)", b"ValueError at <string>:2"),
        ("raise SystemExit(3)", b"SystemExit at <string>:2"),
        ("raise KeyboardInterrupt", b"KeyboardInterrupt at <string>:2"),
        ("raise OSError(28, 'No space')", b"OSError (No space) at <string>:2"),
        ("return handle(session)", b"RecursionError at <string>:2"),
        ("import session_memory.absent", b"ModuleNotFoundError at "),
        ("session.say(7)", b"TypeError at "),
    ],
)
def test_any_failure_is_one_line_and_one_record(
    repo: Repository, statement: str, told: bytes
) -> None:
    done = run(repo, f"def handle(session):\n  {statement}")
    done.assert_failed_open()
    assert done.stderr.startswith(b"session-memory: post_tool_use: " + told)
    (record,) = diagnostics(repo)
    assert record["message"].startswith(told.decode())
    assert (record["session_key"], record["host"]) == ("s-s1", "claude")
    assert b"AskUserQuestion" not in done.stderr


def test_a_failure_afterwards_keeps_the_answer(repo: Repository) -> None:
    handler = (
        "def handle(session):\n  session.afterwards.append(int.missing)\n  session.say('facts')"
    )
    handler = handler.replace("int.missing", "lambda: 1 // 0")
    done = run(repo, handler)
    assert done.context == "facts"
    assert b"ZeroDivisionError" in done.stderr


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        ("1 // 0", b"ZeroDivisionError at <string>:4"),
        ("handle(session)", b"RecursionError at "),
        ("raise SystemExit(3)", b"SystemExit at <string>:4"),
        ("import time; time.sleep(30)", b"out of time"),
    ],
)
def test_what_was_said_before_a_failure_is_told(
    repo: Repository, failure: str, told: bytes
) -> None:
    lines = ["def handle(session):", "  if not session.said: session.say('facts')"]
    done = run(repo, "\n".join([*lines, "  pass", f"  {failure}"]), budget=1.0)
    assert (done.code, done.context) == (0, "facts")
    assert done.stderr.startswith(b"session-memory: post_tool_use: " + told)
    assert done.stderr.count(b"\n") == 1


def test_parts_are_told_together(repo: Repository) -> None:
    done = run(repo, "def handle(session):\n  for text in ('a', '', 'b'): session.say(text)")
    assert done.context == "a\n\nb"


def test_losses_are_told_together(repo: Repository) -> None:
    lines = ["def handle(session):", "  session.lose('one')"]
    lines += ["  session.lose('two', OSError(13, 'denied'))", "  session.say('facts')"]
    done = run(repo, "\n".join(lines))
    assert done.context == "facts"
    assert done.stderr == b"session-memory: post_tool_use: one; two: denied\n"


def test_a_long_or_strange_message_stays_one_short_line(repo: Repository) -> None:
    done = run(repo, "def handle(session):\n  session.lose('a\\nb\\x1b\\u2028' + 'ß' * 5000)")
    assert done.stderr.count(b"\n") == 1
    assert len(done.stderr) < 500


@pytest.mark.parametrize("statement", ["import time; time.sleep(30)", "while True: pass"])
def test_the_deadline_ends_any_handler_and_says_so(repo: Repository, statement: str) -> None:
    started = time.monotonic()
    done = run(repo, f"def handle(session):\n  {statement}", budget=0.3)
    assert time.monotonic() - started < 3
    done.assert_failed_open()
    assert done.stderr == b"session-memory: post_tool_use: out of time\n"
    assert diagnostics(repo)[0]["message"] == "out of time"


def test_a_host_that_stopped_listening(repo: Repository) -> None:
    out, into = os.pipe()
    os.close(out)
    done = run(repo, "def handle(session): session.say('facts')", stdout=into)
    os.close(into)
    assert done.code == 0
    assert b"BrokenPipeError (Broken pipe)" in done.stderr


def test_a_full_device_for_the_answer(repo: Repository) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(repo, "def handle(session): session.say('facts')", stdout=full.fileno())
    assert done.code == 0
    assert b"No space left on device" in done.stderr
