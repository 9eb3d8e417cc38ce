"""Where state and settings lie, and a first look at these places."""

from session_memory.core.system import (
    WINDOWS,
    environ,
    is_directory,
    is_regular,
    join,
    native,
    parent,
    read_file,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Callable

    Place = tuple[str, ...]

# Session state: the conversation's folder, then the worktree's.
SESSION = (("memories", "session"), (".copilot-tracking",))
# What an agent remembers by itself. There is no second place: plans never lie beside tracking.
MEMORY = (("memories", "session"),)
# Release hygiene, shared by both hosts.
HYGIENE = ((".claude", ".state"),)

# Settings of a repository, below its root: the later file goes first.
SETTINGS = ("pyproject.toml", ".session-memory.toml")
# What of the first is ours names this table. It is the file of others, and larger.
PROJECT_TABLE = b"session-memory"
MAX_PROJECT_BYTES = 256 << 10
_USER_SETTINGS = ("session-memory", "settings.toml")


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


def user_settings(variable: "Callable[[str], str]" = environ, windows: bool = WINDOWS) -> str:
    """The file of the user's own settings; ``""`` when nothing tells where their home is.

    ``variable`` gives the value of an environment variable, ``""`` for one that is not set. A
    relative folder is passed over, since it would lie in whichever repository the hook runs in.
    """
    if windows:
        import ntpath

        base = variable("APPDATA")
        return ntpath.join(base, *_USER_SETTINGS) if ntpath.isabs(base) else ""
    base = variable("XDG_CONFIG_HOME")
    if base[:1] != "/":
        base = variable("HOME")
        base = base and base.rstrip("/") + "/.config"
    return "/".join([base.rstrip("/"), *_USER_SETTINGS]) if base[:1] == "/" else ""


def may_have_settings(root: str) -> bool:
    """Whether a file may hold settings; it spares all others the modules that read them."""
    own = [join(root, SETTINGS[1]), user_settings()]
    return any([_exists(path) for path in own]) or _may_be_ours(join(root, SETTINGS[0]))


def _exists(path: str) -> bool:
    try:
        native.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _may_be_ours(project: str) -> bool:
    """Every project in Python has the file; what is odd about it, its reader tells."""
    try:
        if not is_regular(native.lstat(project).st_mode):
            return True
    except (OSError, ValueError):
        return False
    content = read_file(project, MAX_PROJECT_BYTES)
    return content is None or len(content) == MAX_PROJECT_BYTES or PROJECT_TABLE in content
