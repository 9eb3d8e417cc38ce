"""What lies in ``.copilot-tracking``, and what of it stays where it is (SMC-13).

Names are compared without regard to case on every system, so that a file that is protected on one
is protected on all.
"""

from session_memory.core.ignore import OUR_NAMES

FOLDER = ".copilot-tracking"
ARCHIVE = ".copilot-tracking-archive"

# The persistent registry: never archived, never deleted, never reported as left over. It holds for
# these names directly below the folder; a file of such a name deeper down is work like any other.
PERSISTENT_FOLDERS = frozenset(("calibration",))
PERSISTENT_FILES = frozenset(
    ("gate-events.jsonl", "references-state.yml", "references-init.manifest")
)
# Where the format puts a document that is settled. It stays, but may be moved by name.
ARCHIVED_FOLDER = "archived"

# The standings of a file.
WORK = "work"
PERSISTENT = "persistent"
ARCHIVED = "archived"
STATE = "session-state"
PLACEHOLDER = "placeholder"

_PLACEHOLDERS = frozenset((".gitkeep", ".gitignore"))
# The folder takes the place of memories/session where that cannot be written.
_OURS = tuple([pattern.rstrip("*") for pattern in OUR_NAMES])


def standing(path: str) -> str:
    """The standing of ``path``, which is relative to the tracking folder and separated by ``/``."""
    *folders, name = path.lower().split("/")
    if name in _PLACEHOLDERS:
        return PLACEHOLDER
    top = folders[0] if folders else name
    if top in PERSISTENT_FOLDERS or (not folders and name in PERSISTENT_FILES):
        return PERSISTENT
    if top == ARCHIVED_FOLDER:
        return ARCHIVED
    return STATE if not folders and name.startswith(_OURS) else WORK


def below(path: str) -> str:
    """``path``, relative to the checkout, relative to the tracking folder; ``""`` elsewhere."""
    folder, slash, rest = path.partition("/")
    return rest if slash and folder == FOLDER else ""
