"""Callouts, ``Survival: LABEL; contract: SMC-NN``, of which one half is missing."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Cell, Document
from session_memory.contract.lint.fields import fields, is_stand_in
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.labels import callouts
from session_memory.contract.lint.references import citations
from session_memory.contract.lint.signs import Signs, signs_of
from session_memory.contract.table import contract

_CONTRACT = r"[Cc]ontract(?: row)?"
_SURVIVAL_COLUMN = re.compile(r"(?:[a-z]+ )?survival(?: labels?)?", re.IGNORECASE)
_ROW_COLUMN = re.compile(
    r"(?:owning )?(?:contract|SMC)(?: rows?| ids?)?|(?:contract |SMC )?rows?", re.IGNORECASE
)
_NONE = re.compile(
    r"[\s*_`(]*(?:-+|\N{EN DASH}|\N{EM DASH}|none|no row|n/a)[\s*_`)]*", re.IGNORECASE
)
_ROW = re.compile(r"[\s*_`\"'\[(]*(?P<row>[^\s;,.|`*\"'\])]+)")


def check(document: Document) -> Iterator[Fault]:
    """Every callout without its row or its label, and every row that is named in another way."""
    signs = signs_of(document)
    yield from _without_row(document, signs)
    yield from _without_label(document, signs)
    yield from _empty_cells(document)


def _without_row(document: Document, signs: Signs) -> Iterator[Fault]:
    for field in callouts(document):
        if (
            not field.sure
            or field.line.lstrip(" >").startswith("|")
            or "per-process" in field.value
        ):
            continue
        if re.search(rf"\b{_CONTRACT}\b", field.line):
            continue  # is looked at where the contract is named
        if not any(line in signs.cited for line in signs.near(field.offset)):
            text = "a survival label cites no row: Survival: LABEL; contract: SMC-NN"
            yield Fault(field.offset, "missing-row", text)


def _without_label(document: Document, signs: Signs) -> Iterator[Fault]:
    for field in fields(document, _CONTRACT):
        called_out = "urvival" in field.line
        if is_stand_in(field.value) or not (field.sure or called_out):
            continue
        if any(citations(field.value)):
            if not called_out and not any(
                one in signs.labelled for one in signs.near(field.offset)
            ):
                yield Fault(
                    field.offset, "missing-label", "a row is cited without a survival label"
                )
            continue
        match = _ROW.match(field.value)
        in_front = field.offset < document.front_matter_end
        if match and (called_out or in_front or _is_like_a_row(match["row"])):
            yield from _misnamed(field.offset + match.start("row"), match["row"])


def _misnamed(offset: int, named: str) -> Iterator[Fault]:
    if not is_stand_in(named) and not re.fullmatch(r"SMC-[A-Z]+", named):
        yield Fault(offset, "unknown-row", _message(named))


def _is_like_a_row(named: str) -> bool:
    return bool(re.match(r"smc-?[0-9]", named, re.IGNORECASE))


def _message(named: str) -> str:
    number = re.search(r"[0-9]+", named)
    row = f"SMC-{int(number[0]):02}" if number and _is_like_a_row(named) else ""
    if row in contract().rows:
        return f"{named} is no row; rows are cited as {row}"
    return f"{named} is no row; rows are cited as SMC-NN"


def _empty_cells(document: Document) -> Iterator[Fault]:
    """Rows of a table that has columns for both, and gives a label without a row."""
    if "urvival" not in document.prose:
        return
    for table in document.tables:
        titles = [cell.text.strip("*_` ") for cell in table.head]
        label = next((i for i, title in enumerate(titles) if _SURVIVAL_COLUMN.fullmatch(title)), -1)
        row = next((i for i, title in enumerate(titles) if _ROW_COLUMN.fullmatch(title)), -1)
        if label < 0 or row < 0:
            continue
        for cells in table.rows:
            if len(cells) > max(label, row) and _lacks_a_row(cells, label, row):
                text = "a survival label cites no row in its column"
                yield Fault(cells[label].offset, "missing-row", text)


def _lacks_a_row(cells: list[Cell], label: int, row: int) -> bool:
    left_out = _NONE.fullmatch(cells[row].text) or re.match(r"[*_`\[]*SMC", cells[row].text)
    cited = any(any(citations(cell.text)) for cell in cells)
    return bool(cells[label].text) and not cited and not left_out
