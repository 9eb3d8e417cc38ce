"""What is read out of the metrics in a description."""

from typing import Any

import pytest

from calibration_support import finding, metrics
from session_memory.calibration.described import Described, read_all
from session_memory.github.merged import MergedPullRequest
from session_memory.markers.comment import Comment
from session_memory.markers.trust import anyone
from session_memory.records.metrics import read

BLOCK = "<!-- pipeline-metrics\nmetrics_version: 4  # the newest\n{}\n-->"


def described(body: str) -> Described:
    pull = MergedPullRequest(7, "2026-03-20T12:00:00Z", Comment(1, body))
    (found,), problems = read_all([pull], anyone)
    assert problems == []
    return found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain  # a comment", "plain"),
        ("plain\t# a comment", "plain"),
        ("C#", "C#"),
        ('"a # b"  # a comment', "a # b"),
        ("'it''s # one' # a comment", "it's # one"),
        ('"an \\"odd\\" one"', 'an "odd" one'),
        ("'unfinished # one", "'unfinished"),
    ],
)
def test_values_without_their_comments(value: str, expected: str) -> None:
    body = BLOCK.format(f"note: {value}\nfindings:  # all of them\n  - id: {value}")
    found = read(body)
    assert found.version == 4
    assert (found.scalars["note"], found.findings[0]["id"]) == (expected, expected)


def test_rows_at_the_left_margin_belong_to_the_list() -> None:
    body = BLOCK.format("findings:\n- id: F1\n  category: pattern\ncredits:\n- port: plan")
    found = read(body)
    assert found.findings == ({"id": "F1", "category": "pattern"},)
    assert found.ports == ["plan"]


@pytest.mark.parametrize(
    ("extra", "passes"),
    [
        pytest.param("pass_findings:\n  1: 2\n  2: n/a\n  3: 0\n", {"1": 2, "3": 0}, id="nested"),
        pytest.param("pass_1_findings: 2\npass_3_findings: 0\n", {"1": 2, "3": 0}, id="flat"),
        pytest.param("pass_1_findings: n/a\n", None, id="no pass ran"),
        pytest.param("pass_1_findings: 99999999999\n", None, id="no count"),
        pytest.param("", None, id="none told"),
    ],
)
def test_summary(extra: str, passes: Any) -> None:
    entry: Any = described(metrics(finding(), extra=extra)).entry
    assert (entry["summary"]["pass_findings"] if "summary" in entry else None) == passes


def test_half_a_summary_is_none() -> None:
    body = metrics(finding(), extra="pass_1_findings: 1\n").replace("judge_deferred: 0\n", "")
    assert "summary" not in described(body).entry


def test_numbers_of_a_finding_are_numbers() -> None:
    (found,) = described(metrics(finding(points="5", **{"pass": "2"}, severity=""))).findings
    assert (found["points"], found["pass"]) == (5, 2)
    assert "severity" not in found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[security, 'Pattern', \"n/a\"]", ["security", "pattern", "n/a"]),
        ("[]", []),
        ("[ , ]", []),
        ("security", []),
        ("[security", []),
    ],
)
def test_depths(value: str, expected: list[str]) -> None:
    body = metrics(finding(), extra=f"prosecution_depth_skip: {value}\n")
    assert described(body).depths == dict.fromkeys(expected, "skip")
