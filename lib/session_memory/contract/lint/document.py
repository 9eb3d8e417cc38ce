"""A Markdown document as the checks see it: its prose, sections, blocks and tables.

Everything is found by offset into one string, and only when a check asks for it, so that a document
of no interest costs next to nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

_FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]+[.)][ \t])*(`{3,}|~{3,})(.*)")
# A heading, or a line below one.
_HEADING = re.compile(r"^(?: {0,3}(#{1,6})[ \t]+(.*)|(?:={3,}|-{3,})[ \t]*)$", re.MULTILINE)
_RULER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t]")
_SENTENCE_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!\bvs)(?<!\bcf)[.!?][\"'*_`)\]]{0,3}\s+(?=[A-Z`*_\[(\"'</.])"
    r"|\n(?=[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t])"
)
_CELL_BORDER = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Section:
    """A heading with the text below it, up to the next heading of any level; level 0 has none."""

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table: where its text begins, and the text."""

    offset: int
    text: str


@dataclass(frozen=True)
class Fence:
    """A fenced block, its fences included."""

    start: int
    end: int


class Document:
    """``text`` has one kind of line end; ``prose`` is as long, with blanks for fenced code."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def fences(self) -> list[Fence]:
        """The fenced blocks; one that is not closed ends with the text."""
        found: list[Fence] = []
        opened, at = "", 0
        for start, end in self._lines_like_fences():
            match = _FENCE.fullmatch(self.text, start, end)
            if match is None:
                continue
            if not opened and (match[1][0] == "~" or "`" not in match[2]):
                opened, at = match[1], start
            elif opened and match[1].startswith(opened) and not match[2].strip():
                found.append(Fence(at, end))
                opened = ""
        return [*found, Fence(at, len(self.text))] if opened else found

    def _lines_like_fences(self) -> list[tuple[int, int]]:
        spans = set()
        for mark in ("```", "~~~"):
            at = self.text.find(mark)
            while at >= 0:
                end = self.text.find("\n", at)
                end = end if end >= 0 else len(self.text)
                spans.add((self.text.rfind("\n", 0, at) + 1, end))
                at = self.text.find(mark, end)
        return sorted(spans)

    @cached_property
    def prose(self) -> str:
        """The text with blanks in place of fenced code."""
        pieces, at = [], 0
        for fence in self.fences:
            pieces.append(self.text[at : fence.start])
            lines = self.text[fence.start : fence.end].split("\n")
            pieces.append("\n".join([" " * len(line) for line in lines]))
            at = fence.end
        return "".join([*pieces, self.text[at:]])

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the prose."""
        return self.prose.split("\n")

    @cached_property
    def front_matter_end(self) -> int:
        """Where the front matter ends; 0 without one."""
        if self.lines[0].rstrip() != "---":
            return 0
        closing = (i for i, line in enumerate(self.lines[1:], 1) if line.rstrip() in ("---", "..."))
        line = next(closing, 0)
        return self.span(line)[1] if line else 0

    @cached_property
    def _starts(self) -> list[int]:
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return [0, *accumulate(lengths[:-1])]

    def line(self, offset: int) -> int:
        """The number of the line that holds ``offset``, from 0."""
        return bisect_right(self._starts, offset) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``, both from 1."""
        line = self.line(offset)
        return line + 1, offset - self._starts[line] + 1

    def span(self, line: int) -> tuple[int, int]:
        """Where a line, counted from 0, begins and ends."""
        after = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        return self._starts[line], after

    def line_text(self, line: int) -> str:
        """A line of the prose, counted from 0; ``""`` beyond the ends."""
        return self.lines[line] if 0 <= line < len(self.lines) else ""

    @cached_property
    def sections(self) -> list[Section]:
        """The sections in their order; the first begins with the text."""
        marks = [(0, 0, "")]
        for match in _HEADING.finditer(self.prose, self.front_matter_end):
            mark = self._heading(match)
            if mark:
                marks.append(mark)
        ends = [start for start, _, _ in marks[1:]] + [len(self.text)]
        return [
            Section(start, end, level, title)
            for (start, level, title), end in zip(marks, ends, strict=True)
        ]

    def _heading(self, match: "re.Match[str]") -> tuple[int, int, str] | None:
        if match[1]:
            return match.start(), len(match[1]), match[2].strip(" \t#")
        number = self.line(match.start())
        above = self.line_text(number - 1)
        if above.strip() and above.lstrip()[:1] not in "|>#-*+=":
            return self._starts[number - 1], 1 if match[0][0] == "=" else 2, above.strip()
        return None

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start for section in self.sections]

    def enclosing(self, offset: int) -> list[Section]:
        """The section that holds ``offset``, and those it is part of, innermost first."""
        at = bisect_right(self._section_starts, offset) - 1
        found = [self.sections[at]]
        for section in reversed(self.sections[:at]):
            if section.level < found[-1].level:
                found.append(section)
        return found

    def block(self, offset: int) -> tuple[int, int]:
        """The paragraph, list item, table row or heading that holds ``offset``."""
        first = last = self.line(offset)
        if self._stands_alone(first):
            return self.span(first)
        while not _ITEM.match(self.line_text(first)) and self._flows(first - 1):
            first -= 1
        while self._flows(last + 1) and not _ITEM.match(self.line_text(last + 1)):
            last += 1
        return self.span(first)[0], self.span(last)[1]

    def _flows(self, line: int) -> bool:
        text = self.line_text(line).strip(" \t>")
        return bool(text) and not self._stands_alone(line)

    def _stands_alone(self, line: int) -> bool:
        text = self.line_text(line).lstrip(" \t>")
        return text.startswith(("|", "#")) or self.span(max(line, 0))[0] < self.front_matter_end

    def sentence(self, offset: int) -> tuple[int, int]:
        """The sentence that holds ``offset``; a table row is one."""
        start, end = self.block(offset)
        if self.prose[start:end].lstrip(" \t>").startswith("|"):
            return start, end
        for begin, stop in self.sentences(start, end):
            if begin <= offset < stop:
                return begin, stop
        return start, end

    def sentences(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The sentences between two offsets."""
        at = start
        for match in _SENTENCE_END.finditer(self.prose, start, end):
            yield at, match.end()
            at = match.end()
        yield at, end

    @cached_property
    def tables(self) -> "list[Table]":
        """Every table."""
        found = []
        for line, text in enumerate(self.lines):
            if "-" not in text or "|" not in text or not _RULER.fullmatch(text.strip(" \t>")):
                continue
            head = self.cells(line - 1)
            if head and self._starts[line] >= self.front_matter_end:
                found.append(Table(self, line, head))
        return found

    def head_of(self, offset: int) -> str:
        """The head of the table whose row holds ``offset``; ``""`` outside a table."""
        line = self.line(offset)
        if not self.line_text(line).lstrip(" \t>").startswith("|"):
            return ""
        while self.line_text(line - 1).lstrip(" \t>").startswith("|"):
            line -= 1
        return self.line_text(line)

    def cells(self, line: int) -> list[Cell]:
        """The cells of a line, counted from 0; none of one that is no row."""
        text = self.line_text(line)
        if "|" not in text:
            return []
        start = self.span(line)[0]
        borders = [match.start() for match in _CELL_BORDER.finditer(text)]
        if text.lstrip(" \t>").startswith("|"):
            edges = [*borders, len(text)] if text[borders[-1] + 1 :].strip() else borders
        else:
            edges = (
                [-1, *borders] if not text[borders[-1] + 1 :].strip() else [-1, *borders, len(text)]
            )
        return [
            Cell(start + left + 1 + _margin(text[left + 1 : right]), text[left + 1 : right].strip())
            for left, right in zip(edges, edges[1:], strict=False)
        ]


class Table:
    """A table with the ``head`` above its ruler; the rows are read when somebody asks for them."""

    def __init__(self, document: Document, ruler: int, head: list[Cell]) -> None:
        self.head = head
        self._document = document
        self._ruler = ruler

    @cached_property
    def rows(self) -> list[list[Cell]]:
        """The cells of each row."""
        rows: list[list[Cell]] = []
        while cells := self._document.cells(self._ruler + len(rows) + 1):
            rows.append(cells)
        return rows


def _margin(text: str) -> int:
    return len(text) - len(text.lstrip())
