"""What a hook would do with a payload, found out by running it on dry stores."""

import importlib
import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

from session_memory.cli import reasons
from session_memory.core import deadline, diagnostics, guard, places, reply, stdin
from session_memory.core.dry_store import DryStore
from session_memory.core.payload import Event
from session_memory.core.session import STABLE_ID_VARIABLE, Session

Result = TypeVar("Result")


class Stopwatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    def time(self, stage: str, action: Callable[[], Result]) -> Result:
        """Do ``action`` and keep how long it took."""
        start = time.perf_counter()
        try:
            return action()
        finally:
            self.stages[stage] = round((time.perf_counter() - start) * 1000, 3)


def explain(entry: str, host: str) -> dict[str, Any]:
    """Run the hook ``entry`` dry on standard input.

    Raises :class:`stdin.UnusablePayload`. The values are texts, lists and mappings, fit for JSON.
    """
    watch = Stopwatch()
    deadline.start(deadline.BUDGET_S[entry])
    try:
        payload = watch.time("payload", stdin.read_object)
        session = Session(watch.time("host", lambda: Event(payload, host)), dry=True)
        context = _run(entry, session, watch)
    finally:
        deadline.stop()
    return {
        "event": guard.EVENT_NAMES[entry],
        **_conversation(session, host),
        **_surroundings(session),
        "would_write": [note for store in _dry_stores(session) for note in store.notes],
        "would_skip": [note for store in _dry_stores(session) for note in store.skipped],
        "context": context,
        "because": _because(session),
        "stdout": _rendered(entry, session, context),
        "losses": session.losses,
        "timing_ms": watch.stages,
    }


def _run(entry: str, session: Session, watch: Stopwatch) -> str:
    """The stages of :mod:`session_memory.core.guard`, one by one."""
    declined = guard.declines(entry, session.event.name)
    if declined:
        session.explain("hook", declined)
        return ""
    try:
        watch.time("checkout", lambda: session.checkout)
        watch.time("key", lambda: session.key)
        handler = watch.time("import", lambda: importlib.import_module(_module(entry)))
        watch.time("decision", lambda: handler.handle(session))
        for action in session.afterwards:
            watch.time("afterwards", action)
    except deadline.OutOfTime as error:
        session.lose(diagnostics.describe(error))
        session.explain("hook", "out-of-time")
    return session.context


def _module(entry: str) -> str:
    return f"session_memory.events.{entry}"


def _conversation(session: Session, host: str) -> dict[str, Any]:
    event = session.event
    return {
        "payload_event": event.name,
        "host": event.host,
        "host_from": "--host" if host else "payload",
        "session_key": session.key,
        "key_rung": session.rung,
        "key_from": _origin(session),
        "agent_id": event.agent_id,
        "tool": event.tool_name,
    }


def _origin(session: Session) -> str:
    if session.rung != "session_id":
        return "checkout" if session.checkout else "nothing"
    stable = os.environ.get(STABLE_ID_VARIABLE)
    return STABLE_ID_VARIABLE if stable and session.event.host == "claude" else "payload"


def _surroundings(session: Session) -> dict[str, Any]:
    checkout = session.checkout
    names = ("root", "common_dir", "shared_root", "branch", "sha")
    return {
        "cwd": session.cwd,
        "root": session.root,
        "checkout": {name: getattr(checkout, name) for name in names} if checkout else None,
        "state_folder": _state_folder(session.root),
    }


def _state_folder(root: str) -> str:
    index = places.first_usable(root, places.SESSION) if root else -1
    return places.paths(root, places.SESSION, "")[index].rstrip("/\\") if index >= 0 else ""


def _dry_stores(session: Session) -> list[DryStore]:
    return [store for store in session.stores if isinstance(store, DryStore)]


def _because(session: Session) -> list[dict[str, str]]:
    found = dict.fromkeys(session.reasons)  # each once: two checkouts may have the same
    return [
        {"feature": feature, "code": code, "text": reasons.WORDS[code]} for feature, code in found
    ]


def _rendered(entry: str, session: Session, context: str) -> str:
    if not context:
        return ""
    return reply.render(session.event, guard.EVENT_NAMES[entry], context).decode().rstrip("\n")
