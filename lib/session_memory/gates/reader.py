"""The gate events of a conversation, or of all, in the order of time.

A conversation's log is two files (the log, and the generation before it) in the session folder;
what could not be written there is in the worktree's fallback log, among other conversations.
"""

import heapq
from collections.abc import Iterator

from session_memory.core.folder import Folder
from session_memory.core.places import SESSION
from session_memory.core.system import base_name, join
from session_memory.gates import FALLBACK_LOG, log_name
from session_memory.gates.tail import Entry, Faults, Place, Tail

_PREFIX, _SUFFIX = log_name("\0").split("\0")


class GateLog:
    """The log of one conversation; with an empty ``key``, of every conversation below ``root``."""

    def __init__(self, root: str, key: str = "") -> None:
        self.root = root
        self.key = key
        self.faults = Faults()
        self._tails: dict[tuple[Place, str], Tail] = {}

    def paths(self) -> list[str]:
        """Where the records are looked for."""
        return [join(join(self.root, "/".join(place)), name) for place, name in self._files()]

    def read(self) -> Iterator[Entry]:
        """Every record, in the order of time. Never raises for what a file holds."""
        return self._merged(final=True)

    def keys(self) -> set[str]:
        """The keys of the conversations that have records."""
        return {self._key_of(entry) for entry in self.read()}

    def news(self) -> Iterator[Entry]:
        """The records since the last call; at first, all whose lines are complete."""
        return self._merged(final=False)

    def _merged(self, final: bool) -> Iterator[Entry]:
        for place, name in self._files():
            if (place, name) not in self._tails:
                self._tails[place, name] = Tail(self.root, place, name, self.faults)
        streams = [self._ours(tail, tail.news(final)) for tail in self._tails.values()]
        return heapq.merge(*streams, key=lambda entry: entry.position)

    def _files(self) -> list[tuple[Place, str]]:
        own, shared = SESSION
        names = [log_name(self.key)] if self.key else self._names(own)
        return [*[(own, name) for name in names], (shared, FALLBACK_LOG)]

    def _names(self, place: Place) -> list[str]:
        try:
            folder = Folder(self.root, place, create=False)
        except FileNotFoundError:
            return []
        except OSError as error:
            self.faults.bad_file(join(self.root, "/".join(place)), error)
            return []
        try:
            names = folder.names()
        finally:
            folder.close()
        return sorted({_current(name) for name in names if _is_log(name)})

    def _key_of(self, entry: Entry) -> str:
        name = base_name(entry.path)
        return _key(name) if _is_log(name) else str(entry.record.get("session_key", ""))

    def _ours(self, tail: Tail, entries: Iterator[Entry]) -> Iterator[Entry]:
        if not self.key or tail.name != FALLBACK_LOG:
            return entries
        return (entry for entry in entries if entry.record.get("session_key") == self.key)


def _is_log(name: str) -> bool:
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def _current(name: str) -> str:
    """The log to which ``name`` belongs, which may be its earlier generation."""
    return log_name(_key(name))


def _key(name: str) -> str:
    return name[len(_PREFIX) : -len(_SUFFIX)].removesuffix("~1")
