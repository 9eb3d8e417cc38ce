"""Citations: ``[ref:NAME](path)`` in a Markdown document."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from session_memory.references.tree import Tree

_OPENING = "[ref:"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BACKTICKS = re.compile("`+")
_MAX_DOCUMENT = 4 << 20


@dataclass(frozen=True)
class Citation:
    """A citation in ``document``, a path relative to the root, at ``line``."""

    document: str
    line: int
    text: str
    name: str
    target: str

    @property
    def paths(self) -> tuple[str, str]:
        """What the path may mean: relative to the document as in Markdown, or to the root."""
        path = unquote(self.target.strip().partition("#")[0])
        folder = posixpath.dirname(self.document)
        return posixpath.normpath(posixpath.join(folder, path)), posixpath.normpath(
            path.lstrip("/")
        )


def read_citations(tree: Tree, document: str) -> Iterator[Citation]:
    """The citations of ``document``, but for those in code."""
    text = (tree.read(document, _MAX_DOCUMENT) or b"").decode("utf-8-sig", "replace")
    for number, line in _prose(text):
        for whole, name, target in _in_line(line):
            yield Citation(document, number, whole[:120], name.strip(), target)


def _in_line(line: str) -> Iterator[tuple[str, str, str]]:
    """The whole, the name and the target of each citation, in one pass over the line."""
    start = line.find(_OPENING)
    while start >= 0:
        end = name_end = line.find("]", start)
        if name_end < 0:
            return
        name = line[start + len(_OPENING) : name_end]
        if line.startswith("](", name_end):
            target_end = line.find(")", name_end)
            if target_end < 0:
                return
            target = line[name_end + 2 : target_end]
            if name and target:
                end = target_end
                yield line[start : end + 1], name, target
        start = line.find(_OPENING, end)


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside fenced code, numbered from 1, without code spans."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        marks = _FENCE.match(line)
        if fence:
            if marks and marks[1].startswith(fence) and not line[marks.end() :].strip():
                fence = ""
        elif marks:
            fence = marks[1]
        else:
            yield number, _without_code(line)


def _without_code(line: str) -> str:
    """``line`` without code spans: from a run of backticks to the next one of its length."""
    runs = list(_BACKTICKS.finditer(line))
    closing: dict[int, int] = {}  # by the index of a run: the next run as long as it
    latest: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = len(runs[index][0])
        closing[index] = latest.get(length, -1)
        latest[length] = index
    kept, place, index = [], 0, 0
    while index < len(runs):
        if closing[index] >= 0:
            kept.append(line[place : runs[index].start()])
            index = closing[index]
            place = runs[index].end()
        index += 1
    return "".join([*kept, line[place:]])
