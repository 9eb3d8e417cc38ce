"""Lists and counts in words."""

import pytest

from session_memory.startup.wording import counted, joined_words, listed


@pytest.mark.parametrize(
    ("count", "text"), [(1, "0"), (5, "0, 1, 2, 3, 4"), (7, "0, 1, 2, 3, 4 and 2 more")]
)
def test_listed(count: int, text: str) -> None:
    assert listed([str(index) for index in range(count)]) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_counted(count: int, text: str) -> None:
    assert counted(count, "file", "files") == text


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_joined_words(words: list[str], text: str) -> None:
    assert joined_words(words) == text
