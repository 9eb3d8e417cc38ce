"""Engagement records: what readers take, what writers refuse, whose records count."""

import re
from typing import Any

import pytest

from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.markers.target import Target
from session_memory.records import engagement, rendering, validators
from session_memory.records.reading import NoTarget, UnknownSchemaVersion, read
from session_memory.records.rendering import render_body


def payload(kind: str = "design", **changes: Any) -> dict[str, object]:
    base: dict[str, object] = {
        "schema_version": engagement.CURRENT[kind],
        "phase": kind,
        "capture_session": f"normal-{kind}-v2",
        "load_bearing_decisions": [
            {"decision_id": "cache-key", "classification": "load-bearing", "engineer_choice": "sha"}
        ],
    }
    return {**base, **changes}


def record(
    number: int, phase: str = "design", *, created: str = "", author: str = "alice", **changes: Any
) -> Comment:
    own = marker("engagement-record", 7, phase)
    body = render_body(own, payload(phase, **changes))
    return Comment(
        number, body, author=author, created_at=created, html_url=f"https://x.test/{number}"
    )


def choice(text: str) -> list[dict[str, object]]:
    return [{"decision_id": "cache-key", "engineer_choice": text}]


def test_a_target_is_needed() -> None:
    with pytest.raises(NoTarget):
        read([], Target(phase="design"))


def test_no_comments_are_no_records() -> None:
    result = read([], Target(issue=7))
    assert (result.decisions, result.warnings, result.source) == ([], (), "issue 7")


def test_equal_times_are_settled_by_the_id() -> None:
    comments = [
        record(20, load_bearing_decisions=choice("second"), created="2026-01-01T00:00:00Z"),
        record(10, load_bearing_decisions=choice("first"), created="2026-01-01T00:00:00Z"),
    ]
    assert read(comments, Target(7)).decisions[0]["engineer_choice"] == "second"


def test_both_threads_are_read_together() -> None:
    review = Comment(2, render_body(marker("engagement-record", 9, "review"), payload("review")))
    result = read([record(1), review], Target(7, 9))
    assert list(result.records) == ["design", "review"]
    assert result.source == "issue 7 and pull request 9"


def test_the_record_is_known_with_its_comment() -> None:
    result = read([record(5)], Target(7))
    assert result.records["design"].comment.id == 5


@pytest.mark.parametrize("version", [True, 0, 5, "5", "x", "02", [1]])
def test_an_unknown_version_names_the_comment(version: object) -> None:
    own = marker("engagement-record", 7, "design")
    body = render_body(own, payload()).replace("schema_version: 2", f"schema_version: {version}")
    comment = Comment(31, body.replace("True", "true"), author="bob", html_url="https://x.test/31")
    with pytest.raises(
        UnknownSchemaVersion, match=re.escape("comment 31 by bob (https://x.test/31)")
    ):
        read([record(1), comment], Target(7))


@pytest.mark.parametrize("version", ["2", '"2"'])
def test_a_version_may_be_written_as_text(version: str) -> None:
    own = marker("engagement-record", 7, "design")
    body = render_body(own, payload()).replace("schema_version: 2", f"schema_version: {version}")
    assert read([Comment(1, body)], Target(7)).decisions[0]["schema_version"] == 2


def test_one_planted_record_does_not_break_a_read() -> None:
    own = marker("engagement-record", 7, "design")
    planted = [
        render_body(own, payload(schema_version=99)),
        f"{own.literal}\n```yaml\na: &x [*x]\n```",
        render_body(own, payload(load_bearing_decisions=choice("forged"))),
        "<!-- engagement-record-design-99999999999 -->\n```yaml\na: 1\n```",
    ]
    comments = [
        Comment(n, body, author="mallory", created_at="2027-01-01")
        for n, body in enumerate(planted, 9)
    ]
    result = read([*comments, record(1)], Target(7), trusts=lambda one: one.author == "alice")
    assert [item["engineer_choice"] for item in result.decisions] == ["sha"]
    assert [warning.code for warning in result.warnings] == ["untrusted-author"] * 3
    assert "forged" not in " ".join(map(str, result.warnings))


def test_other_records_load_when_one_does_not_parse() -> None:
    own = marker("engagement-record", 7, "plan")
    broken = Comment(3, f"{own.literal}\n\n```yaml\ndecision: use cache: yes\n```", author="bob")
    result = read([record(1), broken], Target(7))
    assert len(result.decisions) == 1
    assert str(result.warnings[0]) == (
        "comment 3 by bob: mapping values are not allowed here (line 4)"
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"capture_session": None}, "missing-fields"),
        ({"phase": None}, "missing-fields"),
        ({"load_bearing_decisions": {"a": 1}}, "bad-decisions"),
        ({"load_bearing_decisions": ["a"]}, "bad-decision"),
        ({"load_bearing_decisions": [{"engineer_choice": "x"}]}, "bad-slug"),
        ({"load_bearing_decisions": [{"decision_id": "ab", "classification": "Routine"}]},
         "bad-enum:classification"),
        ({"load_bearing_decisions": [{"decision_id": "ab", "articulation_status": "done"}]},
         "bad-enum:articulation_status"),
        ({"load_bearing_decisions": [{"decision_id": "src/a.py:1:0a1b2c3d"}]}, "bad-slug"),
        ({"schema_version": 7}, "unknown-schema-version"),
    ],
)  # fmt: skip
def test_what_a_writer_refuses(changes: dict[str, Any], code: str) -> None:
    own = marker("engagement-record", 7, "design")
    body = render_body(own, payload(**changes))
    assert [problem.code for problem in validators.check(body, own)] == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no payload", "missing-payload"),
        ("```yaml\na: 1\n```\n```yaml\nb: 1\n```", "ambiguous-payload"),
        ("```yaml\n- a\n```", "missing-fields"),
        ("```yaml\na: b: c\n```", "bad-yaml"),
    ],
)
def test_what_a_writer_refuses_to_parse(text: str, code: str) -> None:
    own = marker("engagement-record", 7, "design")
    found = validators.check(f"{own.literal}\n\n{text}\n", own)
    assert [problem.code for problem in found] == [code]


def test_missing_fields_are_told_to_readers_too() -> None:
    result = read([record(1, capture_session=None)], Target(7))
    assert [warning.code for warning in result.warnings] == ["missing-fields"]


def test_an_empty_fence_is_no_record() -> None:
    own = marker("engagement-record", 7, "design")
    assert read([Comment(1, f"{own.literal}\n```yaml\n```")], Target(7)).warnings == ()


def test_an_empty_list_and_no_list_hide_older_records() -> None:
    empty: list[Any] = [[], None]
    for listed in empty:
        newer = record(2, load_bearing_decisions=listed, created="2026-02-01")
        assert read([record(1, created="2026-01-01"), newer], Target(7)).decisions == []


def test_a_free_text_may_hold_anything_that_the_policy_lets_in() -> None:
    texts = ["a: b", "- x", "# y", "'q' \"d\" \\", "no", "1.10", "  lead", "tail "]
    texts += [
        "a\n\nb",
        " a\nb",
        "a\n",
        "@x `y` |",
        "a\tb",
        "\u00e9\U0001f600",
        "text <!-- m-1 --> x",
    ]
    decisions = [{"decision_id": f"d-{n}", "engineer_choice": text} for n, text in enumerate(texts)]
    result = read([record(1, load_bearing_decisions=decisions)], Target(7))
    assert [item["engineer_choice"] for item in result.decisions] == texts


def test_no_comment_opener_of_a_field_survives_in_a_line_of_text() -> None:
    text = "summary <!-- engagement-record-design-7 --> end"
    assert "<!--" not in rendering.render({"engineer_choice": text})
