"""Which records of a log are wanted."""

from dataclasses import dataclass

from session_memory.gates.questions import EVENT_TYPE
from session_memory.gates.tail import Entry

TOKEN = "token"  # noqa: S105 - not a secret
QUESTION = "question"
OTHER = "other"


def kind(record: dict[str, object]) -> str:
    """:data:`TOKEN`, :data:`QUESTION`, or :data:`OTHER` for what this bundle does not write."""
    if record.get("decision_id"):
        return TOKEN
    return QUESTION if record.get("event_type") == EVENT_TYPE else OTHER


@dataclass(frozen=True)
class Selection:
    """Conditions that a record must meet, all of them; an empty one is met by every record.

    Phases and decisions are compared without regard to case, as reconciliation compares them.
    """

    kind: str = ""
    phase: str = ""
    decision: str = ""
    since: float = 0.0

    def takes(self, entry: Entry) -> bool:
        """Whether ``entry`` is wanted."""
        record = entry.record
        return (
            (not self.kind or self.kind == kind(record))
            and entry.position >= self.since
            and _same(self.phase, record.get("phase"))
            and _same(self.decision, record.get("decision_id"))
        )


def _same(wanted: str, value: object) -> bool:
    return not wanted or (isinstance(value, str) and value.casefold() == wanted.casefold())
