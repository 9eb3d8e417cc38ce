"""The survival labels and citations of a document, by line, and which of them are near."""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.labels import callouts, lines_with_label
from session_memory.contract.lint.references import citations, cited_rows

# Lines that count as near within a section, and for a callout beyond it.
NEAR = 30
_NEAR_BEYOND = 8


@lru_cache(maxsize=1)
def signs_of(document: Document) -> "Signs":
    """The signs of a document, for the checks that look at them one after the other."""
    return Signs(document)


class Signs:
    """Lines count from 0."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def cited(self) -> dict[int, set[str]]:
        """The rows that each line cites, whether they exist or not."""
        cited: dict[int, set[str]] = {}
        for match in citations(self._document.prose):
            line = self._document.line(match.start())
            cited.setdefault(line, set()).update(cited_rows(self._document.prose, match))
        return cited

    @cached_property
    def labelled(self) -> set[int]:
        """The lines that carry a survival label, or mean to."""
        return set(lines_with_label(self._document))

    @cached_property
    def _called_out(self) -> set[int]:
        return {self._document.line(field.offset) for field in callouts(self._document)}

    def near(self, offset: int, rows: frozenset[str] = frozenset()) -> Iterator[int]:
        """The lines with signs near ``offset``: in its section or one that encloses it.

        A callout that cites one of ``rows`` is near beyond its section, too, and front matter
        speaks for all of the document.
        """
        document = self._document
        here = document.line(offset)
        enclosing = {section.start for section in document.enclosing(offset)}
        for line, section in self._sections.items():
            distance = abs(line - here)
            together = distance <= NEAR and section in enclosing
            beyond = distance <= _NEAR_BEYOND and self._is_callout_of(line, rows)
            if line < self._front or together or beyond:
                yield line

    @cached_property
    def _front(self) -> int:
        end = self._document.front_matter_end
        return self._document.line(end) if end else 0

    @cached_property
    def _sections(self) -> dict[int, int]:
        """Every line with a sign, and where its section begins."""
        return {line: self._section(line) for line in self.cited.keys() | self.labelled}

    def _is_callout_of(self, line: int, rows: frozenset[str]) -> bool:
        return bool(rows & self.cited.get(line, set())) and line in self._called_out

    def _section(self, line: int) -> int:
        return self._document.enclosing(self._document.span(line)[0])[0].start
