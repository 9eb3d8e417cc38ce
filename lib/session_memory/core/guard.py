"""The boundary of every hook: whatever happens inside, the host sees exit 0 and at most one line.

This is the one place with a broad ``except``.

A reminder and references are given at most once: the note that they were given is written before
the reply. When standard output then fails they are lost, and the loss is reported; were it written
afterwards, a note that cannot be written would have them repeated at every event.
"""

import sys

from session_memory import preload
from session_memory.core import deadline, stdin
from session_memory.core.system import environ, native, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from session_memory.core.session import Session

# The argument by which the launcher asks whether this interpreter can run this very file.
PROBE = "--probe"

# The environment variable that switches all hooks off: by any value but an empty one and ``0``.
SWITCH = "SESSION_MEMORY_DISABLE"

DISABLED = "disabled"
OTHER_EVENT = "other-event"

EVENT_NAMES = {
    "session_start": "SessionStart",
    "user_prompt_submit": "UserPromptSubmit",
    "post_tool_use": "PostToolUse",
}

# How hosts call these events, without case and underscores. A payload that names another one was
# sent to the wrong door, which is none of our business; some hosts name no event at all.
_KNOWN_AS = {
    "session_start": ("", "sessionstart"),
    "user_prompt_submit": ("", "userpromptsubmit", "userpromptsubmitted", "beforeagent"),
    "post_tool_use": ("", "posttooluse", "aftertool"),
}


def main(entry: str, host: str = "") -> "NoReturn":
    """Run the hook ``entry``, one of :data:`EVENT_NAMES`, and end the process.

    ``host`` names the editor by hand; otherwise the payload tells.
    """
    known: list[Session] = []
    try:
        if PROBE in sys.argv:
            _answer_probe()
        elif not declines(entry):
            deadline.start(deadline.BUDGET_S[entry])
            _run(entry, host, known)
    except BaseException as error:  # noqa: BLE001 - the boundary
        _report(entry, error, known)
    finally:
        # Nothing is buffered, and the interpreter's own farewell costs a sixth of its start.
        native._exit(0)


def is_thrown(switch: str) -> bool:
    """Whether a value of :data:`SWITCH` turns hooks off; the launchers apply the same rule."""
    return switch not in ("", "0")


def declines(entry: str, event_name: str = "") -> str:
    """Why the hook ``entry`` leaves an event alone: a code, or ``""`` when it does not.

    Without the name of the event, as before the payload is read, only the switch counts. The
    launchers heed it too, so that hooks that are off do not even start Python.
    """
    if is_thrown(environ(SWITCH)):
        return DISABLED
    return "" if event_name.replace("_", "").lower() in _KNOWN_AS[entry] else OTHER_EVENT


def _run(entry: str, host: str, known: "list[Session]") -> None:
    payload = stdin.read_object()
    from session_memory.core.payload import Event
    from session_memory.core.session import Session

    event = Event(payload, host)
    if declines(entry, event.name):
        return
    session = Session(event)
    known.append(session)
    handler = __import__("session_memory.events." + entry, fromlist=["handle"])
    try:
        handler.handle(session)
    finally:
        # A part that fails, or runs out of time, takes nothing from what was said before it.
        _answer(entry, session)
    for action in session.afterwards:
        action()
    if session.losses:
        _report(entry, None, known)
    if preload.outdated and not sys.dont_write_bytecode:
        _make_parts()


def _answer(entry: str, session: "Session") -> None:
    context = session.context
    if not context:
        return
    if deadline.remaining() < deadline.GRACE_S:
        deadline.extend(deadline.GRACE_S)
    from session_memory.core import reply

    write_all(1, reply.render(session.event, EVENT_NAMES[entry], context))


def _report(entry: str, error: "BaseException | None", known: "list[Session]") -> None:
    """One line on stderr and one in the diagnostics log; a failure to do so is the last resort."""
    try:
        deadline.extend(deadline.GRACE_S)
        if error is not None:
            from session_memory.core import torn

            torn.remove(error)
        from session_memory.core import diagnostics
    except BaseException as failure:  # noqa: BLE001 - not even that is left of the bundle
        _tell(entry, error or failure)
        return
    try:
        diagnostics.report(entry, error, known[0] if known else None)
    except BaseException:  # noqa: BLE001, S110 - there is nobody left to tell
        pass


def _tell(entry: str, error: BaseException) -> None:
    line = "session-memory: " + entry + ": " + type(error).__name__ + "\n"
    try:
        native.write(2, line.encode())
    except OSError:  # closed by the host
        pass


def _make_parts() -> None:
    from session_memory.core import parts

    for part in preload.outdated:
        parts.make(part)


def _answer_probe() -> None:
    """Tell the launcher which interpreter this is: exit status 0, and a line in the file it names.

    The arguments are ``--probe FILE SETTING``, both of which may be missing or empty.
    """
    if sys.version_info < (3, 9):  # noqa: UP036 - that is the question here
        native._exit(1)
    path, setting, *_ = [*sys.argv[sys.argv.index(PROBE) + 1 :], "", ""]
    if path:
        from session_memory.core import interpreter

        interpreter.remember(path, setting)
