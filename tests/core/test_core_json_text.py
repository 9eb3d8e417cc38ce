"""The small JSON reader and writer against :mod:`json`."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core.json_text import encode, first_value, parse_object, well_formed

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(VALUES)
def test_reads_what_json_writes(value: object) -> None:
    assert first_value(json.dumps(value))[0] == value
    assert first_value(json.dumps(value, ensure_ascii=False, indent=1))[0] == value


@given(VALUES)
def test_json_reads_what_is_written(value: object) -> None:
    text = encode(value)
    assert json.loads(text) == value
    assert text == json.dumps(value)
    assert text.isascii()
    assert len(text.splitlines()) == 1


@given(st.text(st.characters(codec=None)))
def test_agrees_with_json_on_any_text(text: str) -> None:
    decoder = json.JSONDecoder()
    try:
        expected = decoder.raw_decode(text, len(text) - len(text.lstrip(" \t\r\n")))
    except ValueError:
        with pytest.raises(ValueError, match="at character"):
            first_value(text)
    else:
        assert repr(first_value(text)) == repr(expected)


@given(st.text(st.characters(codec=None)))
def test_well_formed_text_can_be_written(text: str) -> None:
    fixed = well_formed(text)
    fixed.encode()
    assert fixed == text or "\ufffd" in fixed


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert well_formed("\ud83d\ude00") == "\U0001f600"


def test_the_offset_is_behind_the_value() -> None:
    assert first_value('  {"a": 1} rest') == ({"a": 1}, 10)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_lacks_becomes_null(number: float) -> None:
    assert encode([number]) == "[null]"


def test_tuples_are_lists() -> None:
    assert encode(("a", 1)) == '["a", 1]'


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="not a JSON value: bytes"):
        encode({"a": b"x"})


@pytest.mark.parametrize("text", ["[]", "1", '"{}"', "null"])
def test_an_object_is_an_object(text: str) -> None:
    with pytest.raises(ValueError, match="not a JSON object"):
        parse_object(text)


@pytest.mark.parametrize("text", ['{"a": 1}}', '{"a": 1}{"b": 2}', "{} x", "{}\0"])
def test_an_object_is_all_there_is(text: str) -> None:
    with pytest.raises(ValueError, match="more text at character"):
        parse_object(text)
    assert parse_object(" {}\r\n") == {}


def test_errors_do_not_quote() -> None:
    with pytest.raises(ValueError, match="at character") as caught:
        first_value('{"password": hunter2}')
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
