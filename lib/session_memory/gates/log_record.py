"""One line of the gate-event log, read leniently: the log is written by agents and hooks alike."""

import json
from collections.abc import Mapping
from typing import NamedTuple

Line = bytes | str | Mapping[str, object]

_decode = json.JSONDecoder().raw_decode
# What JSON allows around a value, and the mark that some editors put at the start of a file.
_AROUND = "\ufeff \t\r\n"

# Characters of an id that are kept; no lawful one is longer.
_MAX_ID = 700


class Asked(NamedTuple):
    """A decision that the log says somebody was asked for; ``times`` since it was last settled."""

    decision_id: str
    phase: str
    window_position: str
    timestamp: str
    session_key: str = ""
    issue_number: str = ""
    pull_request_number: str = ""
    times: int = 1

    @classmethod
    def of(cls, token: Mapping[str, object]) -> "Asked":
        return cls(
            text_of(token, "decision_id")[:_MAX_ID],
            text_of(token, "phase"),
            text_of(token, "window_position"),
            timestamp_of(token),
            text_of(token, "session_key"),
            text_of(token, "issue_number"),
            text_of(token, "pull_request_number"),
        )

    @property
    def number(self) -> str:
        return self.pull_request_number or self.issue_number

    def again(self, before: "Asked | None") -> "Asked":
        """This question, counted on from the one before."""
        return self._replace(times=before.times + 1) if before else self


def parse_record(line: Line) -> Mapping[str, object] | None:
    """The object that a line holds; ``None`` for a line that does not even try to hold one.

    Raises :class:`ValueError` for a line that is torn or otherwise no JSON.
    """
    if isinstance(line, Mapping):
        return line
    text = line.decode() if isinstance(line, bytes) else line
    if "{" not in text:
        return None
    text = text.strip(_AROUND)
    try:
        value, end = _decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if end < len(text):
        raise ValueError("more than one value")
    return value if isinstance(value, dict) else None


def text_of(record: Mapping[str, object], name: str) -> str:
    """A field as text; nothing for one that is absent, null or not a scalar."""
    value = record.get(name)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def timestamp_of(record: Mapping[str, object]) -> str:
    """The record's time, in the one spelling of the log, which sorts as text."""
    return text_of(record, "timestamp")
