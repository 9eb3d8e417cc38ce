"""Passages that a lookup chain may be spread over, and the clauses that they are made of."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.shapes import SIGNS, next_sign

_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t]")
_ANY_ITEM = re.compile(rf"^{_ITEM.pattern}", re.MULTILINE)
_NUMBERED = re.compile(r"[ \t>]*[0-9]+[.)][ \t]")
# Items that follow each other, rather than stand side by side.
_STEP = re.compile(
    r"^[ \t>]*[-*+][ \t]+(?:first|then|finally|next|otherwise|else)\b", re.IGNORECASE | re.MULTILINE
)
_BORDER = re.compile(r";(?=\s)|(?<!\\)\|")
_ROW_OR_HEADING = ("|", "#")


def passages(document: Document) -> Iterator[tuple[int, int]]:
    """Paragraphs, table rows, and lists with the line that leads to them, that hold any sign."""
    done = -1
    for line in sorted(_lines_with_signs(document)):
        if line > done:
            first, done = _passage(document, line)
            yield document.span(first)[0], document.span(done)[1]


def clauses(document: Document, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentences, cut at semicolons and at the borders of a table's cells."""
    for begin, stop in document.sentences(start, end):
        at = begin
        for match in _BORDER.finditer(document.prose, begin, stop):
            yield at, match.start()
            at = match.end()
        yield at, stop


def begins_item(text: str, start: int, end: int) -> bool:
    """Whether what lies between two offsets begins a list item."""
    return bool(_ITEM.match(text, start, end))


def holds_item(text: str, start: int, end: int) -> bool:
    """Whether there is a list item between two offsets."""
    return bool(_ANY_ITEM.search(text, start, end))


def _lines_with_signs(document: Document) -> set[int]:
    lowered = document.prose.lower()
    if len(lowered) != len(document.prose):  # a letter that is longer in lower case
        lowered = document.prose
    found = set()
    for sign in SIGNS:
        at = next_sign(lowered, sign)
        while at >= 0:
            found.add(document.line(at))
            at = next_sign(lowered, sign, at + len(sign))
    return found


def _passage(document: Document, line: int) -> tuple[int, int]:
    if document.line_text(line).lstrip(" \t>").startswith(_ROW_OR_HEADING):
        return line, line
    first = last = line
    while _go_together(document, first - 1, first):
        first -= 1
    while _go_together(document, last, last + 1):
        last += 1
    opening = document.line_text(first)
    if _NUMBERED.match(opening):
        return _lead(document, first), last
    span = document.span(first)[0], document.span(last)[1]
    if _ITEM.match(opening) and not _STEP.search(document.prose, *span):
        start, end = document.block(document.span(line)[0])
        return document.line(start), document.line(end)
    return first, last


def _go_together(document: Document, above: int, below: int) -> bool:
    texts = [document.line_text(line).strip(" \t>") for line in (above, below)]
    return all(texts) and not any(text.startswith(_ROW_OR_HEADING) for text in texts)


def _lead(document: Document, first: int) -> int:
    """The first line of the paragraph before a list, if it leads to the list by a colon."""
    line = first - 1
    while line > 0 and not document.line_text(line).strip():
        line -= 1
    if not document.line_text(line).rstrip(" *_").endswith(":"):
        return first
    while _go_together(document, line - 1, line):
        line -= 1
    return line
