"""Writing an L0 token to the log in which the hooks record the questions."""

import time
from dataclasses import dataclass

from session_memory.core.json_text import encode
from session_memory.core.session import Session
from session_memory.gates import FALLBACK_LOG, log_name
from session_memory.gates.lines import MAX_LINE_BYTES
from session_memory.gates.questions import utc_time
from session_memory.gates.tokens import FIELDS, NUMBERS, explain, validate


class Refused(ValueError):
    """The token may not be written. ``errors`` are codes, the text says the same in words."""

    def __init__(self, errors: list[str], reason: str = "") -> None:
        super().__init__(reason or "; ".join(map(explain, errors)))
        self.errors = errors


@dataclass(frozen=True)
class Receipt:
    """What was written, and where."""

    path: str
    key: str
    rung: str
    token: dict[str, object]


def emit(session: Session, token: object) -> Receipt:
    """Append ``token`` to the log of the conversation.

    Raises :class:`Refused` before anything is written, and :class:`OSError` when no place takes it.
    """
    errors = validate(token)
    if errors or not isinstance(token, dict):
        raise Refused(errors)
    record = _as_written(token, session.key)
    line = encode(record).encode()
    if len(line) > MAX_LINE_BYTES:
        raise Refused(["range:token"], f"the token exceeds {MAX_LINE_BYTES} bytes")
    store = session.store()
    if store is None:
        raise Refused([], "outside any repository there is no log")
    store.append(log_name(session.key), line, fallback=FALLBACK_LOG)
    return Receipt(store.last_path, session.key, session.rung, record)


def now() -> str:
    """The time as a token carries it."""
    return utc_time(time.time())


def _as_written(token: dict[str, object], key: str) -> dict[str, object]:
    claimed = token.get("session_key", key)
    if claimed != key:
        reason = f"session_key is of another conversation; this one is {key}"
        raise Refused(["mismatch:session_key"], reason)
    record = {name: token[name] for name in FIELDS if name in token}
    for name in NUMBERS:
        if name in record:
            record[name] = int(record[name])  # type: ignore[call-overload]
    return {**record, "session_key": key}
