"""Names from a repository as text for a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core.quoting import MAX_NAME, quoted


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("feature/x", "`feature/x`"),
        ("größe", "`größe`"),
        ("a`b", "`a?b`"),
        ("<!-- done -->", "`?!-- done -->`"),
        ("a\nb\x1b[31m", "`a?b?[31m`"),
        ("a\u202eb\u200bc", "`a?b?c`"),
        ("\udcff", "`?`"),
    ],
    ids=["plain", "letters", "backtick", "comment", "control", "invisible", "not-utf-8"],
)
def test_quoted(name: str, shown: str) -> None:
    assert quoted(name) == shown


def test_long_name_keeps_both_ends() -> None:
    shown = quoted("a" * 300 + "z")
    assert len(shown) == MAX_NAME + 2
    assert (shown[1], shown[-2]) == ("a", "z")


@given(st.text())
def test_quoted_is_one_short_code_span(name: str) -> None:
    shown = quoted(name)
    assert len(shown) <= MAX_NAME + 2
    assert shown[1:-1].isprintable()
    assert shown.count("`") == 2
    assert "<" not in shown
