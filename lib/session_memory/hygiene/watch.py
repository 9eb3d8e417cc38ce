"""After an edit: remind once that an entry point ships with a version bump (SMC-12)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session


def after_edit(session: "Session") -> str:
    """The reminder, or ``""`` when there is nothing to say."""
    return ""
