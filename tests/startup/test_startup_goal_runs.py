"""Worktrees of unattended runs: told, and never offered for removal."""

import json
import os
from datetime import datetime, timedelta, timezone

import pytest

from session_memory.startup import goal_runs
from startup_support import Clone, look

RUN = "goal-run/nightly"


def _ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat()


def _line(clone: Clone, state: "str | None") -> str:
    clone.branch(RUN)
    worktree = clone.worktree(RUN)
    if state is not None:
        worktree.write(goal_runs.STATE_FILE, state)
    looked = look(clone.primary.root)
    assert looked.names == {"goal-run"}
    assert looked.report.fence == []
    return looked.section("goal-run")


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(5, "is in flight: last heartbeat 5"), (61, "is stale"), (59, "in flight")],
)
def test_age_of_the_heartbeat(clone: Clone, minutes: int, words: str) -> None:
    line = _line(clone, json.dumps({"heartbeat_at": _ago(minutes - 0.5)}))
    assert words in line
    assert "deferred" not in line


def test_deferred_teardown(clone: Clone) -> None:
    state = {"heartbeat_at": _ago(1), "teardown_deferred": True}
    assert "its teardown was deferred" in _line(clone, json.dumps(state))


@pytest.mark.parametrize(
    "state",
    [None, "", "{", "[]", "{}", '{"heartbeat_at": 5}', '{"heartbeat_at": "yesterday"}'],
    ids=["none", "empty", "cut", "list", "no-heartbeat", "number", "no-time"],
)
def test_without_a_usable_state_nothing_backs_it(clone: Clone, state: "str | None") -> None:
    assert "(unbacked)" in _line(clone, state)


def test_state_that_is_a_link_is_not_followed(clone: Clone) -> None:
    target = clone.folder / "state"
    target.write_text(json.dumps({"heartbeat_at": _ago(1)}))
    clone.branch(RUN)
    os.symlink(target, clone.worktree(RUN).root / goal_runs.STATE_FILE)
    assert "(unbacked)" in look(clone.primary.root).text


def test_branch_without_a_worktree(clone: Clone) -> None:
    clone.branch(RUN)
    assert "`goal-run/nightly` has no state" in look(clone.primary.root).section("goal-run")


def test_run_that_the_conversation_is_in_is_not_mentioned(clone: Clone) -> None:
    clone.branch(RUN)
    assert look(clone.worktree(RUN).root).text == ""


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:01:00Z", 60.0),
        ("1970-01-01T00:01:00", 60.0),
        ("1970-01-01T01:01:00+01:00", 60.0),
        ("1970-01-01T00:01:00.1234567Z", 60.0),
        ("1970-13-01T00:00:00", None),
        ("soon", None),
    ],
)
def test_times(text: str, seconds: "float | None") -> None:
    assert goal_runs._seconds(text) == seconds
