"""No text that fits into a comment keeps a reader busy: patterns and scans stay linear."""

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator

import pytest

from session_memory import github, markers, records
from session_memory.markers import preserve
from session_memory.markers.blocks import blocks
from session_memory.markers.body_rules import MAX_CHARACTERS
from session_memory.markers.families import marker
from session_memory.markers.payload import extract
from session_memory.markers.text import normalize

# Linear time is a tenth of this; the quadratic time of earlier patterns was several times as much.
_LIMIT_S = 0.5

_BEGINNINGS = ("", "### x", "# x", "- a: x", "a: x", "slice_comment_id: x", "<!-- a", "```x", "1:2")
_LONG = (" ", "\t", "a", "-", "*", "`", ":", "<!--", "-a", "\n", "\n ", "a:1:", "\u200b", '"\\')


def patterns() -> Iterator["tuple[str, re.Pattern[str]]"]:
    for package in (markers, records, github):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    yield f"{found.name.removeprefix('session_memory.')}.{name}", value


PATTERNS = dict(patterns())
# Characters enough to tell linear from quadratic without waiting for the latter.
_SIZE = 9_000


@pytest.mark.parametrize("name", PATTERNS)
def test_pattern(name: str) -> None:
    pattern = PATTERNS[name]
    begun = time.process_time()
    for start in _BEGINNINGS:
        for piece in _LONG:
            text = start + piece * (_SIZE // len(piece)) + "\x01y"
            pattern.fullmatch(text)
            if pattern.flags & re.MULTILINE:
                pattern.search(text)
    assert time.process_time() - begun < _LIMIT_S


OWN = marker("plan-issue", 7)


def carried_over(text: str) -> object:
    body = OWN.literal
    return preserve.preserve(OWN, body, f"{body}\n{text}", lambda identity, literal: True)


@pytest.mark.parametrize(
    ("run", "piece"),
    [
        (extract, "```yaml\n"),
        (extract, "````\n```yaml\n"),
        (normalize, " "),
        (lambda text: blocks(text, "frame-spine"), "<!-- frame-spine -->\n"),
        (lambda text: blocks(text, "judge-rulings"), "<!-- judge-rulings\n"),
        (carried_over, "<!-- phase-containment-7 -->\n"),
    ],
)
def test_text_of_a_comment(run: Callable[[str], object], piece: str) -> None:
    begun = time.process_time()
    run(piece * (MAX_CHARACTERS // len(piece)) + "x")
    assert time.process_time() - begun < _LIMIT_S
