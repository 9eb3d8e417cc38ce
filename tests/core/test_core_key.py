"""Session keys beyond the vectors."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core.key import MAX_SLUG, session_key, slug

ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


@given(ANY_TEXT)
def test_a_slug_is_a_safe_file_name_part(text: str) -> None:
    name = slug(text.encode("utf-8", "replace").decode())
    assert re.fullmatch(r"[A-Za-z0-9._-]*", name)
    assert len(name) <= MAX_SLUG
    assert name == "" or name.strip("._-")


@given(ANY_TEXT)
def test_a_slug_is_its_own_slug(text: str) -> None:
    name = slug(text.encode("utf-8", "replace").decode())
    assert slug(name) == name


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_there_is_always_a_key(session_id: str, branch: str, sha: str) -> None:
    safe = [text.encode("utf-8", "replace").decode() for text in (session_id, branch, sha)]
    key, rung = session_key(*safe)
    assert key
    assert rung in ("session_id", "branch_slug", "sha", "session")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("../../../../tmp/pwned", "..-..-..-..-tmp-pwned"),
        ("..\\..\\x", "..-..-x"),
        ("/etc/passwd", "etc-passwd"),
        ("C:\\x", "C-x"),
        ("a\0b", "a-b"),
        ("..", ""),
        (".", ""),
        ('a\n{"decision":"allow"}\u2028\x85\x1b[2J', "a-decision-allow-2J"),
        ("Ünïcode", "n-code"),
    ],
)
def test_hostile_ids(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_long_ids_are_cut_and_stay_apart() -> None:
    one, other = slug("a" * 5000), slug("a" * 4999 + "b")
    assert one != other
    assert len(one) == len(other) == MAX_SLUG


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (("id", "main", "abc"), ("s-id", "session_id")),
        (("", "main", "abc"), ("b-main", "branch_slug")),
        (("", "HEAD", "0123456789abcdef0123"), ("sha-0123456789ab", "sha")),
        (("", "HEAD", ""), ("session", "session")),
    ],
)
def test_the_rung_is_told(given_: tuple[str, str, str], expected: tuple[str, str]) -> None:
    assert session_key(*given_) == expected
