"""Matchers of others are tried only where trying takes no time."""

import pytest

from session_memory.doctor import matchers
from session_memory.doctor.handlers import TOOLS

EDITS = frozenset({"Edit", "Write"})


@pytest.mark.parametrize(
    ("matcher", "fitting"),
    [
        ("Edit|Write", EDITS),
        ("Ed", frozenset()),
        ("^(Edit|Write)$", EDITS),
        ("^(?:Edit|Write)$", EDITS),
        ("^Ed", {"Edit"}),
        ("^(Edit)$|^(Write)$", EDITS),
        (".*", EDITS),
        ("[EW].+t", {"Edit"} | {"Write"}),
        ("^(edit", frozenset()),
        ("mcp__.*", frozenset()),
    ],
)
def test_tame(matcher: str, fitting: frozenset[str]) -> None:
    assert matchers.is_known(matcher)
    assert matchers.fitting(matcher, EDITS) == fitting


@pytest.mark.parametrize(
    "matcher",
    [
        *("(a+)+$", "(x*)*y", "(a|b){3}", "a**", "a+?+", "a{9}", r"(a)\1", "(?=a)b", "(?i)edit"),
        *(".*" * 9, "^" + "(Edit)|" * 999),
    ],
)
def test_wild(matcher: str) -> None:
    assert not matchers.is_known(matcher)
    assert matchers.fitting(matcher, TOOLS) == TOOLS
