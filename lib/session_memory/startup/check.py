"""The check itself: claim the marker, look around, tell, complete the marker."""

import time

from session_memory.core import places
from session_memory.startup import PROMPT, SPEAK, detect, marker_name, record, valid_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session
    from session_memory.core.store import Store

_NOT_WRITTEN = "start-up marker not written"


def at_start(session: "Session", action: str) -> str:
    """The report for a conversation that starts, or ``""``.

    It is given even if no marker can be written: better twice than never. The marker is completed
    once the reply is out, so that a hook that dies before leaves the work to the next prompt.
    """
    store = session.store()
    try:
        if store is None or not _claim(session, store):
            session.explain("startup", "claimed-by-another")
            return ""
    except OSError as error:
        session.lose(_NOT_WRITTEN, error)
        return _report(session) if action == SPEAK else ""
    if action != SPEAK:
        session.explain("startup", "history-inherited")
    text = _report(session) if action == SPEAK else ""
    outcome = record.outcome(text) if action == SPEAK else record.INHERITED
    content = record.render(session, session.event.source, outcome)

    def finish() -> None:
        _complete(session, store, content)
        _remove_stale(session, store)

    session.afterwards.append(finish)
    return text


def at_prompt(session: "Session") -> str:
    """The report for a conversation whose host never told that it started, or ``""``.

    Unlike at a start, the marker comes first: without it every prompt would repeat the text.
    """
    store = session.store()
    try:
        if store is None or not _claim(session, store):
            session.explain("startup", "claimed-by-another")
            return ""
    except OSError as error:
        session.lose(_NOT_WRITTEN, error)
        session.explain("startup", "no-place-for-state")
        return ""
    session.afterwards.append(lambda: _remove_stale(session, store))
    text = _report(session)
    content = record.render(session, PROMPT, record.outcome(text))
    return text if _complete(session, store, content) else ""


def _claim(session: "Session", store: "Store") -> bool:
    return store.claim(marker_name(session.key), valid_for(session.rung))


def _report(session: "Session") -> str:
    found = detect.look(session.root, session.checkout, lambda: _network_allowed(session))
    if found.is_empty:
        session.explain("startup", "nothing-left-over")
        return ""
    from session_memory.startup import report

    return report.compose(found)


def _network_allowed(session: "Session") -> bool:
    from session_memory.startup.permission import network_allowed

    return network_allowed(session.root, session.lose)


def _complete(session: "Session", store: "Store", content: bytes) -> bool:
    try:
        store.complete(marker_name(session.key), content)
    except OSError as error:
        session.lose(_NOT_WRITTEN, error)
        return False
    return True


def _remove_stale(session: "Session", store: "Store") -> None:
    stores = [store]
    if session.checkout:
        root = session.checkout.shared_root
        stores.append(session.store_at(root, places.HYGIENE, session.checkout))
    try:
        for each in stores:
            each.remove_stale(time.time())
    except OSError as error:
        session.lose("old markers not removed", error)
