"""L0 tokens: the rules, in code and in the schema."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from session_memory import schemas
from session_memory.gates import decision_ids, instant, tokens
from token_samples import ISSUE_TOKEN, REVIEW_TOKEN, without

SCHEMA = schemas.load("gate-decision-token")
VALIDATOR = Draft202012Validator(SCHEMA)
VECTORS = Path(__file__).parents[1] / "vectors" / "gate-token.json"


def changed(**changes: Any) -> dict[str, Any]:
    return {**ISSUE_TOKEN, **changes}


def reviewed(**changes: Any) -> dict[str, Any]:
    return {**REVIEW_TOKEN, **changes}


VALID = {
    "asked about an issue": ISSUE_TOKEN,
    "asked about a finding": REVIEW_TOKEN,
    "skipped with a reason": changed(outcome="declined", skip_reason="not now"),
    "skipped without a reason": changed(outcome="greenfield-defer"),
    "with its conversation": changed(session_key="s-abc"),
    "fraction of a second": changed(timestamp="2026-06-02T00:00:00.123456789Z"),
    "zero offset": changed(timestamp="2026-06-02T00:00:00+00:00"),
    "leap day": changed(timestamp="2024-02-29T23:59:59Z"),
    "leap day of a fourth century": changed(timestamp="2000-02-29T23:59:59Z"),
    "whole number as JSON may spell it": changed(issue_number=617.0),
    "review of a comment": reviewed(decision_id="gh-123456789"),
    "review of one finding of a comment": reviewed(decision_id="gh-123456789-db55d9e9"),
    "review with a slug in the key": reviewed(decision_id="src/a b.ts:1:null-check-db55d9e9"),
    "review of a finding without a place": reviewed(decision_id="warn:F1"),
    "review of a slug": reviewed(decision_id="d-load-order"),
}
INVALID = {
    "not an object": ([], ["type:token"]),
    "empty": ({}, [f"missing:{name}" for name in (*tokens.REQUIRED, "issue_number")]),
    "id with a line feed": (changed(decision_id="d-x\n"), ["pattern:decision_id"]),
    "id of one letter": (changed(decision_id="d"), ["pattern:decision_id"]),
    "id of a number": (changed(decision_id=1), ["type:decision_id"]),
    "no id": (changed(decision_id=None), ["type:decision_id"]),
    "stable key before the review": (
        changed(decision_id="src/foo.ts:42:db55d9e9"),
        ["pattern:decision_id"],
    ),
    "key with a line feed": (reviewed(decision_id="gh-1\n"), ["pattern:decision_id"]),
    "key with a control": (reviewed(decision_id="a\x1b:1:db55d9e9"), ["pattern:decision_id"]),
    "key of line 0": (reviewed(decision_id="a:0:db55d9e9"), ["pattern:decision_id"]),
    "key with a short digest": (reviewed(decision_id="a:1:db55d9e"), ["pattern:decision_id"]),
    "unknown phase": (changed(phase="Design"), ["enum:phase"]),
    "phase of no text": (changed(phase=["design"]), ["type:phase"]),
    "window of no text": (changed(window_position={}), ["type:window_position"]),
    "no window": (without(ISSUE_TOKEN, "window_position"), ["missing:window_position"]),
    "no issue": (without(ISSUE_TOKEN, "issue_number"), ["missing:issue_number"]),
    "issue in a review": (reviewed(issue_number=1), ["forbidden:issue_number"]),
    "forbidden and wrong": (changed(pull_request_number="x"), ["forbidden:pull_request_number"]),
    "asked with a reason": (changed(skip_reason=""), ["forbidden:skip_reason"]),
    "reason of no text": (changed(outcome="declined", skip_reason=1), ["type:skip_reason"]),
    "negative": (changed(issue_number=-1), ["range:issue_number"]),
    "true is no number": (changed(issue_number=True), ["type:issue_number"]),
    "half an issue": (changed(issue_number=1.5), ["type:issue_number"]),
    "number as text": (changed(issue_number="617"), ["type:issue_number"]),
    "conversation of no text": (changed(session_key=None), ["type:session_key"]),
    "key rung": (changed(key_rung="sha"), ["unknown:key_rung"]),
    "local time": (changed(timestamp="2026-06-02T00:00:00"), ["pattern:timestamp"]),
    "another zone": (changed(timestamp="2026-06-02T00:00:00+02:00"), ["pattern:timestamp"]),
    "date only": (changed(timestamp="2026-06-02"), ["pattern:timestamp"]),
    "no such day": (changed(timestamp="2026-02-29T00:00:00Z"), ["pattern:timestamp"]),
    "no leap year": (changed(timestamp="1900-02-29T00:00:00Z"), ["pattern:timestamp"]),
    "no such hour": (changed(timestamp="2026-06-02T24:00:00Z"), ["pattern:timestamp"]),
    "no such year": (changed(timestamp="0000-06-02T00:00:00Z"), ["pattern:timestamp"]),
    "digits of another script": (changed(timestamp="２026-06-02T00:00:00Z"), ["pattern:timestamp"]),  # noqa: RUF001
    "time and a line feed": (changed(timestamp="2026-06-02T00:00:00Z\n"), ["pattern:timestamp"]),
    "time of a number": (changed(timestamp=1780358400), ["type:timestamp"]),
    "two faults, in the order of fields": (
        changed(phase="x", issue_number=0),
        ["enum:phase", "range:issue_number"],
    ),
}


@pytest.mark.parametrize("token", VALID.values(), ids=VALID)
def test_valid(token: dict[str, Any]) -> None:
    assert tokens.validate(token) == []
    assert VALIDATOR.is_valid(token)


@pytest.mark.parametrize(("token", "errors"), INVALID.values(), ids=INVALID)
def test_invalid(token: object, errors: list[str]) -> None:
    assert tokens.validate(token) == errors
    assert not VALIDATOR.is_valid(token)


@pytest.mark.parametrize("row", json.loads(VECTORS.read_text()), ids=lambda row: row["id"])
def test_schema_agrees_on_vectors(row: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(row["given"]) is not bool(row["expect"]["errors"])


@pytest.mark.parametrize("error", [code for _, codes in INVALID.values() for code in codes])
def test_every_error_has_words(error: str) -> None:
    words = tokens.explain(error)
    assert words.startswith(error.partition(":")[2])
    assert not words.endswith(".")


def test_schema_states_the_patterns_of_the_code() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["slug"]["pattern"] == decision_ids.SLUG_PATTERN
    assert SCHEMA["$defs"]["stableFindingKey"]["pattern"] == decision_ids.STABLE_KEY_PATTERN
    assert SCHEMA["properties"]["timestamp"]["pattern"] == instant.PATTERN
    assert tuple(SCHEMA["properties"]) == tokens.FIELDS


_JUNK = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.floats(), st.text(max_size=3))
_DATES = st.builds(
    "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}".format,
    st.sampled_from([0, 1, 1900, 2000, 2023, 2024, 2100]),
    st.integers(0, 13),
    st.integers(0, 32),
    st.integers(22, 25),
    st.integers(58, 61),
    st.integers(58, 61),
    st.sampled_from(["Z", "z", "+00:00", "-00:00", ".5Z", ".Z", "", "Z\n"]),
)
_IDS = st.one_of(
    st.from_regex(decision_ids.SLUG_PATTERN),
    st.from_regex(decision_ids.STABLE_KEY_PATTERN),
    st.text(alphabet="aF1-:\n/_é", max_size=66),
)
_FIELDS = {
    "decision_id": _IDS,
    **{name: st.sampled_from([*choices, "other"]) for name, choices in tokens.CHOICES.items()},
    "timestamp": _DATES,
    "issue_number": st.integers(-1, 2),
    "pull_request_number": st.integers(-1, 2),
    "session_key": st.text(max_size=5),
    "skip_reason": st.text(max_size=5),
    "brief_tier": st.text(max_size=5),
}
_NEAR_MISSES = st.fixed_dictionaries(
    {},
    optional={name: st.one_of(values, values, values, _JUNK) for name, values in _FIELDS.items()},
)


@settings(max_examples=300, deadline=None)
@given(base=st.sampled_from([ISSUE_TOKEN, REVIEW_TOKEN]), change=_NEAR_MISSES)
def test_schema_and_code_agree(base: dict[str, Any], change: dict[str, Any]) -> None:
    token = {**base, **change}
    assert VALIDATOR.is_valid(token) is not bool(tokens.validate(token))


@settings(max_examples=300, deadline=None)
@given(_DATES)
def test_pattern_of_times_is_the_calendar(text: str) -> None:
    found = Draft202012Validator(SCHEMA["properties"]["timestamp"]).is_valid(text)
    assert found is instant.is_instant(text)
