"""The check by hand: what it finds, what a conversation was told, what it would be told next."""

import os
import time
from dataclasses import dataclass

from session_memory.core import places
from session_memory.core.session import Session
from session_memory.startup import (
    MANUAL,
    SILENT,
    due,
    is_complete,
    marker_name,
    record,
    report,
    valid_for,
)
from session_memory.startup.detect import Findings
from session_memory.startup.detect import look as detect
from session_memory.startup.limits import MANUAL_RUN_S
from session_memory.startup.permission import network_allowed
from session_memory.startup.report import Report
from session_memory.startup.run import Run


@dataclass(frozen=True)
class Marker:
    """The run-once marker of a conversation. ``path`` is empty where there is none."""

    path: str
    complete: bool
    silences: bool


@dataclass(frozen=True)
class Checked:
    """One run by hand."""

    found: Findings
    report: Report
    run: Run
    seconds: float


def marker_of(session: Session) -> Marker:
    """The marker that hooks would find, and whether it keeps them silent."""
    if not session.root:
        return Marker("", False, False)
    name = marker_name(session.key)
    paths = places.paths(session.root, places.SESSION, name)
    path = next((path for path in paths if os.path.lexists(path)), "")
    complete = is_complete(session.peek(name))
    return Marker(path, complete, due(session, MANUAL) == SILENT)


def check(session: Session, network: bool | None) -> Checked:
    """Run the check, whatever the marker says. ``network`` overrides the settings."""

    def allowed() -> bool:
        return network_allowed(session.root, session.lose) if network is None else network

    began = time.perf_counter()
    found = detect(session.root, session.checkout, allowed, MANUAL_RUN_S)
    made = report.make(found)
    return Checked(found, made, found.run or Run(allowed), time.perf_counter() - began)


def mark(session: Session, text: str) -> bool:
    """Leave the marker, as if a hook had said ``text``; false when one is there already.

    Raises :class:`OSError`.
    """
    store = session.store()
    name = marker_name(session.key)
    if store is None or not store.claim(name, valid_for(session.rung)):
        return False
    store.complete(name, record.render(session, MANUAL, record.outcome(text)))
    return True
