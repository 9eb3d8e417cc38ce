"""Citations: ``[ref:NAME](path)`` in a Markdown document."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from session_memory.references.tree import Tree

_CITATION = re.compile(r"\[ref:([^\]]+)\]\(([^)]+)\)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
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
        for found in _CITATION.finditer(line):
            yield Citation(document, number, found[0][:120], found[1].strip(), found[2])


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
            yield number, _CODE_SPAN.sub("", line)
