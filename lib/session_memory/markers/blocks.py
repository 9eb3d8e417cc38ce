"""Blocks inside a body: an HTML comment at the start of a line, outside every code fence."""

import re
from dataclasses import dataclass

from session_memory.markers.text import fences


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
    found = []
    skip_to = 0
    for number, line, fenced in rows:
        match = None if fenced or number < skip_to else head.fullmatch(line)
        if match:
            block = _until_end(match[1], [row for _, row, _ in rows[number:]], number)
            skip_to = number + block.text.count("\n") + 1
            found.append(block)
    return found


def _until_end(first: str, following: list[str], line: int) -> Block:
    text = "\n".join([first, *following])
    inside, end, _ = text.partition("-->")
    return Block(inside, line, bool(end))
