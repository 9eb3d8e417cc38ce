"""Fields of a document: ``Name: value`` in text, and the cells below a column of that name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from session_memory.contract.lint.document import Document

# What makes a document one about state, rather than about survival or fungibility elsewhere.
_ABOUT_STATE = re.compile(
    r"\bSMC-[0-9]|memories/session|\.copilot-tracking|\.claude/\.state|\bsession[- ]memory"
    r"|\bcross-tool fungib|\bwithin-(?:conversation|worktree)\b"
    r"|\bper-(?:dispatch|process)\b|\bvscode/memory",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[ \t>]*(?:[-*+][ \t]+|[0-9]+[.)][ \t]+)?[*_]*(?:[\w-]+[ \t_])?")
_AFTER = re.compile(r".*(?:[;.]|<!--)[\s*_]*(?:(?:payload|cross-tool) )?[*_]*", re.IGNORECASE)
_STAND_IN = re.compile(
    r"[\"'*_`]*(?:[{<\[$]|\.\.\.|\N{HORIZONTAL ELLIPSIS}|[-\N{EN DASH}\N{EM DASH}]*$|see\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Field:
    """A value and where it begins. ``line`` is the text of the whole line.

    A field that is ``sure`` stands where nothing but a value can be meant: in a table, or at the
    beginning of a line in a document about state.
    """

    offset: int
    value: str
    line: str
    sure: bool


@lru_cache(maxsize=8)
def fields(
    document: Document, name: str, heading: "re.Pattern[str] | None" = None
) -> tuple[Field, ...]:
    """The fields called ``name``, a pattern, and the cells below a matching ``heading``.

    Several checks ask for the same fields of a document, one after the other.
    """
    sure = bool(_ABOUT_STATE.search(document.text))
    found = list(_in_text(document, name, sure))
    if sure and heading:
        found += _in_tables(document, heading)
    return tuple(found)


def is_stand_in(value: str) -> bool:
    """Whether a value is left open, or only leads elsewhere."""
    return not value.strip() or bool(_STAND_IN.match(value.strip()))


def _in_text(document: Document, name: str, sure: bool) -> Iterator[Field]:
    pattern = re.compile(rf"{name}[*_`\"]*[ \t]*[:=][*_]*[ \t]*(?P<value>[^\n|]*)")
    for match in pattern.finditer(document.prose):
        if document.prose[max(0, match.start() - 1) : match.start()].isalnum():
            continue
        start, end = document.span(document.line(match.start()))
        line = document.prose[start:end]
        if line.lstrip().startswith("#"):
            continue
        before = document.prose[start : match.start()]
        leads = bool(_LEAD.fullmatch(before) or _AFTER.fullmatch(before))
        yield Field(match.start("value"), match["value"], line, sure and leads)


def _in_tables(document: Document, heading: "re.Pattern[str]") -> Iterator[Field]:
    for table in document.tables:
        titles = [cell.text.strip("*_` ") for cell in table.head]
        columns = [i for i, title in enumerate(titles) if heading.fullmatch(title)]
        for row in table.rows if columns else ():
            for column in columns:
                if column < len(row):
                    cell = row[column]
                    start, end = document.span(document.line(cell.offset))
                    yield Field(cell.offset, cell.text, document.prose[start:end], True)
