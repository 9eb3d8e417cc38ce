"""When a cache and its durable record were last in step: the one proof of which is newer.

This is a note about two texts, not a third place for them: it holds digests only, and losing it
costs a proof and nothing else.
"""

import time

from session_memory.core.store import Store
from session_memory.gates.questions import utc_time
from session_memory.markers.families import Marker
from session_memory.memory.freshness import Seen, digest

FILE = "memory-seen.json"
VERSION = 1
MAX_RECORDS = 200

_HEX = frozenset("0123456789abcdef")


class Observations:
    """The observations of one checkout about one repository on GitHub."""

    def __init__(self, store: Store | None, repository: str) -> None:
        self._store = store
        self._repository = repository

    def of(self, file: str, marker: Marker) -> Seen | None:
        """The last observation of a cache file and a record; ``None`` when there is none."""
        document = self._store.read(FILE) if self._store and self._repository else None
        records = (document or {}).get("records")
        record = records.get(self._key(file, marker)) if isinstance(records, dict) else None
        if not isinstance(record, dict):
            return None
        durable, cache = record.get("durable"), record.get("cache")
        if not _is_digest(durable) or not (cache == "" or _is_digest(cache)):
            return None
        return Seen(str(durable), str(cache))

    def note(self, file: str, marker: Marker, durable: str, cache: str | None) -> bool:
        """Remember both texts as in step; ``cache`` is ``None`` for no cache.

        ``False`` when nothing takes the note, which is then missing and does no harm.
        """
        if self._store is None or not self._repository:
            return False
        seen_at = utc_time(time.time())
        record: dict[str, object] = {
            "durable": digest(durable, marker.literal),
            "cache": "" if cache is None else digest(cache, marker.literal),
            "seen_at": seen_at,
        }
        key = self._key(file, marker)
        try:
            self._store.update(FILE, lambda document: _with(document, key, record))
        except OSError:
            return False
        return True

    def _key(self, file: str, marker: Marker) -> str:
        inner = marker.literal.removeprefix("<!-- ").removesuffix(" -->")
        return f"{self._repository} {inner} {file}"


def _with(
    document: "dict[str, object] | None", key: str, record: "dict[str, object]"
) -> "dict[str, object] | None":
    old = (document or {}).get("records")
    records = dict(old) if isinstance(old, dict) else {}
    known = records.pop(key, None)
    if isinstance(known, dict) and _facts(known) == _facts(record):
        return None
    # The youngest stands last, so that the oldest goes first.
    records = dict(list({**records, key: record}.items())[-MAX_RECORDS:])
    return {**(document or {}), "version": VERSION, "records": records}


def _facts(record: "dict[str, object]") -> tuple[object, object]:
    return record.get("durable"), record.get("cache")


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and _HEX.issuperset(value)
