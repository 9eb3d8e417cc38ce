"""L2 over a stream: last tokens, corroboration, outcomes, bounded memory."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from durable_support import token
from session_memory.gates import corroboration, reconcile
from session_memory.gates.lines import MAX_LINE_BYTES
from session_memory.gates.sources import Log
from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.records.recorded import recorded
from session_memory.records.rendering import render_body

ISSUE = Target(7)


def question(minute: int, count: object = 1, **changes: Any) -> dict[str, Any]:
    base = {
        "event_type": "structured-question-fired",
        "session_key": "s-1",
        "timestamp": f"2026-06-02T00:{minute:02}:00Z",
        "question_count": count,
    }
    return {**base, **changes}


def found(*log: Any, known: tuple[str, ...] = (), target: Target = ISSUE) -> list[str]:
    result = reconcile.reconcile(log, frozenset(known), target)
    return [asked.decision_id for asked in result.findings]


@pytest.mark.parametrize(
    ("later", "open_ids"),
    [
        ({"outcome": "declined"}, []),
        ({"classification": "routine"}, []),
        ({}, ["cache-key"]),
        ({"phase": "plan", "classification": "routine"}, ["cache-key"]),
        ({"outcome": "askd"}, ["cache-key"]),
        ({"outcome": "declined", "timestamp": "2026-06-01T00:00:00Z"}, ["cache-key"]),
        ({"outcome": "declined", "issue_number": None}, []),
    ],
    ids=["skip", "routine", "again", "other phase", "unknown outcome", "earlier", "old token"],
)
def test_the_last_token_of_a_decision_counts(later: dict[str, Any], open_ids: list[str]) -> None:
    assert found(token(), token(minute=1, **later)) == open_ids


def test_ids_are_compared_without_case() -> None:
    assert found(token("f1"), token("F2"), known=("f1", "f2")) == []


def test_a_pull_request_sees_its_own_tokens_only() -> None:
    review = token("gh-1", issue_number=None, pull_request_number=9)
    assert found(token(), review, target=Target(7, 9)) == ["gh-1"]


def test_an_issue_sees_no_tokens_of_pull_requests() -> None:
    review = token("gh-1", issue_number=None, pull_request_number=9)
    assert found(token(), token("old-log", issue_number=None), review) == ["cache-key", "old-log"]


@pytest.mark.parametrize(
    ("log", "failed", "status"),
    [
        ([], False, "nothing-to-check"),
        ([token(outcome="declined")], False, "clean"),
        ([token(outcome="declined")], True, "incomplete"),
        ([], True, "incomplete"),
        ([token()], True, "findings"),
    ],
)
def test_outcomes(log: list[Any], failed: bool, status: str) -> None:
    failures = [Problem("records-unreadable", "x")] if failed else []
    result = reconcile.reconcile(log, frozenset(), ISSUE, failures=failures)
    assert result.status == status
    assert list(result.problems[: len(failures)]) == failures


def test_torn_lines_and_unknown_outcomes_are_counted() -> None:
    log: list[Any] = [
        '{"decision_id": "a',
        b"\xff{",
        b"[" * 100_000 + b"{",
        "[1, {}]",
        token(outcome="askd"),
    ]
    result = reconcile.reconcile(log, frozenset(), ISSUE)
    assert result.bad_lines == 3
    assert result.unknown_outcomes == ("askd",)
    assert [problem.code for problem in result.problems] == ["bad-lines", "unknown-outcome"]
    assert result.status == "clean"


def test_lines_of_a_file_are_bounded_and_counted() -> None:
    whole = json.dumps(token()).encode()
    too_long = b"{" + b" " * (MAX_LINE_BYTES * 2) + b"}"
    parts = [b"\xef\xbb\xbf" + whole, too_long, b"", whole + whole, whole + b"\r", too_long]
    log = Log.of_file(io.BytesIO(b"\n".join(parts)), "the-log")

    result = reconcile.reconcile(log.records, frozenset(), ISSUE)

    assert (result.token_count, result.bad_lines) == (2, 1)
    assert (log.faults.lines, log.faults.first) == (2, ["the-log:2", "the-log:6"])


def test_line_at_the_limit_is_read() -> None:
    whole = json.dumps(token()).encode()
    parts = [whole.ljust(MAX_LINE_BYTES), whole.ljust(MAX_LINE_BYTES + 1), whole]
    log = Log.of_file(io.BytesIO(b"\n".join(parts) + b"\n"), "the-log")

    assert reconcile.reconcile(log.records, frozenset(), ISSUE).token_count == 2
    assert log.faults.first == ["the-log:2"]


def missing(*log: Any) -> list[str]:
    result = reconcile.reconcile(log, frozenset({"a", "b", "c"}), ISSUE)
    return [asked.decision_id for asked in result.uncorroborated]


@pytest.mark.parametrize(
    ("log", "ids"),
    [
        ([token("a"), question(1)], []),
        ([token("a")], ["a"]),
        ([question(0), token("a", 1)], ["a"]),
        ([token("a"), token("b"), question(1)], ["a"]),
        ([token("a"), token("b"), question(1, 2)], []),
        ([token("a"), token("b", classification="routine"), question(1)], ["a"]),
        ([token("a"), question(1, session_key="s-2")], ["a"]),
        ([token("a", session_key=""), question(1)], []),
        ([token("a"), question(1, timestamp="2026-06-02T02:00:00Z")], ["a"]),
        ([token("a"), question(1, timestamp="soon")], []),
        ([token("a", 3), question(2)], ["a"]),
        ([token("a"), question(1, timestamp="2026-06-02T01:00:00Z")], []),
        ([token("a"), question(1, timestamp="2026-06-02T01:00:01+00:00")], ["a"]),
        ([token("a"), question(1, "many")], []),
        ([token("a", outcome="declined")], []),
        ([token("a", issue_number=8)], []),
        ([token("a"), {"event_type": "other", "session_key": "s-1"}], ["a"]),
    ],
    ids=[
        "seen", "not seen", "seen too early", "one question", "two questions", "routine took it",
        "other session", "no session", "too late", "no time", "before it in the same hour",
        "an hour later", "more than an hour later", "no count", "skipped",
        "other issue", "other event",
    ],
)  # fmt: skip
def test_a_question_event_confirms_a_token(log: list[Any], ids: list[str]) -> None:
    assert missing(*log) == ids


def test_a_long_line_of_waiting_tokens_is_cut() -> None:
    log = [token("a", session_key=f"s-{n}") for n in range(300)] + [token("b") for _ in range(40)]
    assert len(missing(*log)) == 340


def test_too_many_open_decisions_are_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "MAX_OPEN", 2)
    monkeypatch.setattr(corroboration, "_MAX_MISSING", 2)
    result = reconcile.reconcile([token(f"d-{n}") for n in range(4)], frozenset(), ISSUE)
    assert [asked.decision_id for asked in result.findings] == ["d-0", "d-1"]
    assert [problem.code for problem in result.problems] == ["too-many-open"]
    assert result.failed


_BOUNDED = """
import json, resource, sys
from session_memory.gates.reconcile import reconcile
from session_memory.markers.target import Target

def log():
    for n in range(200_000):
        yield json.dumps({"decision_id": f"d-{n}", "phase": "design", "outcome": "asked",
            "classification": "load-bearing", "timestamp": "2026-06-02T00:00:00Z",
            "session_key": f"s-{n}", "issue_number": 7})

reconcile([], frozenset(), Target(7))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert reconcile(log(), frozenset(), Target(7)).token_count == 200_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the peak of a process is asked of POSIX")
def test_memory_does_not_grow_with_the_log() -> None:
    lib = Path(reconcile.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _BOUNDED],
        env={"PYTHONPATH": str(lib)},
        capture_output=True,
        text=True,
        check=True,
    )
    unit = 1024 if sys.platform == "darwin" else 1
    assert int(done.stdout) / unit < 32 * 1024  # KiB


def _body(family: str, payload: dict[str, Any], number: int = 7, part: str = "") -> str:
    return render_body(marker(family, number, part), payload)


def _design(finding: str, number: int = 7) -> str:
    block = {"entries": [{"finding_id": finding}]}
    return _body("design-phase-complete", {"finding_dispositions": block}, number)


DESIGN = {
    "schema_version": 2,
    "phase": "design",
    "capture_session": "x",
    "load_bearing_decisions": [{"decision_id": "cache-key"}],
}


def test_everything_that_records_decisions_is_read() -> None:
    comments = [
        Comment(1, _body("engagement-record", DESIGN, part="design")),
        Comment(2, _design("F8")),
        Comment(3, _design("F1")),
        Comment(4, _design("F9", 70)),
        Comment(5, _body("review-dispositions", {"entries": [{"stable_finding_key": "gh-1"}]}, 9)),
        Comment(6, "<!-- plan-issue-7 -->"),
        Comment(7, "just talk", author="stranger"),
    ]  # fmt: skip
    result = recorded(comments, Target(7, 9))
    assert result.ids == {"cache-key", "f1", "gh-1"}
    assert (result.failures, result.warnings) == ((), ())


@pytest.mark.parametrize(
    ("family", "number"), [("design-phase-complete", 7), ("review-dispositions", 9)]
)
def test_dispositions_that_cannot_be_read_are_a_failed_source(family: str, number: int) -> None:
    literal = marker(family, number).literal
    result = recorded([Comment(3, f"{literal}\n```yaml\na: b: c\n```")], Target(7, 9))
    assert [str(problem) for problem in result.failures] == [
        "comment 3: mapping values are not allowed here (line 3)"
    ]


def test_a_strangers_records_do_not_settle_anything() -> None:
    comments = [
        Comment(1, _body("engagement-record", DESIGN, part="design"), author="mallory"),
        Comment(2, "just talk", author="mallory"),
    ]
    result = recorded(comments, ISSUE, trusts=lambda one: False)
    assert result.ids == frozenset()
    assert len(result.warnings) == 1


def test_nothing_is_recorded_for_no_target() -> None:
    assert recorded([], Target()).ids == frozenset()


def test_no_text_of_a_record_enters_a_finding() -> None:
    secret = "sk-" + "b" * 40
    log = json.dumps(token(skip_reason=secret, note=secret))
    result = reconcile.reconcile([log, "{" + secret], frozenset(), ISSUE)
    assert secret not in repr(result)
