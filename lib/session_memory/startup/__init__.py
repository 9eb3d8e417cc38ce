"""The start-up check, once a conversation (SMC-07): its marker, and when it is due.

Every prompt and every start passes through here, so the rest of the room is loaded only when there
is something to do.
"""

from session_memory.core.key import SESSION_ID
from session_memory.core.system import is_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from session_memory.core.session import Session

MARKER_PREFIX = "session-startup-check-complete-"

# A branch, a commit and the last resort outlive the conversation that left the marker, and nothing
# tells the next one from it. Half a day spares a working day the repetition, and the next morning
# the silence.
SHARED_VALID_S = 12 * 3600.0

SPEAK = "speak"  # run the check, and leave the marker
RECORD = "record"  # leave the marker only
SILENT = "silent"

# What became of asking remote and GitHub: nothing that was found depends on it.
NOT_NEEDED = "not-needed"

# The source that stands for a prompt, from which the check is made up for.
PROMPT = "prompt"

# The source that stands for a run by hand which leaves the marker.
MANUAL = "manual"

# What a source means for a conversation that has no marker yet.
SOURCES = {
    # Claude Code: a new conversation, with a new id.
    "startup": SPEAK,
    # Copilot and VS Code say it so. Some versions say it at every prompt: then the marker is there.
    "new": SPEAK,
    # The id is kept, and so is the marker. Without one, the conversation is older than the bundle.
    "resume": SPEAK,
    # The history is gone, and Claude Code gives a new id with it.
    "clear": SPEAK,
    # The same id. What was said before is in the summary; if nothing was, now is the time.
    "compact": SPEAK,
    # A new id, but the history is inherited and holds what was said.
    "fork": RECORD,
    # The host has no start event, skipped it, or fires it after the first prompt.
    PROMPT: SPEAK,
    MANUAL: SPEAK,
}


def marker_name(key: str) -> str:
    """The run-once marker of the conversation with this session key."""
    return f"{MARKER_PREFIX}{key}.md"


def decide(source: str, marked: bool, manual: bool = False) -> str:
    """:data:`SPEAK`, :data:`RECORD` or :data:`SILENT`.

    ``marked`` tells that the conversation's marker is complete. Only automatic runs heed it. A
    source that is not in :data:`SOURCES` is one that a newer host has added, and counts as a start.
    """
    if manual:
        return SPEAK
    return SILENT if marked else SOURCES.get(source, SPEAK)


def due(session: "Session", source: str) -> str:
    """What to do about an automatic run for ``source``, by one look at the marker."""
    marker = session.peek(marker_name(session.key))
    return decide(source, is_complete(marker) and _is_valid(marker, valid_for(session.rung)))


def valid_for(rung: str) -> "float | None":
    """How many seconds a marker counts whose key is of this rung; ``None`` is for ever."""
    return None if rung == SESSION_ID else SHARED_VALID_S


def is_complete(marker: "os.stat_result | None") -> bool:
    """Whether the work that the marker stands for is done.

    An empty file is a claim, which its process may have left behind; anything but a plain file is
    not ours.
    """
    return marker is not None and is_regular(marker.st_mode) and marker.st_size > 0


def _is_valid(marker: "os.stat_result | None", valid_s: "float | None") -> bool:
    if marker is None or valid_s is None:
        return True
    from session_memory.core.runonce import is_older

    return not is_older(marker.st_mtime, valid_s)
