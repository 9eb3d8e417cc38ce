"""Changes of values in a JSON text, with the layout of what surrounds them."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from session_memory.editors.jsonc import Document, Node

Member = tuple["str | None", Any]

_DEFAULT_UNIT = "  "
# One piece of what may stand between tokens. Repeating it within the pattern would backtrack.
_GAP = re.compile(r"[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


class Change(NamedTuple):
    """``text[start:end]`` becomes ``text``."""

    start: int
    end: int
    text: str = ""


def apply(text: str, changes: Iterable[Change]) -> str:
    """``text`` with all ``changes``, which do not overlap."""
    pieces, at = [], 0
    for change in sorted(changes):
        pieces += [text[at : change.start], change.text]
        at = change.end
    return "".join([*pieces, text[at:]])


def insert(document: Document, into: Node, members: "Sequence[Member]") -> Iterator[Change]:
    """Add ``members`` as the last items of ``into``; in an array, their keys are ``None``."""
    layout = _Layout.of(document, into)
    labels = ["" if key is None else _quoted(key) + layout.colon for key, _ in members]
    shown = [label + layout.render(value) for label, (_, value) in zip(labels, members)]
    text = ("," + layout.separator).join(shown)
    end = document.content_end(into.end - 1)
    if not into.items:
        yield _fill(document, into, end, layout, text)
        return
    last = into.items[-1].end
    comma = _comma_after(document, last)
    if comma >= 0:
        # The file's own style is to close a list with a comma.
        yield Change(end, end, layout.separator + text + ",")
    else:
        yield from _after(last, end, layout.separator + text)


def replace(document: Document, node: Node, value: Any) -> Change:
    """Put ``value`` in the place of ``node``."""
    return Change(node.start, node.end, _Layout.at(document, node).render(value))


def remove(document: Document, container: Node, indices: "Collection[int]") -> Iterator[Change]:
    """Take the items ``indices`` out of ``container``, with the commas that they needed."""
    left = [index for index in range(len(container.items)) if index not in indices]
    for run in _runs(document, container, sorted(indices)):
        first, final = container.items[run[0]], container.items[run[-1]]
        yield _without(document, first, final, leads=not left or run[-1] < left[0])
    last = len(container.items) - 1
    if last in indices and left and _comma_after(document, container.items[last].end) < 0:
        before = _comma_after(document, container.items[left[-1]].end)
        yield Change(before, before + 1)


def _runs(document: Document, container: Node, indices: list[int]) -> list[list[int]]:
    """``indices`` in groups of neighbours that have no comment between them."""
    runs: list[list[int]] = []
    for index in indices:
        item, previous = container.items[index], container.items[index - 1]
        comma = _comma_after(document, previous.end) + 1
        neighbours = bool(runs) and runs[-1][-1] == index - 1
        if neighbours and document.content_end(item.first) == comma:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _without(document: Document, first: Node, last: Node, leads: bool) -> Change:
    """Take out the items from ``first`` to ``last``; when they ``lead``, none is left before."""
    text = document.text
    comma = _comma_after(document, last.end)
    end = comma + 1 if comma >= 0 else last.end
    start = document.content_end(first.first)
    if comma >= 0 and leads and not _breaks(text[start : first.first]):
        return Change(first.first, _skip_blanks(text, end))
    if document.ends_in_line_comment(start) and not _LINE_END.match(text, end):
        start = first.first
    return Change(start, end)


def _after(last: int, end: int, text: str) -> Iterator[Change]:
    """A comma behind the last item, and ``text`` behind the comments that follow it."""
    if last == end:
        yield Change(end, end, "," + text)
    else:
        yield Change(last, last, ",")
        yield Change(end, end, text)


def _quoted(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def is_bare(document: Document, container: Node) -> bool:
    """Whether ``container`` holds nothing, not even a comment."""
    inside = document.text[container.start + 1 : container.end - 1]
    return not container.items and not inside.strip()


@dataclass(frozen=True)
class _Layout:
    """How an item of a container is written."""

    newline: str
    unit: str
    indent: str
    outer: str
    inline: bool
    colon: str

    @classmethod
    def of(cls, document: Document, into: Node) -> "_Layout":
        """The layout of the items of ``into``."""
        text = document.text
        newline, unit = _newline(text), _unit(document)
        outer = _line_indent(text, into.start)
        indent = outer + unit
        if into.items and _breaks(text[into.start : into.items[0].first]):
            indent = _line_indent(text, into.items[0].first)
        inline = bool(into.items) and not _breaks(text[into.start : into.end])
        return cls(newline, unit, indent, outer, inline, _colon(text, inline))

    @classmethod
    def at(cls, document: Document, node: Node) -> "_Layout":
        """The layout of ``node`` where it stands."""
        text = document.text
        indent = _line_indent(text, node.start)
        inline = bool(node.items) and not _breaks(text[node.start : node.end])
        colon = _colon(text, inline)
        return cls(_newline(text), _unit(document), indent, indent, inline, colon)

    @property
    def separator(self) -> str:
        if not self.inline:
            return self.newline + self.indent
        return self.colon[1:]

    def render(self, value: Any) -> str:
        if self.inline:
            separators = ("," + self.separator, self.colon)
            return json.dumps(value, ensure_ascii=False, separators=separators)
        shown = json.dumps(value, ensure_ascii=False, indent=self.unit)
        return shown.replace("\n", self.newline + self.indent)


def _fill(document: Document, into: Node, end: int, layout: _Layout, shown: str) -> Change:
    """Put the first item into a container that is empty but for comments."""
    text, closer = document.text, into.end - 1
    after = text[end:closer]
    if not _breaks(after) or is_bare(document, into):
        after = layout.newline + layout.outer
    return Change(end, closer, layout.newline + layout.indent + shown + after)


def _comma_after(document: Document, end: int) -> int:
    """The offset of the comma that follows a value ending at ``end``, or -1."""
    gap = _GAP.match(document.text, end)
    while gap:
        end = gap.end()
        gap = _GAP.match(document.text, end)
    return end if document.text.startswith(",", end) else -1


def _skip_blanks(text: str, offset: int) -> int:
    while text[offset : offset + 1] in (" ", "\t"):
        offset += 1
    return offset


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text


def _newline(text: str) -> str:
    """The line end that is used most."""
    windows = text.count("\r\n")
    return "\r\n" if windows > text.count("\n") - windows else "\n"


def _unit(document: Document) -> str:
    """One step of indentation, as the first member of the file shows it."""
    root = document.root
    if root.items and _breaks(document.text[root.start : root.items[0].first]):
        indent = _line_indent(document.text, root.items[0].first)
        outer = _line_indent(document.text, root.start)
        if len(indent) > len(outer):
            return indent[len(outer) :]
    return _DEFAULT_UNIT


def _line_indent(text: str, offset: int) -> str:
    """The blanks at the start of the line of ``offset``."""
    start = text.rfind("\n", 0, offset) + 1
    return text[start : _skip_blanks(text, start)]


def _colon(text: str, inline: bool) -> str:
    """A minified text stays minified."""
    return ":" if inline and not re.search(r'"[ \t]*:[ \t]', text) else ": "
