"""Reading JSON with comments, with the place of every value."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from session_memory.editors import jsonc

VALUES: dict[str, tuple[str, Any]] = {
    "object": ('{"a": {"b": [1, true, null]}}', {"a": {"b": [1, True, None]}}),
    "byte-order mark": ("\ufeff{}", {}),
    "comments": ('// x\n{ /* y\n */ "a": 1 } // z', {"a": 1}),
    "comment marks in a text": ('{"a": "// /* ] }"}', {"a": "// /* ] }"}),
    "trailing commas": ('{"a": [1, 2,],}', {"a": [1, 2]}),
    "escapes": (r'{"\u0061\"\\": "\ud83d\ude00\n"}', {'a"\\': "\U0001f600\n"}),
    "lone surrogate": (r'["\ud800"]', ["\ud800"]),
    "line separators": ('["\u2028\u0085"]', ["\u2028\u0085"]),
    "numbers": ("[-0.5e+3, 10, 0]", [-500.0, 10, 0]),
    "number too long for int": ("[" + "9" * 5000 + "]", [float("inf")]),
    "scalar": ("null", None),
}


@pytest.mark.parametrize(("text", "value"), VALUES.values(), ids=VALUES)
def test_value(text: str, value: Any) -> None:
    assert jsonc.parse(text).root.plain() == value


MALFORMED = {
    "empty": ("", 1),
    "end": ('{\n"a": 1,\n', 3),
    "single quotes": ("{\n'a': 1}", 2),
    "bare key": ('{"a": 1,\r\n b: 2}', 2),
    "no comma": ('{"a": 1\n"b": 2}', 2),
    "two commas": ("[1,\n,]", 2),
    "only a comma": ("[,]", 1),
    "no colon": ('{"a"\n1}', 2),
    "leading zero": ("[\n\n01]", 3),
    "word": ("[truest]", 1),
    "not a number": ("[NaN]", 1),
    "bad escape": (r'["\x"]', 1),
    "control": ('["a\tb"]', 1),
    "open comment": ("{}\n/* x", 2),
    "open text": ('{}\r"x', 2),
    "second value": ("{}\n{}", 2),
    "wrong closer": ("[1}", 1),
    "too deep": ("[" * 101 + "]" * 101, 1),
    "far too deep": ("[" * 100_000, 1),
}


@pytest.mark.parametrize(("text", "line"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_text_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(jsonc.Malformed, match=f"^line {line}: "):
        jsonc.parse(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('{"a": [1]}', 0, id="strict"),
        pytest.param("{\n// x\n}", 2, id="comment"),
        pytest.param('{"a":\n[1,\n]}', 2, id="trailing-comma"),
        pytest.param("[\n1,\n] // x", 2, id="first-of-both"),
    ],
)
def test_first_line_that_strict_json_would_refuse(text: str, line: int) -> None:
    assert jsonc.parse(text).extension == line


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


# A busy machine is slow to make up values.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_agrees_with_the_standard_library(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert jsonc.parse(text).root.plain() == json.loads(text, parse_int=float)


@given(st.text(alphabet='{}[]:,"\\/* \n\r1ae', max_size=12))
def test_accepts_no_strict_text_that_the_standard_library_refuses(text: str) -> None:
    try:
        document = jsonc.parse(text)
    except jsonc.Malformed:
        return
    if not document.extension:
        assert json.loads(text, parse_int=float) == document.root.plain()
