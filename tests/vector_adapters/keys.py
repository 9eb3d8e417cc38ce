"""Areas ``session-key``: the ladder that names a conversation."""

from typing import Any

from session_memory.core.key import session_key
from vector_adapters import Operation, Workspace


def _ladder(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    branch = given.get("branch") or ""
    if given.get("branch_rc") or given.get("head") == "detached":
        branch = "HEAD"
    key, _ = session_key(given.get("session_id") or "", branch, given.get("sha") or "")
    expected = row["expect"]
    assert key == (expected["key"] if isinstance(expected, dict) else expected)


OPERATIONS: dict[tuple[str, str], Operation] = {("session-key", "*"): _ladder}
