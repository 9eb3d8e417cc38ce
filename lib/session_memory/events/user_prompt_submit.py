"""A prompt was submitted: by the user, or by the host on its own account."""

from session_memory import preload
from session_memory.core.system import join, native
from session_memory.startup import PROMPT, SILENT, due

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

# Made by the reference commands; without it a repository has no references to inject.
REFERENCE_INDEX = ".references/index.json"

# A finished background task reports by way of a prompt, which may hold any text.
_MACHINE_MADE = ("<task-notification>", "<system-reminder>", "<local-command-")


def handle(session: "Session") -> None:
    """Say what the start-up check finds, if it is due, and what the issue in the prompt needs."""
    unfit = _unfit(session)
    if unfit:
        session.explain("hook", unfit)
        return
    session.say(_startup(session))
    # Both share one reply: what the first one says is room that the second does not have.
    session.say(_references(session, len(session.context.encode()) + 2))


def _unfit(session: "Session") -> str:
    """Why no prompt of this kind is answered, as a code; ``""`` for a prompt of a person."""
    if session.event.agent_id:
        return "subagent"
    if not session.root:
        return "outside-repository"
    machine_made = session.event.prompt.lstrip().startswith(_MACHINE_MADE)
    return "machine-made-prompt" if machine_made else ""


def _startup(session: "Session") -> str:
    """Some hosts never fire SessionStart, or fire it after the first prompt."""
    if due(session, PROMPT) == SILENT:
        session.explain("startup", "checked-before")
        return ""
    if not session.allows("startup"):
        return ""
    preload.load("first_check")
    from session_memory.startup import check

    return check.at_prompt(session)


def _references(session: "Session", taken: int) -> str:
    prompt = session.event.prompt
    if "#" not in prompt and "issue" not in prompt.lower():
        session.explain("references", "no-issue-named")
        return ""
    try:
        native.lstat(join(session.root, REFERENCE_INDEX))
    except OSError:
        session.explain("references", "no-index")
        return ""
    from session_memory.references import preflight

    return preflight.inject(session, taken)
