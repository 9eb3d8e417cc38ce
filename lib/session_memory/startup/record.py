"""What a marker says to whoever opens it: front matter bound to the conversation's key.

Only the existence of the marker counts for the hooks; ``schemas/startup-marker.schema.json``
describes the front matter.
"""

import time

from session_memory.core.json_text import encode
from session_memory.startup import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

REPORTED = "reported"
NOTHING = "nothing-to-report"
INHERITED = "inherited"

UNKNOWN_SOURCE = "unknown"

_BODY = """
The start-up check of this conversation is done (SMC-07).
While this file is here, it does not run again by itself.
"""


def outcome(text: str) -> str:
    """The outcome of a check that said ``text``."""
    return REPORTED if text else NOTHING


def render(session: "Session", source: str, result: str) -> bytes:
    """The marker's content. A source that is not in the table is not repeated."""
    fields = {
        "session_key": session.key,
        "key_rung": session.rung,
        "host": session.event.host,
        "source": source if source in SOURCES else UNKNOWN_SOURCE,
        "outcome": result,
        "completed_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    # A string in JSON is a string in YAML.
    lines = [f"{name}: {encode(value)}\n" for name, value in fields.items()]
    return "".join(["---\n", *lines, "---\n", _BODY]).encode()
