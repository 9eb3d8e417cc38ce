"""The contract's places for state below a root, and a look at them that opens nothing."""

from session_memory.core.system import join, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    Place = tuple[str, ...]

# Session state: the conversation's folder, then the worktree's.
SESSION = (("memories", "session"), (".copilot-tracking",))
# Release hygiene, shared by both hosts.
HYGIENE = ((".claude", ".state"),)


def paths(root: str, places: "tuple[Place, ...]", name: str) -> "list[str]":
    """Where ``name`` may lie, in the order of preference."""
    return [join(join(root, "/".join(place)), name) for place in places]


def peek(root: str, places: "tuple[Place, ...]", name: str) -> "os.stat_result | None":
    """Facts about ``name`` in the first place that has it."""
    for path in paths(root, places, name):
        try:
            return native.lstat(path)
        except (OSError, ValueError):
            continue
    return None
