"""A conversation starts, resumes, or was cleared or compacted."""

from session_memory import preload
from session_memory.startup import SILENT, due

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session


def handle(session: "Session") -> None:
    """Say what the start-up check finds, if it is due."""
    if session.event.agent_id or not session.root:
        session.explain("hook", "subagent" if session.event.agent_id else "outside-repository")
        return
    action = due(session, session.event.source)
    if action == SILENT:
        session.explain("startup", "checked-before")
        return
    if not session.allows("startup"):
        return
    preload.load("first_check")
    from session_memory.startup import check

    session.say(check.at_start(session, action))
