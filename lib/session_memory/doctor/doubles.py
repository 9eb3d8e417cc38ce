"""Hooks that an editor runs twice, since two places register them."""

from collections.abc import Iterator
from itertools import combinations

from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.locations import CLAUDE, COPILOT, HOSTS, Source
from session_memory.editors.surroundings import Surroundings


def check(registry: Registry) -> Iterator[Finding]:
    """What each host runs twice, by the pair of places."""
    for host in HOSTS:
        yield from _of(host, registry)


def _of(host: str, registry: Registry) -> Iterator[Finding]:
    pairs: dict[tuple[Source, Source], list[str]] = {}
    for one, other in combinations(registry.of(host), 2):
        if one.entry == other.entry and _both_run(one, other, host):
            pairs.setdefault((one.source, other.source), []).append(EVENT_NAMES[one.entry])
    for (first, second), events in pairs.items():
        yield _double(host, (first, second), sorted(set(events)), registry.around)


def _double(
    host: str, sources: tuple[Source, Source], events: list[str], around: Surroundings
) -> Finding:
    first, second = (around.shown(source.path) for source in sources)
    places = f"in {first}" if first == second else f"in {first} and in {second}"
    why = "Each costs its time twice."
    if host == COPILOT:
        why += " Of two hooks that add context to a prompt, Copilot CLI keeps the last."
    return Finding(
        CHECK,
        Level.WARNING,
        f"{HOSTS[host]} runs {', '.join(events)} twice: {places}.",
        why,
        f"remove one of the two: {_removal(host, sources[1], second)}",
        str(sources[1].path),
    )


def _removal(host: str, source: Source, path: str) -> str:
    if source.plugin:
        return f"{'claude' if host == 'claude' else 'copilot'} plugin uninstall {source.name}"
    return f"take the hooks of session memory out of {path}"


def _both_run(one: Handler, other: Handler, host: str) -> bool:
    # Claude Code runs the same command of its settings once, however often it is registered.
    settings = host == CLAUDE and not (one.source.plugin or other.source.plugin)
    if settings and (one.command, one.words) == (other.command, other.words):
        return False
    return bool(one.tools(host) & other.tools(host))
