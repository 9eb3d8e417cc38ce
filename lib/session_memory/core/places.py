"""The contract's places for state below a root, and a look at them that opens nothing."""

from session_memory.core.system import is_directory, join, native, parent

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


def is_usable(root: str, place: "Place") -> bool:
    """Whether state could be written in ``place``, which is made when it is first needed."""
    path = root
    for part in place:
        path = join(path, part)
        try:
            mode = native.lstat(path).st_mode
        except FileNotFoundError:
            path = parent(path)
            break
        except (OSError, ValueError):
            return False
        if not is_directory(mode):
            return False
    return native.access(path, native.W_OK | native.X_OK)


def first_usable(root: str, places: "tuple[Place, ...]") -> int:
    """The index of the place that would take a new file; -1 when none would."""
    return next((i for i, place in enumerate(places) if is_usable(root, place)), -1)


def peek(root: str, places: "tuple[Place, ...]", name: str) -> "os.stat_result | None":
    """Facts about ``name`` in the first place that has it."""
    for path in paths(root, places, name):
        try:
            return native.lstat(path)
        except (OSError, ValueError):
            continue
    return None
