"""Areas ``startup-marker`` and ``issue-id``: the run-once start-up check."""

from typing import Any

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.events import session_start
from session_memory.startup import SPEAK, decide, marker_name
from session_memory.startup.issue_id import derive_issue_id
from support import Repository
from vector_adapters import Operation, Workspace

_UNUSABLE = ("unreadable", "unwritable", "unavailable", "error")


def _issue_id(row: dict[str, Any], workspace: Workspace) -> None:
    found = derive_issue_id(row["given"]["branch"] or "")
    expected = row["expect"]
    assert found == (expected["issue_id"] if isinstance(expected, dict) else expected)


def _runs(row: dict[str, Any], workspace: Workspace) -> None:
    """A manual run is a decision; an automatic one is the real event in a real repository."""
    given = row["given"]
    if given.get("trigger") == "manual":
        marked = given.get("marker") == "present"
        assert (decide("", marked, manual=True) == SPEAK) is _truth(row)
        return
    repository = _something_to_say(workspace)
    _prepare_marker(repository, given.get("marker"))
    assert bool(_start(repository, given)) is _truth(row)


def _writes(row: dict[str, Any], workspace: Workspace) -> None:
    """Nobody's answer is asked for before the marker is written."""
    given = row["given"]
    repository = _something_to_say(workspace)
    _prepare_marker(repository, given.get("marker"))
    _start(repository, given)
    marker = repository.session / marker_name("s-vector")
    assert (marker.is_file() and marker.stat().st_size > 0) is _truth(row)


def _start(repository: Repository, given: dict[str, Any]) -> str:
    payload: dict[str, object] = {
        "hook_event_name": "SessionStart",
        "session_id": "vector",
        "source": given.get("source") or "startup",
        "cwd": str(repository.root),
    }
    session = Session(Event(payload))
    session_start.handle(session)
    for action in session.afterwards:
        action()
    return session.context


def _something_to_say(workspace: Workspace) -> Repository:
    repository = workspace.repository()
    repository.write(".copilot-tracking/notes.md", "# Notes\n")
    return repository


def _prepare_marker(repository: Repository, state: object) -> None:
    name = marker_name("s-vector")
    if state == "present":
        repository.write(f"memories/session/{name}", "done\n")
    elif state in _UNUSABLE:
        # A file where the folder belongs, and a folder where the marker belongs.
        repository.write("memories", "")
        (repository.root / ".copilot-tracking" / name).mkdir()


def _truth(row: dict[str, Any]) -> bool:
    expected = row["expect"]
    return bool(next(iter(expected.values())) if isinstance(expected, dict) else expected)


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("issue-id", "*"): _issue_id,
    ("startup-marker", "run?"): _runs,
    ("startup-marker", "write?"): _writes,
}
