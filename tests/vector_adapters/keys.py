"""Area ``session-key``: the ladder that names a conversation."""

from typing import Any

from session_memory.core.key import session_key
from session_memory.core.payload import Event
from vector_adapters import Operation, Workspace


def _ladder(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    session_id = Event(given.get("payload", given)).session_id
    key, rung = session_key(session_id, *_head(given))
    expected = row["expect"] if isinstance(row["expect"], dict) else {"key": row["expect"]}
    assert key == expected["key"]
    assert rung == expected.get("rung", rung)


def _head(given: dict[str, Any]) -> tuple[str, str]:
    """What git says, in the ways a row may put it."""
    if given.get("git") == "missing":
        return "", ""
    detached = given.get("branch_rc") or given.get("head") == "detached"
    return "HEAD" if detached else given.get("branch") or "", given.get("sha") or ""


OPERATIONS: dict[tuple[str, str], Operation] = {("session-key", "*"): _ladder}
