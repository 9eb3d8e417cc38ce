"""Areas ``gate-token``, ``slug`` and ``l1-event``: the records of the gate-event log."""

from typing import Any

from session_memory.core.payload import Event
from session_memory.gates import log_path
from session_memory.gates.decision_ids import is_slug
from session_memory.gates.questions import build_event
from session_memory.gates.tokens import validate
from vector_adapters import Operation, Workspace


def _token(row: dict[str, Any], workspace: Workspace) -> None:
    assert sorted(validate(row["given"])) == sorted(row["expect"]["errors"])


def _slug(row: dict[str, Any], workspace: Workspace) -> None:
    assert is_slug(row["given"]["value"]) is row["expect"]["valid"]


def _event(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    event = build_event(Event(given["payload"]), given["key"], given["now"])
    assert event == row["expect"]


def _path(row: dict[str, Any], workspace: Workspace) -> None:
    """A place that a row's writer did not have is one that cannot be had: a file is in its way."""
    given = row["given"]
    places = {
        "has_memories_session": workspace.folder / "memories" / "session",
        "has_copilot_tracking": workspace.folder / ".copilot-tracking",
    }
    for name, path in places.items():
        path.parent.mkdir(exist_ok=True)
        if given[name]:
            path.mkdir()
        else:
            path.write_text("in the way")
    found = log_path(str(workspace.folder), given["key"])
    expected = row["expect"].get("path")
    assert found == (str(workspace.folder / expected) if expected else "")


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("gate-token", "token.validate"): _token,
    ("slug", "slug.valid"): _slug,
    ("l1-event", "l1.event"): _event,
    ("l1-event", "l1.path"): _path,
}
