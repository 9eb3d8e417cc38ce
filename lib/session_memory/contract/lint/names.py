"""Names that were retired, where a document still goes by them."""

import re
from collections.abc import Iterator
from functools import cache

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.prescription import is_instruction, lead_of, tells_to_write
from session_memory.contract.lint.wording import any_of, any_word
from session_memory.contract.table import contract

_SAID_TO_BE_RETIRED = any_word(
    "retire[sd]?", "removed?", "replaced", "deprecated", "legacy", "obsolete", "formerly", "former",
    "no longer", "used to", "unused", "superseded", "gone", "(?:not|never) (?:written|read|used)",
    "historical(?:ly)?", r"migrat\w+", "predecessor", "dropped",
)  # fmt: skip
_DISOWNED = any_of(
    r"(?:\b(?:not|never|cannot|instead of|rather than|stop|without|replaces?|nothing|ignore|delete"
    r"|old)\b|n't\b)[\s`*_<!-]*(?:[\w-]+[\s`*_<!-]+){0,4}$"
)
_HISTORY = any_of(
    r"\b(?:retired|removed|deprecated|legacy|obsolete|history|historical|migrat\w+|changelog"
    r"|changed|unreleased|release notes)\b",
    r"^\[?v?[0-9]+\.[0-9]+",
)


def check(document: Document) -> Iterator[Fault]:
    """Every use of a retired name, unless the sentence or its heading says that it is retired."""
    yield from _in_blocks(document)
    for match in _pattern().finditer(document.prose):
        start, end = document.sentence(match.start())
        titles = [section.title for section in document.enclosing(match.start())]
        said = _SAID_TO_BE_RETIRED.search(document.prose, start, end)
        if said or _DISOWNED.search(document.prose[start : match.start()]):
            continue
        if any(map(_HISTORY.search, titles)):
            continue
        yield _fault(match)


def _in_blocks(document: Document) -> Iterator[Fault]:
    """Retired names in blocks that the line above says to write."""
    for fence in document.fences:
        lead = lead_of(document, fence)
        if not is_instruction(lead) or not tells_to_write(lead) or _SAID_TO_BE_RETIRED.search(lead):
            continue
        for match in _pattern().finditer(document.text, fence.start, fence.end):
            yield _fault(match)


def _fault(match: "re.Match[str]") -> Fault:
    name = match["name"]
    return Fault(match.start(), "retired-name", f"{name} is retired: {contract().retired[name]}")


@cache
def _pattern() -> "re.Pattern[str]":
    names = [name for name in contract().retired if name not in contract().rows and name.islower()]
    return re.compile(rf"(?<![\w-])(?P<name>{'|'.join(map(re.escape, names))})(?![a-z])")
