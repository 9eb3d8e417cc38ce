"""Finding dispositions and review dispositions beyond what the vectors say."""

from typing import Any

import pytest

from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.markers.problem import Problem
from session_memory.records import external_reviews, finding_dispositions, review_dispositions
from session_memory.records.rendering import render_body
from session_memory.records.validators import check
from session_memory.yaml_text import YamlError

DESIGN = marker("design-phase-complete", 7)
REVIEW = marker("review-dispositions", 42)


def codes(problems: list[Problem]) -> list[str]:
    return [problem.code for problem in problems]


def entry(**changes: Any) -> dict[str, Any]:
    base = {
        "stable_finding_key": "gh-1",
        "pass": 1,
        "disposition": "incorporate",
        "classification": "routine",
        "disposition_rationale": "why",
        "reviewer_source": "local",
    }
    return {**base, **changes}


def review(*entries: dict[str, Any], **changes: Any) -> str:
    payload = {"schema_version": 4, "passes_run": [1], "entries": list(entries), **changes}
    return render_body(REVIEW, payload)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prose only", []),
        ("```yaml\nother: 1\n```", ["missing-block"]),
        ("```yaml\nfinding_dispositions: []\n```", ["missing-block"]),
        ("```yaml\nfinding_dispositions: {}\n```",
         ["schema_version", "passes_run:subset", "entries"]),
        ("```yaml\na: b: c\n```", ["bad-yaml"]),
        ("```yaml\na: 1\n```\n\n```yaml\na: 1\n```", ["bad-yaml"]),
        ("```yaml\nfinding_dispositions: {schema_version: 1, passes_run: [1], entries: [x]}\n```",
         ["entry", "passes_run:mismatch"]),
    ],
)  # fmt: skip
def test_a_design_comment(text: str, expected: list[str]) -> None:
    assert codes(check(f"{DESIGN.literal}\n\n{text}\n", DESIGN)) == expected


@pytest.mark.parametrize("identity", ["F1", "M12", "CR3"])
def test_ids_in_use(identity: str) -> None:
    item = {**_FINDING, "finding_id": identity}
    assert finding_dispositions.check({**_BLOCK, "entries": [item]}) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"finding_id": "f1"}, "finding_id"),
        ({"finding_id": "F1\n"}, "finding_id"),
        ({"classification": "Routine"}, "classification"),
        ({"artifact_citation": " "}, "artifact_citation"),
        ({"also_flagged_by": [1]}, "also_flagged_by"),
        ({"also_flagged_by": []}, "also_flagged_by"),
    ],
)
def test_one_fault_in_a_finding(changes: dict[str, Any], code: str) -> None:
    block = {**_BLOCK, "entries": [{**_FINDING, **changes}]}
    assert codes(finding_dispositions.check(block)) == [code]


def test_a_pass_beyond_the_last() -> None:
    block = {**_BLOCK, "entries": [{**_FINDING, "pass": 5}]}
    assert codes(finding_dispositions.check(block)) == ["pass", "passes_run:mismatch"]


_FINDING = {
    "finding_id": "F1",
    "pass": 1,
    "disposition": "dismiss",
    "classification": "routine",
    "disposition_rationale": "why",
}
_BLOCK = {"schema_version": 1, "passes_run": [1], "entries": []}


def test_other_bodies_without_the_block_are_nobodys_business() -> None:
    assert finding_dispositions.check_body("text\n```yaml\na: 1\n```") == []
    assert finding_dispositions.check_body("text\n```yaml\na: b: c\n```") == []


def test_integrity_compares_ids_with_their_passes() -> None:
    ledger = [{"finding_id": "F1", "pass": 1}, {"finding_id": "F2", "pass": 1}]
    entries = [{"finding_id": "F1", "pass": 2}, {"finding_id": "F2", "pass": 1}]
    result = finding_dispositions.integrity(ledger, entries)
    assert (result.missing, result.extra) == ((("F1", 1),), (("F1", 2),))
    assert not result.ok
    assert finding_dispositions.integrity(ledger, ledger).ok
    assert finding_dispositions.integrity([], []).ok


def test_ids_are_read_even_from_a_faulty_block() -> None:
    text = "```yaml\nfinding_dispositions:\n  entries:\n    - finding_id: F9\n    - x\n```"
    assert finding_dispositions.finding_ids(f"{DESIGN.literal}\n{text}") == ["F9"]
    assert finding_dispositions.finding_ids(f"{DESIGN.literal}\nprose") == []
    with pytest.raises(YamlError):
        finding_dispositions.finding_ids(f"{DESIGN.literal}\n```yaml\na: b: c\n```")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"pass_role": "boss"}, "entry[0]:pass_role"),
        ({"severity": "HIGH"}, "entry[0]:severity"),
        ({"unheard_of": 1}, "entry[0]:unknown:unheard_of"),
        ({"internal_match": {}}, "entry[0]:internal_match"),
        ({"ac_cross_check": "yes"}, "entry[0]:ac_cross_check"),
        ({"reviewer_source": " "}, "entry[0]:reviewer_source"),
        ({"also_flagged_by": [6]}, "entry[0]:also_flagged_by:value:6"),
        ({"disposition": "dismiss"}, "entry[0]:severity"),
        ({"disposition": "defer", "severity": "critical"}, "entry[0]:ac_cross_check"),
    ],
)
def test_one_fault_in_a_review_entry(changes: dict[str, Any], code: str) -> None:
    assert codes(check(review(entry(**changes)), REVIEW)) == [code]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"external_sources_reconciled": [1]}, "external_sources_reconciled"),
        ({"entries": None}, "entries"),
        ({"entries": ["x"]}, "entry[0]:not-a-mapping"),
        ({"unheard_of": 1}, "unknown:unheard_of"),
    ],
)
def test_one_fault_in_a_review_payload(changes: dict[str, Any], code: str) -> None:
    assert codes(check(review(**changes), REVIEW)) == [code]


def test_a_cross_check_is_checked_field_by_field() -> None:
    faulty = {"file_arm": "yes", "term_arm": True, "result": "x", "source": "issue", "more": 1}
    found = codes(check(review(entry(ac_cross_check=faulty)), REVIEW))
    assert found == [
        "entry[0]:ac_cross_check:file_arm",
        "entry[0]:ac_cross_check:result",
        "entry[0]:ac_cross_check:routed",
        "entry[0]:ac_cross_check:unknown:more",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x", "missing-payload"),
        ("```yaml\n- a\n```", "bad-yaml"),
        ("```yaml\na: b: c\n```", "bad-yaml"),
    ],
)
def test_a_review_body_that_cannot_be_read(text: str, code: str) -> None:
    assert codes(check(f"{REVIEW.literal}\n{text}", REVIEW)) == [code]


def test_the_comments_of_a_pull_request_are_checked_together() -> None:
    comments = [
        Comment(1, review(entry(), entry())),
        Comment(2, f"{REVIEW.literal}\n```yaml\n- a\n```"),
    ]
    result = review_dispositions.check_comments(comments, 42)
    assert (result.marker_count, result.entry_count, result.status) == (2, 2, "findings")
    assert result.problems[0].where == "comment 2"
    assert review_dispositions.check_comments(comments, 0).marker_count == 0


def _judged(number: int, created: str, status: str, key: str = "k") -> Comment:
    match = {"match_status": status}
    body = review(
        entry(stable_finding_key=key, reviewer_source="alice", internal_match=match),
        external_sources_reconciled=[],
    )
    return Comment(number, body, author="judge[bot]", created_at=created)


@pytest.mark.parametrize(
    ("one", "other", "novel"),
    [
        (("2026-01-01", "duplicate"), ("2026-01-02", "novel"), 1),
        (("2026-01-02", "duplicate"), ("2026-01-01", "novel"), 0),
        (("2026-01-01", "duplicate"), ("2026-01-01", "novel"), 1),
        (("2026-01-01", "duplicate"), ("", "novel"), 0),
        (("", "duplicate"), ("2026-01-01", "novel"), 1),
        (("", "duplicate"), ("", "novel"), 1),
    ],
    ids=["newer", "older", "equal", "undated never wins", "dated always wins", "position"],
)
def test_of_one_finding_the_newest_entry_counts(
    one: tuple[str, str], other: tuple[str, str], novel: int
) -> None:
    comments = [_judged(1, *one), _judged(2, *other)]
    assert external_reviews.merge(comments, 42, "judge").novel == novel


def test_entries_of_all_passes_are_united() -> None:
    comments = [_judged(1, "2026-01-01", "novel", "a"), _judged(2, "2026-01-02", "duplicate", "b")]
    result = external_reviews.merge(comments, 42, "judge")
    assert (result.novel, result.duplicate, result.external_catch) == (1, 1, 2)


def test_a_judgement_that_cannot_be_read_is_told() -> None:
    body = f"{REVIEW.literal}\n```yaml\na: 1\n```\n```yaml\nb: 1\n```"
    result = external_reviews.merge([Comment(8, body, author="judge")], 42, "judge")
    assert not result.measured
    assert result.warnings[0].where == "comment 8 by judge"
