"""Changing one value in a JSON text, with the layout of what surrounds it."""

import json
import re
from dataclasses import dataclass
from typing import Any

from session_memory.editors.jsonc import Document, Node

_DEFAULT_UNIT = "  "
# One piece of what may stand between tokens. Repeating it within the pattern would backtrack.
_GAP = re.compile(r"[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def insert(document: Document, into: Node, key: "str | None", value: Any) -> str:
    """The text with ``value`` as the last item of ``into``, under ``key`` in an object."""
    layout = _Layout.of(document, into)
    text = document.text
    label = "" if key is None else json.dumps(key, ensure_ascii=False) + layout.colon
    shown = label + layout.render(value)
    end = document.content_end(into.end - 1)
    if not into.items:
        return _fill(document, into, end, layout, shown)
    last = into.items[-1].end
    comma = _comma_after(document, last)
    if comma >= 0:
        # The file's own style is to close a list with a comma.
        return text[:end] + layout.separator + shown + "," + text[end:]
    return text[:last] + "," + text[last:end] + layout.separator + shown + text[end:]


def replace(document: Document, node: Node, value: Any) -> str:
    """The text with ``value`` in the place of ``node``."""
    layout = _Layout.at(document, node)
    return document.text[: node.start] + layout.render(value) + document.text[node.end :]


def remove(document: Document, container: Node, index: int) -> str:
    """The text without the item ``index`` of ``container``, and without the comma it needed."""
    text, item = document.text, container.items[index]
    comma = _comma_after(document, item.end)
    end = comma + 1 if comma >= 0 else item.end
    start = document.content_end(item.first)
    if comma >= 0 and index == 0 and not _breaks(text[start : item.first]):
        start, end = item.first, _skip_blanks(text, end)
    elif _ends_in_line_comment(document, start) and not _LINE_END.match(text, end):
        start = item.first
    head = text[:start]
    if comma < 0 and index > 0:
        before = _comma_after(document, container.items[index - 1].end)
        head = text[:before] + text[before + 1 : start]
    return head + text[end:]


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


def _fill(document: Document, into: Node, end: int, layout: _Layout, shown: str) -> str:
    """Put the first item into a container that is empty but for comments."""
    text, closer = document.text, into.end - 1
    after = text[end:closer]
    if not _breaks(after) or is_bare(document, into):
        after = layout.newline + layout.outer
    return text[:end] + layout.newline + layout.indent + shown + after + text[closer:]


def _comma_after(document: Document, end: int) -> int:
    """The offset of the comma that follows a value ending at ``end``, or -1."""
    gap = _GAP.match(document.text, end)
    while gap:
        end = gap.end()
        gap = _GAP.match(document.text, end)
    return end if document.text.startswith(",", end) else -1


def _ends_in_line_comment(document: Document, end: int) -> bool:
    """Whether a comment that runs to the end of its line ends at ``end``."""
    return (
        any(
            document.text.startswith("//", at) and not _breaks(document.text[at:end])
            for at in document.comments
            if at < end
        )
        and end in document.ends
    )


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
