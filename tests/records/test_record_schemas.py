"""Code and schema agree about every payload: the vectors', and thousands that are nearly right."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from session_memory import schemas
from session_memory.markers.payload import extract
from session_memory.records import (
    credit_inputs,
    engagement,
    finding_dispositions,
    followup_queue,
    review_dispositions,
)
from session_memory.records.values import version_number
from session_memory.yaml_text import YamlError

VECTORS = Path(__file__).parents[1] / "vectors"

ENTRY = {
    "stable_finding_key": "gh-1",
    "pass": 1,
    "disposition": "dismiss",
    "classification": "routine",
    "disposition_rationale": "why",
    "severity": "high",
    "stage": "ce",
    "reviewer_source": "local",
    "pass_role": "generalist-A",
    "also_flagged_by": [2, 3],
    "internal_match": {"match_status": "novel"},
    "ac_cross_check": {
        "file_arm": True,
        "term_arm": False,
        "result": "no-match",
        "source": "issue",
        "routed": "defer",
    },
}
FINDING = {
    "finding_id": "F1",
    "pass": 1,
    "disposition": "dismiss",
    "classification": "routine",
    "disposition_rationale": "why",
    "artifact_citation": "a.md",
    "also_flagged_by": [2],
}
DECISION = {
    "decision_id": "cache-key",
    "classification": "routine",
    "engineer_choice": "x",
    "articulation_status": "pending",
    "recommendation_shift_trigger": "new-evidence",
}
REPLACEMENTS: list[Any] = [
    None, "", "  ", "x", "cache-key", "cache-key\n", "Cache", "gh-12", "a.py:3:0a1b2c3d", 0, 1, 2,
    5, 6, -1, True, False, "1", [], [1], [1, 1], [1, 6], ["x"], {}, {"a": 1},
    "low", "defer", "review",
]  # fmt: skip


def _record(version: int, phase: str) -> dict[str, Any]:
    return {
        "schema_version": version,
        "phase": phase,
        "capture_session": "normal-design-v2",
        "load_bearing_decisions": [dict(DECISION)],
    }


def _dispositions(version: int) -> dict[str, Any]:
    return {
        "schema_version": version,
        "passes_run": [1, 2],
        "entries": [dict(ENTRY)],
        "external_sources_reconciled": ["gh-1"],
    }


BASES: list[tuple[str, dict[str, Any]]] = [
    ("engagement-record", _record(1, "design")),
    ("engagement-record", _record(2, "plan")),
    ("engagement-record", _record(3, "orchestration")),
    ("engagement-record", _record(4, "review")),
    ("engagement-record", _record(4, "design")),
    *[("review-dispositions", _dispositions(version)) for version in (1, 2, 3, 4)],
    (
        "finding-dispositions",
        {"finding_dispositions": {"schema_version": 1, "passes_run": [1, 2], "entries": [
            dict(FINDING), {**FINDING, "pass": 2, "also_flagged_by": [1]}]}},
    ),
    ("credit-input", {"port": "plan", "adapter": "work-adapter", "evidence": "e"}),
    (
        "followup-queue",
        {
            "schema_version": 1,
            "claim": {"claimant": "a", "claimed_at": "b", "lease_until": "c"},
            "settled": ["k"],
            "proposals": [dict.fromkeys(followup_queue.FIELDS, "x")],
        },
    ),
]  # fmt: skip


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield from _paths(item, (*path, key))


def _items(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def near_misses(base: dict[str, Any]) -> Iterator[Any]:
    """The payload itself, and every single change of one place in it."""
    yield base
    for *parents, last in [path for path in _paths(base) if path]:
        for change in [*REPLACEMENTS, _DELETE, _ADD]:
            copied = copy.deepcopy(base)
            holder: Any = copied
            for key in parents:
                holder = holder[key]
            if change is _DELETE:
                del holder[last]
            elif change is _ADD and isinstance(holder, dict):
                holder["unheard_of"] = 1
            elif change is not _ADD:
                holder[last] = change
            yield copied


_DELETE, _ADD = object(), object()


def _engagement(payload: Any) -> bool:
    if engagement.missing_fields(payload) or not engagement.known_version(payload):
        return False
    return not engagement.check(payload, engagement.phase_of(payload))


def _findings(payload: Any) -> bool:
    # What a schema cannot compare: the entries' passes with those that were run.
    beyond = {"passes_run:mismatch", "also_flagged_by"}
    found = finding_dispositions.check(payload.get("finding_dispositions"))
    return {problem.code for problem in found} <= beyond


CODE: dict[str, Callable[[Any], bool]] = {
    "engagement-record": _engagement,
    "review-dispositions": lambda payload: not review_dispositions.check(payload),
    "finding-dispositions": _findings,
    "credit-input": lambda payload: not credit_inputs.check(payload),
    "followup-queue": lambda payload: not followup_queue.check(payload),
}


def _schema_accepts(kind: str, payload: Any) -> bool:
    name = kind
    if kind in ("engagement-record", "review-dispositions"):
        version = version_number(payload.get("schema_version"))
        if version not in (1, 2, 3, 4):
            return False
        name = f"{kind}-v{version}"
    return bool(_validator(name).is_valid(payload))


def _validator(name: str) -> Draft202012Validator:
    if name not in _VALIDATORS:
        _VALIDATORS[name] = Draft202012Validator(schemas.load(name))
    return _VALIDATORS[name]


_VALIDATORS: dict[str, Draft202012Validator] = {}


@pytest.mark.parametrize(
    ("kind", "base"), BASES, ids=[f"{k}-{n}" for n, (k, _) in enumerate(BASES)]
)
def test_code_and_schema_agree_on_near_misses(kind: str, base: dict[str, Any]) -> None:
    assert CODE[kind](base)
    for payload in near_misses(base):
        if kind == "finding-dispositions" and _alone_in_code(payload):
            continue
        assert CODE[kind](payload) is _schema_accepts(kind, payload), payload


def _alone_in_code(payload: Any) -> bool:
    """Whether only the relation between entries and passes is wrong, or a flagged list's values."""
    block = payload.get("finding_dispositions")
    found = [problem.code for problem in finding_dispositions.check(block)]
    return "also_flagged_by" in found


@pytest.mark.parametrize("also", [[], "x", [4], [2, 2], ["2"], [True], None])
def test_the_schema_refuses_what_no_pass_could_be(also: Any) -> None:
    entry = {**FINDING, "also_flagged_by": also}
    block = {"schema_version": 1, "passes_run": [1, 2], "entries": [entry]}
    assert not _schema_accepts("finding-dispositions", {"finding_dispositions": block})
    codes = [problem.code for problem in finding_dispositions.check(block)]
    assert "also_flagged_by" in codes


_FAMILIES = {
    **{kind: kind for kind in CODE},
    "finding-dispositions": "design-phase-complete",
    "followup-queue": "proposed-followups",
}


def _vector_payloads() -> Iterator[Any]:
    """Every payload in the vectors whose marker tells what it is."""
    for path in VECTORS.glob("*.json"):
        for row in json.loads(path.read_text("utf-8")):
            for body in _bodies(row):
                for kind, family in _FAMILIES.items():
                    if body.startswith(f"<!-- {family}-"):
                        yield pytest.param(kind, body, id=f"{row['id']}-{kind}")


def _bodies(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for _, item in _items(value):
        yield from _bodies(item)


@pytest.mark.parametrize(("kind", "body"), list(_vector_payloads()))
def test_code_and_schema_agree_on_vectors(kind: str, body: str) -> None:
    try:
        payload = extract(body).load()
    except YamlError:
        return
    if isinstance(payload, dict) and ("finding_dispositions" in payload or kind[0] != "f"):
        if kind == "finding-dispositions" and _alone_in_code(payload):
            return
        assert CODE[kind](payload) is _schema_accepts(kind, payload)


SCHEMAS = sorted((Path(__file__).parents[2] / "schemas").glob("*.schema.json"))


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: str(path.stem))
def test_every_schema_is_one(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))
