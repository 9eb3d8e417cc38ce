"""The mirror: rendered, compared, never trusted."""

import pytest

from session_memory.records import mirror
from session_memory.records.rendering import Refused

DECISION: dict[str, object] = {
    "decision_id": "cache-key",
    "classification": "load-bearing",
    "engineer_choice": 'the "sha"\n### not-a-heading\nof the tree',
    "audit_rationale": "it's stable",
    "teaching_paragraph_excerpt": "- a list: of things",
    "articulation_text": "",
    "articulation_status": "pending",
}
HIDING: dict[str, object] = {
    "decision_id": "open-comment",
    "articulation_text": "an unclosed <!-- hides the rest",
}
OTHER: dict[str, object] = {
    "decision_id": "wire-format",
    "classification": "routine",
    "articulation_text": "why\nand how",
    "articulation_status": "complete",
    "recommendation_shift_trigger": "new-evidence",
}


@pytest.mark.parametrize("nested", [False, True], ids=["section", "in the record"])
@pytest.mark.parametrize(
    "decisions", [[], [DECISION], [DECISION, OTHER, HIDING]], ids=["0", "1", "3"]
)
def test_what_is_rendered_compares_equal(decisions: list[dict[str, object]], nested: bool) -> None:
    text = mirror.render(decisions, nested=nested)
    assert mirror.compare(text, decisions) == mirror.Comparison()
    assert "unclosed <!--" not in text
    assert mirror.compare(text.replace("\n", "\r\n"), decisions).ok


def test_a_mirror_inside_a_longer_text() -> None:
    text = (
        f"### not-a-decision\n- **Classification**: routine\n\n{mirror.render([OTHER])}\n### later"
    )
    assert mirror.compare(text, [OTHER]).ok


def test_the_pending_note_stands_for_no_text_only() -> None:
    text = mirror.render([DECISION])
    assert mirror.PENDING in text
    spoken = {**DECISION, "articulation_text": "because"}
    assert mirror.compare(text, [spoken]).diffs == ("cache-key.articulation_text",)


def test_a_heading_in_a_code_fence_is_no_decision() -> None:
    text = f"{mirror.BEGIN}\n```\n### ghost\n```\n{mirror.END}"
    assert mirror.compare(text, []).ok


def test_both_sides_report_what_only_they_have() -> None:
    result = mirror.compare(mirror.render([DECISION]), [OTHER])
    assert (result.orphans_markdown, result.orphans_yaml) == (("cache-key",), ("wire-format",))
    assert not result.ok


def test_a_field_that_only_the_mirror_has() -> None:
    fewer = {name: value for name, value in OTHER.items() if name != "recommendation_shift_trigger"}
    result = mirror.compare(mirror.render([OTHER]), [fewer])
    assert result.diffs == ("wire-format.recommendation_shift_trigger",)


def test_a_badly_quoted_value_is_taken_as_it_stands() -> None:
    text = f'{mirror.BEGIN}\n### ab\n- **Engineer choice**: "bad \\q"\n{mirror.END}'
    assert mirror.parse(text) == {"ab": {"engineer_choice": "bad \\q"}}


def test_a_block_ends_at_the_next_bullet() -> None:
    block = "- **Articulation text**: |\n    one\n    two\n- **Articulation status**: pending"
    text = f"{mirror.BEGIN}\n### ab\n{block}\n{mirror.END}"
    assert mirror.parse(text)["ab"] == {
        "articulation_text": "one\ntwo",
        "articulation_status": "pending",
    }


def test_text_that_the_policy_keeps_out() -> None:
    with pytest.raises(Refused):
        mirror.render([{**DECISION, "engineer_choice": "x\n```"}])


def test_a_warning_before_the_limit() -> None:
    assert mirror.near_limit("x" * 59_999) is None
    assert mirror.near_limit("x" * 60_000) is not None
