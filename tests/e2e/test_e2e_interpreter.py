"""Interpreters that are missing, slow or broken, and hooks that hang: the client goes on."""

import json
import os
import time

import pytest

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES, STARTUP

# Longer than any limit that is to save us from it, in seconds.
FOREVER = 120


def test_no_python_at_all(editor: Editor) -> None:
    editor.workspace.python.unlink()

    run = editor.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 0
    assert editor.workspace.repository.status() == ""


def test_shim_is_asked_once_and_then_passed_by(newest: Editor) -> None:
    workspace = newest.workspace
    calls = workspace.folder / "calls"
    real = workspace.python.resolve()
    workspace.program("python3", f'echo "$*" >>"{calls}"\nexec "{real}" "$@"')

    run = newest.run("Work on #647", "And on we go")

    assert run.requests[0].count(STARTUP) == run.last.count(REFERENCES) == 1
    # Hooks of the first prompt may start side by side, before any of them remembers.
    probes = calls.read_text("utf-8").splitlines()
    assert 1 <= len(probes) <= 2
    assert all("--probe" in probe for probe in probes)


@pytest.mark.parametrize("chosen_by", ["PATH", "setting"])
def test_interpreter_that_sleeps_is_passed_over(chosen_by: str, newest: Editor) -> None:
    name = "python3" if chosen_by == "PATH" else "sleeper"
    sleeper = newest.workspace.program(name, f"exec sleep {FOREVER}")
    if chosen_by == "setting":
        newest.workspace.extra["SESSION_MEMORY_PYTHON"] = str(sleeper)

    run = newest.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 1


def test_interpreter_that_cannot_read_the_plugin_is_passed_over(newest: Editor) -> None:
    """A packaged Python may run code of its own, but open no file outside its sandbox."""
    real = newest.workspace.python.resolve()
    confined = f'case "$*" in *" -c "*) exec "{real}" "$@" ;; esac\nexit 2'
    newest.workspace.program("python3", confined)

    run = newest.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 1


def test_gh_that_hangs_costs_the_references_only(newest: Editor) -> None:
    newest.workspace.program("gh", f"exec sleep {FOREVER}")
    started = time.monotonic()

    run = newest.run("Work on #647")

    assert time.monotonic() - started < FOREVER / 2
    assert run.last.count(STARTUP) == 1
    assert run.last.count(REFERENCES) == 0


def test_log_that_is_locked_loses_no_question(newest_claude: Editor) -> None:
    """Another process has the log's lock for as long as the conversation lasts."""
    import fcntl  # Windows has none

    first = newest_claude.run(
        newest_claude.script("Ask them", [newest_claude.ask("Shall it be red?")])
    )
    log = newest_claude.workspace.repository.session / f"gate-events-{first.key}.jsonl"
    again = newest_claude.script("Ask again", [newest_claude.ask("Shall it be blue?")])

    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        newest_claude.run(again, resume=first.session_id)

    assert len(newest_claude.workspace.records()) == 2


def test_log_that_is_a_fifo_loses_no_question(newest_claude: Editor) -> None:
    """Whoever opens it for reading or writing waits for the other side."""
    first = newest_claude.run(
        newest_claude.script("Ask them", [newest_claude.ask("Shall it be red?")])
    )
    log = newest_claude.workspace.repository.session / f"gate-events-{first.key}.jsonl"
    log.unlink()
    os.mkfifo(log)
    again = newest_claude.script("Ask again", [newest_claude.ask("Shall it be blue?")])

    newest_claude.run(again, resume=first.session_id)

    other = newest_claude.workspace.scene.root / ".copilot-tracking" / "gate-events.jsonl"
    (record,) = map(json.loads, other.read_text("utf-8").splitlines())
    assert record["session_key"] == first.key
