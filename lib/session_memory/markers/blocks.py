"""Blocks inside a body: an HTML comment at the start of a line, outside every code fence."""

import re
from dataclasses import dataclass

from session_memory.markers.text import fences

# A head that is a comment by itself: the text then follows it, up to a line that is only the end.
_CLOSED_HEAD = frozenset({"frame-spine"})


@dataclass(frozen=True)
class Block:
    """What stands between the block's name and the ``-->`` that ends it; ``line`` from 1."""

    text: str
    line: int
    terminated: bool = True


def blocks(body: str, name: str) -> list[Block]:
    """Every live block ``name`` of ``body``, in order. A mention in a sentence is none."""
    head = re.compile(rf"[ \t]*<!--[ \t]*{re.escape(name)}(?![\w-])(.*)")
    rows = list(fences(body))
    texts = [line for _, line, _ in rows]
    found = []
    skip_to = 0
    for number, line, fenced in rows:
        match = None if fenced or number < skip_to else head.fullmatch(line)
        if match:
            block = _block(name, match[1], texts, number)
            skip_to = number + block.text.count("\n") + 1
            found.append(block)
    return found


def _block(name: str, first: str, rows: list[str], line: int) -> Block:
    if name in _CLOSED_HEAD and first.strip() == "-->":
        return _below_head(rows, line)
    text = "\n".join([first, *rows[line:]])
    inside, end, _ = text.partition("-->")
    return Block(inside, line, bool(end))


def _below_head(rows: list[str], line: int) -> Block:
    """The block's other form. Another comment before its end means that it has none."""
    for end in range(line, len(rows)):
        row = rows[end]
        if row.strip() == "-->":
            return Block("\n".join(["", *rows[line:end], ""]), line)
        if "<!--" in row or "-->" in row:
            break
    return Block("", line, terminated=False)
