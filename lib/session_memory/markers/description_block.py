"""A block in the description of a pull request: put in place, with every other byte as it was."""

import re

from session_memory.markers.text import fences, normalize, to_lf


class BlockError(ValueError):
    """The description leaves no doubt-free place for the block; the message says why."""


def replaced(description: str, name: str, block: str) -> str:
    """``description`` with ``block`` in place of its one block ``name``, or behind its end.

    The description's own line ends are kept, and the block takes on the usual one of them.
    """
    ending = "\r\n" if "\r\n" in description else "\n"
    text = to_lf(normalize(block)).replace("\n", ending)
    span = find(description, name)
    if span is None:
        return description + _gap(description, ending) + text + ending
    start, end = span
    if normalize(description[start:end]) == normalize(block):
        return description
    return description[:start] + text + description[end:]


def find(description: str, name: str) -> tuple[int, int] | None:
    """Where the block stands, as offsets; ``None`` without one, :class:`BlockError` for several."""
    head = re.compile(rf"[ \t]*(<!--[ \t]*{re.escape(name)}(?![\w-]))")
    found: list[tuple[int, int]] = []
    for offset, line, fenced in _lines(description):
        match = None if fenced or (found and offset < found[-1][1]) else head.match(line)
        if match:
            start = offset + match.start(1)
            end = description.find("-->", start)
            if end < 0:
                raise BlockError(f"its {name} block has no end")
            found.append((start, end + len("-->")))
    if len(found) > 1:
        raise BlockError(f"it holds more than one {name} block")
    return found[0] if found else None


def _lines(text: str) -> list[tuple[int, str, bool]]:
    """Every line with its offset, and whether it lies in a code fence."""
    rows = []
    offset = 0
    for _, line, fenced in fences(text):
        rows.append((offset, line, fenced))
        offset += len(line)
        offset += 2 if text.startswith("\r\n", offset) else 1
    return rows


def _gap(description: str, ending: str) -> str:
    """What makes an empty line before a block at the end, and adds nothing that is there."""
    if not description:
        return ""
    blank = description.endswith((ending * 2, "\n\n"))
    return "" if blank else ending if description.endswith("\n") else ending * 2
