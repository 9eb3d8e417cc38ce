"""Names from a repository as text for a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.startup.wording import MAX_NAME, counted, listed, quoted


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


@pytest.mark.parametrize(
    ("count", "text"), [(1, "0"), (5, "0, 1, 2, 3, 4"), (7, "0, 1, 2, 3, 4 and 2 more")]
)
def test_listed(count: int, text: str) -> None:
    assert listed([str(index) for index in range(count)]) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_counted(count: int, text: str) -> None:
    assert counted(count, "file", "files") == text
