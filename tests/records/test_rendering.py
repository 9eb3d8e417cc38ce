"""The injection policy, and payloads that read back as they were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.records.rendering import Refused, quoted, render
from session_memory.yaml_text import load

TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab:#-'\"\\|>{}[],&*!%@`~?\n \t"),
        st.characters(codec="utf-8", max_codepoint=0x2FFF),
    ),
    max_size=40,
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(TEXT, st.integers(-(10**15), 10**15), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(TEXT, VALUES, max_size=4))
def test_what_is_rendered_reads_back(payload: dict[str, object]) -> None:
    try:
        text = render(payload)
    except Refused:
        return
    # Rendering itself compares; here it is seen that no line can end the fence.
    assert not any(line.startswith("```") for line in text.split("\n"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\n```", "fence-line-in-user-text"),
        ("```yaml\nx", "fence-line-in-user-text"),
        ("a\n  ~~~", "fence-line-in-user-text"),
        ("a\r\n```", "fence-line-in-user-text"),
        ("a\n<!-- plan-issue-1 -->", "marker-line-in-user-text"),
        ("<!--x-->", "marker-line-in-user-text"),
        ("a\n\t<!-- /x -->", "marker-line-in-user-text"),
        ("a\x00b", "control-character-in-user-text"),
        ("a\x1b[31m", "control-character-in-user-text"),
        ("a\ud800", "control-character-in-user-text"),
    ],
)
@pytest.mark.parametrize("place", ["field", "list", "key"])
def test_text_that_is_refused(text: str, code: str, place: str) -> None:
    payloads: dict[str, dict[str, object]] = {
        "field": {"audit_rationale": text},
        "list": {"items": [{"title": text}]},
        "key": {"outer": {text: "x"}},
    }
    with pytest.raises(Refused) as raised:
        render(payloads[place])
    assert raised.value.code == code
    assert "31m" not in str(raised.value)


@pytest.mark.parametrize("value", [1.5, {1, 2}, b"x", object()])
def test_values_that_yaml_has_no_place_for(value: object) -> None:
    with pytest.raises(Refused, match="has no place"):
        render({"a": value})


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"engineer_choice": "one\ntwo"}, "engineer_choice: |-\n  one\n  two\n"),
        ({"engineer_choice": "one: two"}, 'engineer_choice: "one: two"\n'),
        ({"engineer_choice": " one\ntwo"}, 'engineer_choice: " one\\ntwo"\n'),
        ({"a": ["x", ["y"]]}, 'a:\n  - "x"\n  -\n    - "y"\n'),
        ({"passes_run": [1, 2], "entries": []}, "passes_run: [1, 2]\nentries: []\n"),
        ({"a": {}, "b": None, "c": True}, "a: {}\nb: null\nc: true\n"),
        ({"l": [{"a": 1, "b": 2}]}, "l:\n  - a: 1\n    b: 2\n"),
        ({"odd key": "load-bearing"}, '"odd key": load-bearing\n'),
    ],
)
def test_the_layout(payload: dict[str, object], text: str) -> None:
    assert render(payload) == text


@given(TEXT)
def test_a_quoted_scalar_is_one_line_without_a_comment_opener(text: str) -> None:
    scalar = quoted(text)
    assert "<!--" not in scalar
    assert "\n" not in scalar
    if not set(text) & set(map(chr, [*range(32), *range(127, 160), 0x2028, 0x2029])) - {"\n", "\t"}:
        assert load(scalar) == text
