"""Both halves of a row: session memory here, and the durable records on GitHub."""

from dataclasses import dataclass

from session_memory.markers.families import Marker
from session_memory.memory import freshness
from session_memory.memory.caches import Caches
from session_memory.memory.durable import Durable
from session_memory.memory.freshness import (
    CACHE_NEWER,
    NEITHER,
    ONLY_CACHE,
    ONLY_DURABLE,
    REASONS,
    SAME,
    UNCHECKED,
)
from session_memory.memory.seen import Observations
from session_memory.memory.sources import ABSENT, SESSION, Source


@dataclass(frozen=True)
class Pair:
    """A cache and a durable record of the same thing, and how they relate."""

    file: str
    marker: Marker
    cache: Source
    durable: Source
    freshness: str

    @property
    def answer(self) -> Source | None:
        """The one of both that counts."""
        if self.cache.found and self.freshness in (SAME, CACHE_NEWER, ONLY_CACHE, UNCHECKED):
            return self.cache
        return self.durable if self.durable.found else None

    @property
    def next_write(self) -> str:
        """From which source the next durable write is taken; "" for none, or none that can be."""
        return SESSION if self.freshness in (CACHE_NEWER, ONLY_CACHE) else ""

    @property
    def in_step(self) -> bool:
        """Whether what is there now is worth remembering as the state to compare with."""
        only = self.freshness == ONLY_DURABLE
        return self.durable.found and (self.freshness == SAME or only)

    @property
    def told(self) -> tuple[Source, Source]:
        """Both sources; the one that does not count says why."""
        reason = REASONS.get(self.freshness)
        if reason is None:
            return self.cache, self.durable
        if self.freshness == CACHE_NEWER:
            return self.cache, self.durable.outdated(reason)
        return self.cache.outdated(reason), self.durable


@dataclass(frozen=True)
class Rungs:
    """What the read chains climb."""

    caches: Caches
    durable: Durable

    @property
    def observations(self) -> Observations:
        """What was seen in step; nothing while the repository is unknown."""
        return Observations(self.caches.store, self.durable.repository)

    def pair(self, file: str, own: Marker, cache: Source, durable: Source) -> Pair:
        """How a cache and a durable record relate."""
        if cache.found and durable.found:
            seen = self.observations.of(file, own)
            relation = freshness.compare(cache.text, durable.text, own.literal, seen)
        else:
            relation = _relation(cache, durable)
        return Pair(file, own, cache, durable, relation)

    def remember(self, pairs: "list[Pair]") -> None:
        """Note what is in step now, so that a later change can be told from an old state."""
        for one in pairs:
            if one.in_step:
                cache = one.cache.text if one.cache.found else None
                self.observations.note(one.file, one.marker, one.durable.text, cache)


def _relation(cache: Source, durable: Source) -> str:
    """Of two sources that were not both found. What cannot be read may be newer than anything."""
    if durable.outcome == ABSENT and cache.found:
        return ONLY_CACHE
    if cache.outcome == ABSENT and durable.found:
        return ONLY_DURABLE
    return NEITHER if cache.outcome == durable.outcome == ABSENT else UNCHECKED
