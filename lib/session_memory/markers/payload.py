"""The YAML payload of a body: the text of its one fence, or why there is none."""

import re
from dataclasses import dataclass
from typing import Any

from session_memory.markers.problem import Problem
from session_memory.markers.text import FENCE, lines
from session_memory.yaml_text import YamlError, load

_OPEN = re.compile(r"```yaml[ \t]*")
_CLOSE = re.compile(r"```[ \t]*")


@dataclass(frozen=True)
class Payload:
    """The payload's text, ``None`` when several fences compete; ``line`` is its first, from 1."""

    text: str | None
    fenced: bool = False
    ambiguous: bool = False
    line: int = 1

    def load(self) -> object:
        """The payload's value. Raises :class:`YamlError` with the line in the whole body."""
        if self.text is None:
            raise YamlError("more than one yaml fence", self.line)
        try:
            return load(self.text)
        except YamlError as error:
            raise YamlError(error.reason, error.line + self.line - 1) from None

    @property
    def unfenced(self) -> Problem | None:
        """What a writer refuses: a payload that is not in exactly one fence."""
        if self.ambiguous:
            return Problem("ambiguous-payload", "more than one yaml fence: which one is meant?")
        return None if self.fenced else Problem("missing-payload", "there is no yaml fence")


def fields_to_write(body: str) -> "tuple[dict[str, Any], list[Problem]]":
    """The fields of a body that is to be written, and why it cannot be read, if so.

    A payload that is no mapping has no fields.
    """
    payload = extract(body)
    if payload.unfenced:
        return {}, [payload.unfenced]
    try:
        value = payload.load()
    except YamlError as error:
        return {}, [Problem("bad-yaml", str(error))]
    return value if isinstance(value, dict) else {}, []


def extract(body: str) -> Payload:
    """The payload of ``body``, whose line 1 is the marker.

    A fence opens at a line that is exactly three backticks and ``yaml`` and closes at a line that
    is exactly three backticks, trailing blanks apart. Without one, the payload is everything
    behind the marker, as the oldest records have it.
    """
    found = _fenced(lines(body))
    if len(found) > 1:
        return Payload(None, ambiguous=True, line=found[1].line)
    return found[0] if found else _unfenced(body)


def _fenced(rows: list[str]) -> list[Payload]:
    found = []
    at = 0
    # Ends that do not come any more, so that a thousand openings do not look for them each.
    missing: set[str] = set()
    while at < len(rows):
        end = _end_of(rows[at])
        closing = _first(end, rows, at + 1) if end and end.pattern not in missing else 0
        if end and not closing:
            missing.add(end.pattern)
        if closing and _OPEN.fullmatch(rows[at]):
            found.append(_between(rows, at, closing))
        at = closing + 1 if closing else at + 1
    return found


def _end_of(row: str) -> "re.Pattern[str] | None":
    """What closes the fence that ``row`` opens; ``None`` when it opens none."""
    if _OPEN.fullmatch(row):
        return _CLOSE
    fence = FENCE.fullmatch(row)
    return re.compile(rf" {{0,3}}{fence[1]}{fence[1][0]}*[ \t]*") if fence else None


def _first(end: "re.Pattern[str]", rows: list[str], start: int) -> int:
    """The first row from ``start`` on that is ``end``; 0 for none."""
    return next((n for n in range(start, len(rows)) if end.fullmatch(rows[n])), 0)


def _between(rows: list[str], opening: int, closing: int) -> Payload:
    inside = rows[opening + 1 : closing]
    leading = next((n for n, row in enumerate(inside) if row), 0)
    return Payload("\n".join(inside).strip("\n"), fenced=True, line=opening + 2 + leading)


def _unfenced(body: str) -> Payload:
    marker, end, rest = body.partition("-->")
    if not end:
        return Payload("")
    text = rest.strip()
    before = len(lines(marker + end + rest[: rest.find(text)]))
    return Payload("\n".join(lines(text)), line=before)
