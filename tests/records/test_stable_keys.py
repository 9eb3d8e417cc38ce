"""Keys that a finding keeps from one pass to the next."""

import pytest

from session_memory.gates.decision_ids import is_stable_key
from session_memory.records import stable_keys


@pytest.mark.parametrize(
    ("key", "comment"),
    [
        (stable_keys.from_comment(12), 12),
        (stable_keys.from_comment(12, "Null check missing", 2), 12),
        (stable_keys.from_place("src/a.py", 3, "Null check missing"), None),
        (stable_keys.from_id("F1"), None),
    ],
)
def test_every_key_is_one_and_names_its_comment(key: str, comment: "int | None") -> None:
    assert is_stable_key(key)
    assert stable_keys.comment_of(key) == comment


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Null check missing!", "null-check-missing"),
        ("  Null -- check\tmissing ", "null-check-missing"),
        ("Cafe\u0301 \u00c9t\u00e9", "caf\u00e9-\u00e9t\u00e9"),
        ("`foo_bar()` fails", "foobar-fails"),
        ("!!!", ""),
    ],
)
def test_titles_that_differ_in_spelling_only(title: str, slug: str) -> None:
    assert stable_keys.title_slug(title) == slug
