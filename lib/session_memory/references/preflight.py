"""Reference pre-flight: inject what an issue needs, once a conversation (SMC-22)."""

from session_memory.references.prompt import find_mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session


def inject(session: "Session", taken: int = 0) -> str:
    """The references for the issue that the prompt names, or ``""``.

    ``taken`` bytes of the reply's room are used already.
    """
    mention = find_mention(session.event.prompt)
    if mention is None:
        return ""
    # Running gh takes modules that a prompt without an issue need not pay for.
    from session_memory.core import reply
    from session_memory.references.injection import inject_for

    return inject_for(session, mention, reply.MAX_BYTES - taken)
