"""The read chains of plans, bundles and designs (SMC-01, SMC-02, SMC-03)."""

from dataclasses import replace

from session_memory.markers.families import marker
from session_memory.memory import freshness, names
from session_memory.memory.caches import NOWHERE, Caches, reason
from session_memory.memory.freshness import (
    CACHE_NEWER,
    DURABLE_NEWER,
    ONLY_CACHE,
    ONLY_DURABLE,
    SAME,
    UNCHECKED,
)
from session_memory.memory.names import Bundle
from session_memory.memory.rungs import Pair, Rungs
from session_memory.memory.sources import (
    ABSENT,
    BODY,
    BUNDLE,
    COMMENT,
    FAILED,
    FOUND,
    NOT_ASKED,
    SESSION,
    STALE,
    Part,
    Reading,
    Source,
)

PLAN = "plan-issue"
DESIGN = "design-issue"

NO_PARENT = "what a parent agent passed on is not seen by a command; it goes first where it is"


def plan_pair(rungs: Rungs, issue: int) -> "tuple[Pair, list[Source]]":
    """The plan of an issue, out of the bundle that it is part of if there is one.

    With it, the sources that were looked at on the way or left out.
    """
    own = marker(PLAN, issue)
    record = rungs.durable.comment(own)
    single = rungs.caches.read(names.plan(issue))
    bundle, found = _bundle(rungs.caches, issue)
    if bundle is None or not found.found:
        return rungs.pair(names.plan(issue), own, single, record), [found]
    left_out = single.spared("a bundle plan goes before a single one") if single.found else single
    return rungs.pair(bundle.file, own, found, record), [left_out]


def read_plan(rungs: Rungs, issue: int) -> "tuple[Reading, list[Pair]]":
    """Bundle, then the issue's own file, against the durable comment."""
    found, others = plan_pair(rungs, issue)
    cache, record = found.told
    local = [cache, *others] if cache.name == BUNDLE else [*others, cache]
    return _reading("SMC-01", f"issue {issue}", found, (*local, record)), [found]


def read_design(rungs: Rungs, issue: int) -> "tuple[Reading, list[Pair]]":
    """The newest design comment, else the issue's text; the cache is only a shorter way to them."""
    own = marker(DESIGN, issue)
    file = names.design(issue)
    cached = rungs.caches.read(file)
    comment = rungs.durable.comment(own)
    if comment.outcome == ABSENT:
        body = rungs.durable.body(issue)
        found = rungs.pair(file, own, cached, body)
        cache, told = found.told
        sources: tuple[Source, ...] = (comment, told, cache)
    else:
        found = rungs.pair(file, own, cached, comment)
        cache, told = found.told
        spared = Source(BODY, NOT_ASKED, _spared(told), f"issue {issue}")
        sources = (told, spared, cache)
    reading = _reading("SMC-03", f"issue {issue}", found, sources, (NO_PARENT,))
    return reading, [found]


def read_bundle(rungs: Rungs, bundle: Bundle) -> "tuple[Reading, list[Pair]]":
    """The bundle's file against the durable plan of each of its issues."""
    cached = rungs.caches.read(bundle.file, BUNDLE)
    pairs = [
        rungs.pair(bundle.file, own, cached, rungs.durable.comment(own))
        for own in (marker(PLAN, issue) for issue in bundle.issues)
    ]
    ahead = [one for one in pairs if one.durable.found and one.answer is not cached]
    if cached.found and not ahead:
        return _from_cache(bundle, cached, pairs), pairs
    return _from_comments(bundle, ahead[0].told[0] if ahead else cached, pairs), pairs


def _from_cache(bundle: Bundle, cached: Source, pairs: list[Pair]) -> Reading:
    sources = (cached, *map(_named, pairs))
    relation = _joint([one.freshness for one in pairs])
    next_write = SESSION if any(one.next_write for one in pairs) else ""
    parts = (Part("", cached.text),)
    return Reading("SMC-02", f"bundle {bundle.name}", sources, cached, parts, relation, next_write)


def _from_comments(bundle: Bundle, cached: Source, pairs: list[Pair]) -> Reading:
    found = [one for one in pairs if one.durable.found]
    parts = tuple(Part(f"issue {one.marker.number}", one.durable.text) for one in found)
    missing = ", ".join(str(one.marker.number) for one in pairs if not one.durable.found)
    gaps = (f"no durable plan was read for issue {missing}",) if found and missing else ()
    return Reading(
        "SMC-02", f"bundle {bundle.name}", (cached, *map(_named, pairs)),
        found[0].durable if found else None, parts, _joint([one.freshness for one in pairs]),
        gaps=gaps,
    )  # fmt: skip


def _bundle(caches: Caches, issue: int) -> tuple[Bundle | None, Source]:
    """The bundle that an issue is part of, and its file as a source."""
    if not caches.root:
        return None, Source(BUNDLE, FAILED, NOWHERE)
    try:
        bundles = caches.bundles_with(issue)
    except OSError as error:
        return None, Source(BUNDLE, FAILED, f"the folder cannot be listed: {reason(error)}")
    if not bundles:
        return None, Source(BUNDLE, ABSENT, f"no bundle that issue {issue} is part of")
    found = caches.read(bundles[0].file, BUNDLE)
    if len(bundles) > 1:
        others = ", ".join(bundle.name for bundle in bundles[1:])
        note = f"issue {issue} is also part of {others}; the file that was written last answers"
        found = replace(found, notes=(note,))
    return bundles[0], found


def _reading(
    row: str, subject: str, found: Pair, sources: tuple[Source, ...], gaps: tuple[str, ...] = ()
) -> Reading:
    answer = found.answer
    parts = (Part("", answer.text.removeprefix("\ufeff")),) if answer else ()
    return Reading(row, subject, sources, answer, parts, found.freshness, found.next_write, gaps)


def _spared(comment: Source) -> str:
    if comment.outcome in (FOUND, STALE):
        return "the design comment goes first"
    return "the design comment may be there, and would go first"


def _named(one: Pair) -> Source:
    """The durable record of one issue of a bundle, with the issue in its name."""
    told = one.told[1]
    return replace(told, name=f"{COMMENT} {one.marker.number}")


def _joint(relations: list[str]) -> str:
    """The one relation that matters most when there are several."""
    order = (
        freshness.DIVERGED, freshness.UNPROVEN, DURABLE_NEWER, UNCHECKED, CACHE_NEWER, ONLY_CACHE,
        SAME, ONLY_DURABLE, freshness.NEITHER,
    )  # fmt: skip
    return min(relations, key=order.index)
