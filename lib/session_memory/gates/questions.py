"""L1 events: proof that a structured question was really put to a person (SMC-21).

A record holds a digest of the first question, never its text.
"""

import time

from session_memory.core.digest import sha256_hex
from session_memory.core.json_text import encode, first_value, well_formed
from session_memory.gates import FALLBACK_LOG, log_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.payload import Event
    from session_memory.core.session import Session

EVENT_TYPE = "structured-question-fired"

# A hook that is registered twice fires twice within this time, in seconds.
_TWICE_S = 2.0
# How far clocks that stamp files and records may be ahead of ours. A record from further ahead was
# written before the clock was set back, so its age is unknown.
_AHEAD_S = 1.0

# Stands for a question that is nested too deeply to be written out. It was asked all the same.
_TOO_DEEP = "question nested too deeply"


def record(session: "Session") -> None:
    """Append the event of one question call to the conversation's log, once."""
    store = session.store()
    if store is None:
        session.lose("question event not recorded: outside any repository")
        session.explain("questions", "outside-repository")
        return
    if not session.allows("gates"):
        return
    session.explain("questions", "only-recorded")
    event = build_event(session.event, session.key, utc_time(time.time()))
    event["key_rung"] = session.rung
    event["host"] = session.event.host
    if session.event.agent_id:
        event["agent_id"] = session.event.agent_id
    if session.event.tool_use_id:
        event["tool_use_id"] = session.event.tool_use_id
    line = encode(event).encode()
    try:
        store.append(log_name(session.key), line, _Seen(event), FALLBACK_LOG)
    except OSError as error:
        session.lose("question event not recorded", error)


def build_event(event: "Event", key: str, now: str) -> "dict[str, object]":
    """The record of a question call under ``key`` at the time ``now``."""
    questions = _questions(event.tool_arguments())
    first = _text(questions[0]).strip() if questions else ""
    return {
        "event_type": EVENT_TYPE,
        "tool_name": event.tool_name or "unknown",
        "session_key": key,
        "question_digest": sha256_hex(first.encode())[:16] if questions else "",
        "timestamp": now,
        "question_count": len(questions),
    }


def utc_time(seconds: float) -> str:
    """A time since 1970 as all records of the log carry it; such texts sort by time."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _questions(arguments: "dict[str, object] | str") -> "list[object]":
    """The questions of a call; ``ask_user`` asks one, as ``message`` or ``question``."""
    if isinstance(arguments, str):
        return [arguments] if arguments.strip() else []
    for name in ("questions", "message", "question"):
        asked = arguments.get(name)
        if asked:
            return asked if isinstance(asked, list) else [asked]
    return []


def _text(question: object) -> str:
    if isinstance(question, dict):
        question = question.get("question", question)
    try:
        return well_formed(question if isinstance(question, str) else encode(question))
    except RecursionError:
        return _TOO_DEEP


class _Seen:
    """Recognises the same call in the tail of the log."""

    _SAME_CALL = ("session_key", "question_digest", "question_count", "agent_id")

    def __init__(self, event: "dict[str, object]") -> None:
        self.event = event

    def __call__(self, tail: bytes, age_s: float) -> bool:
        call = self.event.get("tool_use_id")
        if call:
            # Some hosts count their calls from one again, so the id alone proves nothing.
            mark = encode({"tool_use_id": call})[1:-1].encode()
            lines = tail.split(b"\n") if mark in tail else []
            return any([mark in line and self._is_same(line) for line in lines])
        return -_AHEAD_S <= age_s <= _TWICE_S and self._is_twin_in(tail)

    def _is_twin_in(self, tail: bytes) -> bool:
        """Whether one of the last records, which are in the order of time, is of the same call."""
        for line in reversed(tail.split(b"\n")):
            other = _parsed(line)
            if other is None or not isinstance(other.get("timestamp"), str):
                continue
            if not _is_recent(other["timestamp"]):
                return False
            if self._is_of_same_call(other):
                return True
        return False

    def _is_same(self, line: bytes) -> bool:
        other = _parsed(line)
        return other is not None and self._is_of_same_call(other)

    def _is_of_same_call(self, other: "dict[str, object]") -> bool:
        alike = [other.get(name) == self.event.get(name) for name in self._SAME_CALL]
        return other.get("event_type") == EVENT_TYPE and all(alike)


def _parsed(line: bytes) -> "dict[str, object] | None":
    try:
        value, _ = first_value(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_recent(timestamp: object) -> bool:
    now = time.time()
    # Whole seconds: the earliest time that counts may have been cut by almost one.
    earliest, latest = utc_time(now - _TWICE_S - 1), utc_time(now + _AHEAD_S)
    return isinstance(timestamp, str) and earliest <= timestamp <= latest
