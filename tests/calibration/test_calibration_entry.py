"""Presence and type of every field, named in the error."""

import copy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from calibration_support import SUMMARY, entry, event, finding
from session_memory import schemas
from session_memory.calibration.entry import MAX_FINDINGS, check_entry, check_event
from session_memory.calibration.writing import check_shape

EXPRESS = {"id": "F1", "category": "pattern", "express_lane": True}


def fields(problems: list[Any]) -> list[str]:
    return [problem.where for problem in problems]


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"pr_number": 5, "created_at": "2026-03-20"}, id="nothing optional"),
        pytest.param(entry(5, finding(), EXPRESS, summary=SUMMARY), id="everything"),
        pytest.param(entry(5, {**EXPRESS, "express_lane": "True"}), id="express lane as text"),
        pytest.param(
            entry(summary={**SUMMARY, "judge_deferred": "n/a"}), id="a stage that did not run"
        ),
        pytest.param(entry(unheard_of={"a": [1.5]}), id="unknown members"),
        pytest.param(
            {"pr_number": 5, "created_at": "2026-03-20T14:00:00.1234567+02:00"}, id="another zone"
        ),
    ],
)
def test_sound_entries(given: dict[str, Any]) -> None:
    assert check_entry(given) == []


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        pytest.param({"pr_number": 2.7}, "pr_number", "a fraction", id="fraction"),
        pytest.param({"pr_number": 5.0}, "pr_number", "a fraction", id="fraction of nothing"),
        pytest.param({"pr_number": True}, "pr_number", "a truth value", id="truth value"),
        pytest.param({"pr_number": "5"}, "pr_number", "a text", id="text"),
        pytest.param({"pr_number": 0}, "pr_number", "is no number", id="zero"),
        pytest.param({"pr_number": 10**30}, "pr_number", "is no number", id="huge"),
        pytest.param({"created_at": 1790000000}, "created_at", "an integer", id="time as number"),
        pytest.param({"created_at": "2026-02-30"}, "created_at", "ISO 8601", id="no such day"),
        pytest.param({"created_at": None}, "created_at", "null", id="null"),
        pytest.param({"findings": {"id": "F1"}}, "findings", "an object", id="not a list"),
        pytest.param({"findings": ["F1"]}, "findings[0]", "a text", id="finding that is text"),
        pytest.param(
            {"findings": [finding()] * (MAX_FINDINGS + 1)}, "findings", "more than", id="too many"
        ),
        pytest.param({"findings": [finding(), finding(id="  ")]}, "findings[1].id", "blank",
                     id="blank"),
        pytest.param({"findings": [finding(id=7)]}, "findings[0].id", "an integer", id="id"),
        pytest.param({"findings": [finding("x" * 1001)]}, "findings[0].category", "1000",
                     id="long"),
        pytest.param({"findings": [{**EXPRESS, "express_lane": False}]},
                     "findings[0].judge_ruling", "missing", id="not express"),
        pytest.param({"findings": [{**EXPRESS, "judge_ruling": 1}]},
                     "findings[0].judge_ruling", "an integer", id="express with a wrong ruling"),
        pytest.param({"findings": [finding(review_stage=[])]}, "findings[0].review_stage", "a list",
                     id="stage"),
        pytest.param({"summary": []}, "summary", "a list", id="summary"),
        pytest.param({"summary": {**SUMMARY, "judge_rejected": -1}}, "summary.judge_rejected",
                     "no count", id="negative"),
        pytest.param({"summary": {**SUMMARY, "judge_rejected": "1"}}, "summary.judge_rejected",
                     "a text", id="count as text"),
        pytest.param({"summary": {**SUMMARY, "pass_findings": {}}}, "summary.pass_findings",
                     "empty", id="no passes"),
        pytest.param({"summary": {**SUMMARY, "pass_findings": [1]}}, "summary.pass_findings",
                     "a list", id="passes as list"),
        pytest.param({"summary": {**SUMMARY, "pass_findings": {"2": 1.5}}},
                     "summary.pass_findings.2", "a fraction", id="a pass"),
    ],
)  # fmt: skip
def test_faults_are_named_by_field(change: dict[str, Any], field: str, words: str) -> None:
    (problem,) = check_entry({**entry(), **change})
    assert problem.where == field
    assert words in problem.message


def test_all_faults_are_told_at_once() -> None:
    given = {"findings": [{}], "summary": {"pass_findings": {"1": 1}}}
    assert len(check_entry(given)) == 2 + 3 + 5


@pytest.mark.parametrize("given", [None, [], "x", 5])
def test_what_is_no_object(given: object) -> None:
    assert fields(check_entry(given)) == ["entry"]
    assert fields(check_event(given)) == ["event"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"category": " "}, "event.category"),
        ({"triggered_at_pr": 1.0}, "event.triggered_at_pr"),
        ({"expires_at_pr": True}, "event.expires_at_pr"),
        ({"expires_at_pr": 5}, "event.expires_at_pr"),
        ({"trigger_source": None}, "event.trigger_source"),
        ({"created_at": "soon"}, "event.created_at"),
    ],
)
def test_faults_of_an_event(change: dict[str, Any], field: str) -> None:
    assert check_event(event()) == []
    assert fields(check_event({**event(), **change})) == [field]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"calibration_version": 2}, "calibration_version"),
        ({"calibration_version": True}, "calibration_version"),
        ({"calibration_version": "1"}, "calibration_version"),
        ({"entries": {}}, "entries"),
        ({"prosecution_depth_state": []}, "prosecution_depth_state"),
        ({"proposals_emitted": "none"}, "proposals_emitted"),
    ],
)
def test_documents_that_cannot_be_added_to(document: dict[str, Any], field: str) -> None:
    assert fields(check_shape(document)) == [field]
    assert not _validator("data").is_valid(document)


def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schemas.load(f"calibration-{name}"))


VALUES: list[Any] = [
    None, "", "  ", "x", "n/a", "true", "2026-01-01", 0, 1, -1, 2**31, 1.5, True, [], {}, [{}],
    {"1": 1}, "x" * 1001,
]  # fmt: skip


def _near(base: dict[str, Any], path: tuple[Any, ...] = ()) -> Any:
    """Every change of one place of ``base``, in its depth."""
    here: Any = base
    for key in path:
        here = here[key]
    keys = here if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
    for key in list(keys):
        yield from _near(base, (*path, key))
    for change in VALUES if path else []:
        copied = copy.deepcopy(base)
        holder: Any = copied
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = change
        yield copied
        if isinstance(holder, dict):
            del holder[path[-1]]
            yield copied


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("entry", entry(5, finding(review_stage="main"), EXPRESS, summary=SUMMARY)),
        ("event", {**event(), "created_at": "2026-03-20"}),
        ("data", {
            "calibration_version": 1, "entries": [], "re_activation_events": [],
            "prosecution_depth_state": {}, "proposals_emitted": [], "consolidation_events": [],
            "complexity_over_ceiling_history": None, "unheard_of": 1,
        }),
    ],
)  # fmt: skip
def test_code_and_schema_agree(name: str, base: dict[str, Any]) -> None:
    check: Any = {"entry": check_entry, "event": check_event, "data": check_shape}[name]
    validator = _validator(name)
    near = list(_near(base))
    assert len(near) > 100
    for given in [base, *near]:
        # Only code can compare two numbers.
        problems = [one for one in check(given) if "does not come after" not in one.message]
        assert validator.is_valid(given) is (problems == []), given
