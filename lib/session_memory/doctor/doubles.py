"""Hooks that an editor runs twice, since two places register them."""

from collections.abc import Iterator
from itertools import combinations

from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.locations import CLAUDE, COPILOT, HOSTS, PROJECT, VSCODE, Source
from session_memory.editors.surroundings import Surroundings
from session_memory.install import registered
from session_memory.install.place import SCOPES, place


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
        yield _double(host, (first, second), sorted(set(events)), registry)


def _double(
    host: str, sources: tuple[Source, Source], events: list[str], registry: Registry
) -> Finding:
    around = registry.around
    first, second = (around.shown(source.path) for source in sources)
    places = f"in {first}" if first == second else f"in {first} and in {second}"
    spare = _spare(host, sources, registry)
    lost = " and ".join(HOSTS[name] for name in _stranded(host, spare, registry))
    stranded = f", from which {lost} has hooks too" if lost else ""
    why = "Each costs its time twice."
    if host == COPILOT:
        why += " Of two hooks that add context to a prompt, Copilot CLI keeps the last."
    return Finding(
        CHECK,
        Level.WARNING,
        f"{HOSTS[host]} runs {', '.join(events)} twice: {places}.",
        why,
        f"remove one of the two: {_removal(host, spare, around)}{stranded}",
        str(spare.path),
    )


def _spare(host: str, sources: tuple[Source, Source], registry: Registry) -> Source:
    """The one to remove: that from which the fewest other hosts have their only hooks.

    VS Code, which reads the files of Copilot CLI whether or not anybody uses it, counts less.
    """

    def cost(source: Source) -> tuple[bool, int]:
        stranded = _stranded(host, source, registry)
        return stranded not in ([], [VSCODE]), len(stranded)

    return min(reversed(sources), key=cost)


def _stranded(host: str, source: Source, registry: Registry) -> list[str]:
    """The other hosts for which ``source`` is the only file with hooks."""
    others = {name: {one.source for one in registry.of(name)} for name in HOSTS if name != host}
    return [name for name, found in others.items() if found == {source}]


def _removal(host: str, source: Source, around: Surroundings) -> str:
    if source.plugin:
        return f"{'claude' if host == CLAUDE else 'copilot'} plugin uninstall {source.name}"
    for scope in SCOPES:
        for owner in source.readers:
            at = place(around, owner, scope)
            if at.path == source.path and registered.entries(at):
                project = " --scope project" if scope == PROJECT else ""
                return f"session-memory uninstall --host {owner}{project}"
    return f"take the hooks of session memory out of {around.shown(source.path)}"


def _both_run(one: Handler, other: Handler, host: str) -> bool:
    # Claude Code runs the same command of its settings once, however often it is registered.
    settings = host == CLAUDE and not (one.source.plugin or other.source.plugin)
    if settings and (one.command, one.words) == (other.command, other.words):
        return False
    return bool(one.tools(host) & other.tools(host))
