"""What the report says about a folder, line by line."""

from collections.abc import Callable
from pathlib import Path

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.startup import findings, report
from support import Hook

Start = Callable[..., Hook]


def look(root: Path) -> list[str]:
    """The lines of the report for a conversation in ``root``, without the heading."""
    session = Session(Event({"session_id": "look", "cwd": str(root)}))
    found = findings.look(session.root, session.checkout)
    if found.is_empty:
        return []
    heading, *lines = report.compose(found).split("\n")
    assert heading == report.HEADING
    return lines
