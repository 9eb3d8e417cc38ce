"""L1 events confirm L0 tokens: a question that was logged as asked should also have been seen."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from session_memory.gates.log_record import Asked, text_of, timestamp_of
from session_memory.gates.questions import EVENT_TYPE
from session_memory.markers.comment import instant

# A token is written just before the question is put; the event comes once a person has answered.
WINDOW_S = 3600.0

# Times of the usual length that agree so far are in one hour, and sort as text.
_USUAL, _HOUR = len("2026-06-02T00:00:00Z"), len("2026-06-02T00")

_MAX_SESSIONS = 256
_MAX_WAITING = 32
_MAX_MISSING = 10_000


@dataclass
class Corroboration:
    """Tokens of each session that wait for their question event, and those that got none."""

    _waiting: dict[str, deque[tuple[Asked, bool]]] = field(default_factory=dict)
    _missing: list[Asked] = field(default_factory=list)

    def asked(self, asked: Asked, *, report: bool) -> None:
        """A token says that a question is about to be put."""
        if asked.session_key not in self._waiting and len(self._waiting) >= _MAX_SESSIONS:
            self._give_up(self._waiting.pop(next(iter(self._waiting))))
        waiting = self._waiting.setdefault(asked.session_key, deque())
        waiting.append((asked, report))
        if len(waiting) > _MAX_WAITING:
            self._give_up([waiting.popleft()])

    def event(self, record: Mapping[str, object]) -> None:
        """A question event confirms as many of the latest tokens as it had questions."""
        waiting = self._waiting.get(text_of(record, "session_key")) or self._waiting.get("")
        if not waiting or record.get("event_type") != EVENT_TYPE:
            return
        count = record.get("question_count")
        for _ in range(min(count if isinstance(count, int) else 1, len(waiting))):
            if not _within(waiting[-1][0].timestamp, timestamp_of(record)):
                break
            waiting.pop()

    def missing(self) -> tuple[Asked, ...]:
        """Load-bearing questions that no event confirmed, in the order in which they were asked."""
        for waiting in self._waiting.values():
            self._give_up(waiting)
        self._waiting.clear()
        return tuple(sorted(self._missing, key=lambda asked: asked.timestamp))

    def _give_up(self, waiting: deque[tuple[Asked, bool]] | list[tuple[Asked, bool]]) -> None:
        reported = [asked for asked, report in waiting if report]
        self._missing += reported[: _MAX_MISSING - len(self._missing)]


def _within(asked: str, fired: str) -> bool:
    if len(asked) == len(fired) == _USUAL and asked[:_HOUR] == fired[:_HOUR]:
        return asked <= fired
    before, after = instant(asked), instant(fired)
    if before is None or after is None:
        return True
    return 0 <= after - before <= WINDOW_S
