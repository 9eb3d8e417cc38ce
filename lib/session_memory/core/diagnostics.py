"""Telling what went wrong, without repeating what the user or the model wrote."""

import time

from session_memory.core import deadline, journal
from session_memory.core.folder import Folder
from session_memory.core.json_text import encode
from session_memory.core.stdin import UnusablePayload
from session_memory.core.system import base_name, environ, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

LOG_NAME = "hook-diagnostics.jsonl"

_MAX_LINE = 400
_DATA_VARIABLES = ("CLAUDE_PLUGIN_DATA", "COPILOT_PLUGIN_DATA")


def report(entry: str, error: "BaseException | None", session: "Session | None") -> None:
    """One line on stderr, and the same in the log of the conversation or of the plugin."""
    losses = list(session.losses) if session else []
    if error is not None:
        losses.append(describe(error))
    message = " ".join("; ".join(losses).split())[:_MAX_LINE]
    _tell(f"session-memory: {entry}: {message}\n")
    record: dict[str, object] = {
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "entry": entry,
        "message": message,
    }
    if session:
        record["host"] = session.event.host
        record["session_key"] = session.key
        record["key_rung"] = session.rung
        if session.event.agent_id:
            record["agent_id"] = session.event.agent_id
    _log(encode(record).encode(), session)


def _tell(line: str) -> None:
    try:
        native.write(2, line.encode("ascii", "replace"))
    except OSError:  # closed by the host; the log is left
        pass


def describe(error: BaseException) -> str:
    """A failure in a few words. Only texts that cannot hold any of the payload are quoted."""
    if isinstance(error, UnusablePayload):
        return str(error)
    if isinstance(error, deadline.OutOfTime):
        return "out of time"
    reason = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__name__}{reason} at {_where(error)}"


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{base_name(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"


def _log(record: bytes, session: "Session | None") -> None:
    try:
        store = session.store() if session else None
        if store:
            store.append(LOG_NAME, record)
            return
    except OSError:
        pass
    for name in _DATA_VARIABLES:
        if environ(name):
            _log_to_plugin(environ(name), record)
            return


def _log_to_plugin(path: str, record: bytes) -> None:
    folder = Folder(path, (), create=False)
    try:
        journal.append(folder, LOG_NAME, record)
    finally:
        folder.close()
