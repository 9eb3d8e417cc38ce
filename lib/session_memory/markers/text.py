"""The text of comments: line ends, lines, and the comparison that ignores how text travelled."""

import re
from collections.abc import Iterator

_LINE_END = re.compile(r"\r\n?|\n")
# What may stand behind a marker. A no-break space, for one, makes it another line.
BLANKS = " \t"
# A line that opens or closes a code fence: the fence itself, and what stands behind it.
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def to_lf(text: str) -> str:
    """``text`` with every CRLF and lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines(text: str) -> list[str]:
    """The lines of ``text``; only CR and LF end one, unlike :meth:`str.splitlines`."""
    return _LINE_END.split(text)


def first_line(text: str) -> str:
    return _LINE_END.split(text, maxsplit=1)[0]


def normalize(text: str) -> str:
    """``text`` without what transport and editors change: line ends, trailing blanks, edges.

    Two bodies are the same when these are equal, character by character.
    """
    return "\n".join([line.rstrip(BLANKS) for line in to_lf(text).split("\n")]).strip()


def fences(text: str) -> Iterator[tuple[int, str, bool]]:
    """Every line with its number from 1, and whether it lies in or on a code fence."""
    opened = ""
    for number, line in enumerate(lines(text), 1):
        before, opened = opened, _fence_after(opened, line)
        yield number, line, bool(before or opened)


def open_fence(text: str) -> bool:
    """Whether a code fence is still open at the end of ``text``."""
    opened = ""
    for line in lines(text):
        opened = _fence_after(opened, line)
    return bool(opened)


def _fence_after(opened: str, line: str) -> str:
    """The fence that is open behind ``line`` when ``opened`` was open before it."""
    match = FENCE.fullmatch(line)
    if match is None:
        return opened
    if not opened:
        return match[1]
    closes = match[1].startswith(opened) and not match[2].strip()
    return "" if closes else opened
