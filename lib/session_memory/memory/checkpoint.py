"""The pause before implementation: what must become durable, and from which text (SMC-01 to 03).

A pause writes what the caches hold and the durable records do not, and nothing else. A cache that
is not provably the newer one is never written over a record on its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from session_memory.markers.candidate import Candidate, Key
from session_memory.markers.families import ISSUE, Marker, marker
from session_memory.memory import names
from session_memory.memory.durable import Durable
from session_memory.memory.freshness import (
    CACHE_NEWER,
    DIVERGED,
    DURABLE_NEWER,
    NEITHER,
    ONLY_CACHE,
    ONLY_DURABLE,
    SAME,
    UNCHECKED,
    UNPROVEN,
    below,
)
from session_memory.memory.handoff import ARTIFACTS
from session_memory.memory.names import Bundle
from session_memory.memory.plans import DESIGN, PLAN, plan_pair
from session_memory.memory.rungs import Pair, Rungs
from session_memory.memory.sources import FAILED

WRITE, KEEP, NOTHING, CONFLICT, UNKNOWN = "write", "keep", "nothing", "conflict", "unknown"

_ACTIONS = {
    ONLY_CACHE: WRITE,
    CACHE_NEWER: WRITE,
    SAME: KEEP,
    DURABLE_NEWER: KEEP,
    ONLY_DURABLE: KEEP,
    NEITHER: NOTHING,
    DIVERGED: CONFLICT,
    UNPROVEN: CONFLICT,
    UNCHECKED: UNKNOWN,
}
_REASONS = {
    ONLY_CACHE: "there is no durable record yet",
    CACHE_NEWER: "the cache is provably newer",
    SAME: "the durable record says the same",
    DURABLE_NEWER: "the durable record is newer",
    ONLY_DURABLE: "there is no cache; the durable record stays",
    NEITHER: "there is neither a cache nor a durable record",
    DIVERGED: "both were changed since they were in step",
    UNPROVEN: "they differ, and nothing proves that the cache is newer",
}


@dataclass(frozen=True)
class Artifact:
    """A plan or a design of one issue, and what a pause does about it."""

    pair: Pair
    action: str
    reason: str

    @property
    def marker(self) -> Marker:
        return self.pair.marker

    @property
    def candidate(self) -> Candidate:
        """What the marker writer is given: the cache's text below its marker."""
        own = self.marker
        body = f"{own.literal}\n\n{below(self.pair.cache.text, own.literal)}\n"
        return Candidate.of(Key(own.family.name, own.number, "", ISSUE), body)


def survey(
    rungs: Rungs,
    issues: Sequence[int],
    bundle: "Bundle | None" = None,
    *,
    take_cache: bool = False,
) -> list[Artifact]:
    """What a pause does about the plan and the design of each issue.

    ``take_cache`` is somebody's word that the caches are the newer ones.
    """
    made = []
    for issue in bundle.issues if bundle else issues:
        plan = _bundled(rungs, issue, bundle) if bundle else _plan(rungs, issue)
        own = marker(DESIGN, issue)
        file = names.design(issue)
        cache = rungs.caches.read(file)
        made += [plan, rungs.pair(file, own, cache, rungs.durable.comment(own))]
    return [decide(one, take_cache=take_cache) for one in made]


class NotKnown(Exception):
    """A durable record could not be asked for. The message says why."""


def present(durable: Durable, issue: int, before: str = "") -> set[str]:
    """The families of which the issue has a comment that counts. Raises :class:`NotKnown`.

    With ``before``, an ISO time by GitHub's clock, younger comments do not count: they are of this
    session.
    """
    found = set()
    for family in sorted(ARTIFACTS["full"]):
        source = durable.comment(marker(family, issue), before=before)
        if source.doubtful:
            raise NotKnown(source.reason)
        if source.found:
            found.add(family)
    return found


def _plan(rungs: Rungs, issue: int) -> Pair:
    """The plan of an issue. A bundle that cannot be read may hold a newer one than its own file."""
    found, others = plan_pair(rungs, issue)
    unread = next((one for one in others if one.outcome == FAILED), None)
    return replace(found, cache=unread, freshness=UNCHECKED) if unread else found


def _bundled(rungs: Rungs, issue: int, bundle: Bundle) -> Pair:
    own = marker(PLAN, issue)
    cache = rungs.caches.read(bundle.file)
    return rungs.pair(bundle.file, own, cache, rungs.durable.comment(own))


def decide(one: Pair, *, take_cache: bool = False) -> Artifact:
    """What a pause does about one cache and its record."""
    action = _ACTIONS[one.freshness]
    if action == CONFLICT and take_cache:
        return Artifact(one, WRITE, "the caller says that the cache is newer")
    doubtful = one.cache if one.cache.outcome == FAILED else one.durable
    return Artifact(one, action, _REASONS.get(one.freshness) or doubtful.reason)
