"""Rows that a document cites, and whether the contract has them."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.wording import any_of
from session_memory.contract.table import contract

_CITATION = re.compile(r"SMC-([0-9]{1,3})(?![\w-]*[0-9])")
_JOINT = r"[ ]?/[ ]?|,?[ ]and[ ]|,[ ]?|[ ]?\N{EN DASH}[ ]?|\.{2,3}"
_FURTHER = re.compile(rf"(?:(?P<joint>{_JOINT})(?P<number>[0-9]{{2}})(?![\w%]))")
_RANGE = "\N{EN DASH}."
# Before a citation, what makes the numbers that follow it rows, and no count of something.
_ROWS = any_of(r"\brows[\s`*_(\[]*$")
_INSIDE_A_NAME = re.compile(r".?[A-Za-z0-9_.#-]|[^0-9]?/")

# Around a number that the contract does not have, words that say just that.
_ABSENT_BEFORE = any_of(
    r"\b(?:no|not|without|except(?: for)?|minus|unlike|skip(?:s|ping)?|omit(?:s|ting)?|lacks?"
    r"|lacking|missing|unused|retired|unassigned|reserved|former(?:ly)?|never)\b"
    r"(?:\s+(?:row|number|id))?[\s`*_(\"']*$"
)
_ABSENT_AFTER = any_of(
    r"[\s`*_)\"',:]*(?:\b(?:is|was|has|been|are|does|did|number|row|stays?|remains?|intentionally"
    r"|deliberately)[\s`*_]*|[-\N{EM DASH}\N{EN DASH}][\s`*_]*){0,5}\(?"
    r"(?:unused|retired|unassigned|reserved|skipped|missing|absent|removed|dropped|gone|vacant"
    r"|omitted|never|not|no row|no longer|left out)\b"
)


def citations(text: str) -> Iterator["re.Match[str]"]:
    """The rows that a text cites, whether they exist or not; none within paths and links."""
    for match in _CITATION.finditer(text):
        if not _INSIDE_A_NAME.fullmatch(text[max(0, match.start() - 2) : match.start()]):
            yield match


def cited_rows(text: str, match: "re.Match[str]") -> set[str]:
    """The row that is cited, and the numbers that follow it, as in ``SMC-09, 10 and 11``."""
    rows = {match[0]}
    last = int(match[1])
    for further in _further(text, match):
        number = int(further["number"])
        first = last + 1 if further["joint"].strip()[0] in _RANGE else number
        rows |= {f"SMC-{one:02}" for one in range(first, number + 1)}
        last = number
    return rows


def _further(text: str, match: "re.Match[str]") -> Iterator["re.Match[str]"]:
    further = _FURTHER.match(text, match.end())
    while further:
        yield further
        further = _FURTHER.match(text, further.end())


def check(document: Document) -> Iterator[Fault]:
    """Every citation of a row that there is not."""
    rows = contract().rows
    for match in citations(document.prose):
        if match[0] not in rows and not _is_said_to_be_absent(document.prose, match):
            yield Fault(match.start(), "unknown-row", _message(match[0], int(match[1])))
        yield from _unknown_further(document.prose, match)


def _unknown_further(text: str, match: "re.Match[str]") -> Iterator[Fault]:
    """The unknown among the numbers that follow a row, where they cannot be anything else."""
    counted = not _ROWS.search(text[max(0, match.start() - 10) : match.start()])
    for further in _further(text, match):
        row = f"SMC-{further['number']}"
        if counted and further["joint"].strip()[0] in ",a" and row[4] != "0":
            continue
        if row not in contract().rows and not _is_said_to_be_absent(text, further):
            yield Fault(further.start("number"), "unknown-row", _message(row, int(row[4:])))


def _is_said_to_be_absent(text: str, match: "re.Match[str]") -> bool:
    before = text[max(0, match.start() - 40) : match.start()]
    return bool(
        _ABSENT_BEFORE.search(before) or _ABSENT_AFTER.match(text, match.end(), match.end() + 60)
    )


def _message(cited: str, number: int) -> str:
    known = contract()
    written = f"SMC-{number:02}"
    if written in known.rows:
        return f"rows are cited with two digits: {written}"
    if written in known.retired:
        return f"the contract has no row {cited}: {known.retired[written]}"
    first, *_, last = known.rows
    return f"the contract has no row {cited}; its rows are {first} to {last}"
