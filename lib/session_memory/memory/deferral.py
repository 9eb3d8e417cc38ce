"""Deferred work: a bounded payload that loses no item without being told to (SMC-15)."""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from session_memory import schemas
from session_memory.gates.questions import utc_time
from session_memory.markers.problem import echo
from session_memory.markers.text import lines, to_lf
from session_memory.memory import names
from session_memory.memory.caches import Caches, decoded
from session_memory.memory.rate_limit import DEFER, LOW, SKIP_LOW
from session_memory.memory.sources import FAILED, Source
from session_memory.yaml_text import YamlError, load

VERSION = 1
SCHEMA = "deferred-work"
MAX_ITEMS = 200

_OPEN, _CLOSE = "```json", "```"

Payload = dict[str, Any]


class BadPayload(ValueError):
    """It is no payload of deferred work; the message says why and quotes at most a bit of it."""


@dataclass(frozen=True)
class Written:
    """``kept`` counts the items of before; ``aside`` names an unreadable file set aside."""

    payload: Payload
    kept: int
    aside: str


def parse(text: str, scope: str) -> Payload:
    """The payload of a file of ours. Raises :class:`BadPayload`."""
    rows = lines(to_lf(text))
    starts = [number for number, row in enumerate(rows) if row.rstrip() == _OPEN]
    if len(starts) != 1 or _CLOSE not in rows[starts[0] + 1 :]:
        raise BadPayload("there is not one JSON fence")
    inner = rows[starts[0] + 1 : rows.index(_CLOSE, starts[0] + 1)]
    return checked(_mapping(_json("\n".join(inner))), scope)


def render(payload: Mapping[str, Any]) -> str:
    """The file's text; :func:`parse` gives the payload back."""
    fenced = json.dumps(payload, indent=1)
    return f"# Deferred work: {payload['scope']}\n\n{_OPEN}\n{fenced}\n{_CLOSE}\n"


def from_text(text: str, scope: str) -> Payload:
    """What somebody wants deferred, as JSON, YAML or a file of ours; raises :class:`BadPayload`.

    ``version``, ``scope`` and ``created_at`` are filled in where they are missing.
    """
    stripped = text.removeprefix("\ufeff").lstrip()
    if stripped.startswith("# "):
        return parse(text, scope)
    if stripped.startswith("{"):
        given = _json(stripped)
    else:
        try:
            given = load(stripped)
        except YamlError as error:
            raise BadPayload(str(error)) from None
    defaults = {"version": VERSION, "scope": scope, "created_at": utc_time(time.time())}
    return checked({**defaults, "skipped_low": [], **_mapping(given)}, scope)


def checked(payload: Payload, scope: str) -> Payload:
    """``payload`` if it is one of ``scope``. Raises :class:`BadPayload`."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schemas.load(SCHEMA)).iter_errors(payload))
    if error is not None:
        where = "/".join(map(str, error.absolute_path)) or "it"
        raise BadPayload(f"{echo(where)}: {echo(error.message)}")
    if payload["scope"] != scope:
        raise BadPayload(f"it is of scope {payload['scope']}")
    severe = [item["id"] for item in payload["skipped_low"] if item["severity"] != LOW]
    if severe:
        raise BadPayload(f"{echo(severe[0])} is skipped and not low")
    if len(_ids(payload)) != len(payload["deferred"]) + len(payload["skipped_low"]):
        raise BadPayload("an id is there twice")
    return payload


def merged(old: "Payload | None", new: "Payload | None", done: Iterable[str]) -> Payload:
    """``new`` with every item of ``old`` that is neither in it nor ``done``.

    Raises :class:`BadPayload` for a ``done`` id that is in neither, and for too many items.
    """
    finished = set(done)
    base = new or old
    if base is None:
        raise BadPayload("nothing is deferred there")
    parts = [part for part in (old, new) if part]
    known = {item["id"]: (kind, item) for part in parts for kind in ("deferred", "skipped_low")
             for item in part[kind]}  # fmt: skip
    unknown = sorted(finished - set(known))
    if unknown:
        raise BadPayload(f"there is no item {echo(unknown[0])}")
    left = [(kind, item) for name, (kind, item) in known.items() if name not in finished]
    if len(left) > MAX_ITEMS:
        raise BadPayload(f"more than {MAX_ITEMS} items")
    sorted_out = {
        kind: [item for own, item in left if own == kind] for kind in ("deferred", "skipped_low")
    }
    return {**base, **sorted_out}


def read(caches: Caches, scope: str, name: str) -> "tuple[Source, Payload | None]":
    """The file as a source; one that cannot be used has failed, and gives no payload."""
    source = caches.read(names.deferred_work(scope), name)
    if not source.found:
        return source, None
    try:
        return source, parse(source.text, scope)
    except BadPayload as error:
        reason = f"it cannot be used: {error}; a write sets it aside"
        return Source(name, FAILED, reason, source.where), None


def write(caches: Caches, scope: str, new: "Payload | None", done: Iterable[str] = ()) -> Written:
    """Add ``new`` to what is deferred, and take out what is ``done``.

    Raises :class:`.caches.Unwritable`, and :class:`BadPayload` for what does not fit together;
    either way nothing was written.
    """
    made: list[Written] = []
    finished = tuple(done)

    def change(data: "bytes | None") -> bytes:
        old = _known(data, scope, needed=new is None)
        payload = _merged(old, new, finished)
        left = _ids(payload) & _ids(old) if old else set()
        made.append(Written(payload, len(left - _ids(new)) if new else len(left), ""))
        return render(payload).encode()

    aside = caches.edit(names.deferred_work(scope), change)
    return Written(made[-1].payload, made[-1].kept, aside)


def carry(payload: Mapping[str, Any]) -> str:
    """The items as visible text, for a surface that cannot keep a file."""
    where = f"{payload['scope']}: {payload['phase']}, {payload['step']}."
    head = f"Deferred in {where}" if payload["deferred"] else f"Nothing is left of {where}"
    rows = [f"- {item['severity']} {item['id']}: {item['summary']}" for item in payload["deferred"]]
    skipped = [f"- skipped, low {i['id']}: {i['summary']}" for i in payload["skipped_low"]]
    return "\n".join([head, f"Resume at: {payload['resume_point']}", *rows, *skipped])


def place(scope: str, choice: str, *, writable: bool) -> "tuple[str | None, str]":
    """Where a choice is kept, as a path in the namespace; if nowhere, how it is carried."""
    if choice not in (DEFER, SKIP_LOW):
        raise ValueError(f"unknown choice {choice}")
    if not writable:
        return None, "visible text"
    return names.NAMESPACE + names.deferred_work(scope), ""


def _ids(payload: Mapping[str, Any]) -> set[str]:
    return {item["id"] for item in (*payload["deferred"], *payload["skipped_low"])}


class Misfit(Exception):
    """Parts that do not fit together, which is no fault of the file."""


def _known(data: "bytes | None", scope: str, *, needed: bool) -> "Payload | None":
    """What is deferred so far. Where all depends on it, what cannot be used is not set aside."""
    try:
        return parse(decoded(data), scope) if data else None
    except ValueError as error:
        if needed:
            raise Misfit(f"what is there cannot be used: {error}") from error
        raise


def _merged(old: "Payload | None", new: "Payload | None", done: Iterable[str]) -> Payload:
    try:
        return merged(old, new, done)
    except BadPayload as error:
        raise Misfit(str(error)) from error


def _mapping(value: object) -> Payload:
    if isinstance(value, dict):
        return value
    raise BadPayload("it is no mapping")


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadPayload("it is not JSON") from None
