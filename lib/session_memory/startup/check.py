"""Whether the check is due, and what it has to say."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session


def at_start(session: "Session") -> str:
    """The report for a conversation that starts, or ``""``."""
    return ""


def at_prompt(session: "Session") -> str:
    """The report for a conversation whose host never told that it started, or ``""``."""
    return ""
