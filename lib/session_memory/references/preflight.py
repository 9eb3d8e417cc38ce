"""Reference pre-flight: inject what an issue needs, once a conversation (SMC-22)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session


def inject(session: "Session") -> str:
    """The references for the issue that the prompt names, or ``""``."""
    return ""
