"""The cache restored from what pull requests say (SMC-10, SMC-11)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from session_memory.calibration import values
from session_memory.calibration.depth import has_expired
from session_memory.calibration.described import Described
from session_memory.calibration.reactivation import detect
from session_memory.calibration.writing import Document, with_entries
from session_memory.markers.comment import instant

ADDED, UPDATED, UNCHANGED, FRESHER = "added", "updated", "unchanged", "fresher"


@dataclass(frozen=True)
class Rebuilt:
    """The numbers of the pull requests by what became of their entries, and the new events.

    ``document`` is the cache as it has to be, or ``None`` when it is so already.
    """

    added: tuple[int, ...]
    updated: tuple[int, ...]
    unchanged: tuple[int, ...]
    fresher: tuple[int, ...]
    events: tuple[Document, ...]
    document: "Document | None"


def rebuild(
    document: "Document | None", described: Iterable[Described], max_pr: int
) -> Rebuilt:  # fmt: skip
    """Entries and re-activation events of all pull requests whose metrics list findings.

    What they say replaces the cache, except for an entry written after the merge, which knows more.
    Members of an entry that no description has are kept. An event that has expired by ``max_pr`` is
    not brought back. The rest of the state cannot be had from descriptions, and stays as it is.
    """
    sources = [one for one in described if one.findings]
    old = _by_number(document)
    outcome: dict[str, list[int]] = {word: [] for word in (ADDED, UPDATED, UNCHANGED, FRESHER)}
    entries = []
    for source in sorted(sources, key=lambda one: (one.pull.merged_s, one.pull.number)):
        number = source.pull.number
        kept = old.get(number)
        entry = {**(kept or {}), **source.entry}
        word = _compare(kept, entry, source)
        outcome[word].append(number)
        if word in (ADDED, UPDATED):
            entries.append(entry)
    events = _events(document, sources, max_pr)
    changed = with_entries(document, entries, events) if entries or events else None
    return Rebuilt(
        tuple(outcome[ADDED]),
        tuple(outcome[UPDATED]),
        tuple(outcome[UNCHANGED]),
        tuple(outcome[FRESHER]),
        tuple(events),
        changed,
    )


def _compare(old: "Document | None", new: Document, source: Described) -> str:
    if old is None:
        return ADDED
    if old == new:
        return UNCHANGED
    created = old.get("created_at")
    written_s = instant(created) if isinstance(created, str) else None
    is_fresher = written_s is not None and written_s > source.pull.merged_s
    return FRESHER if is_fresher else UPDATED


def _events(
    document: "Document | None", sources: Iterable[Described], max_pr: int
) -> list[Document]:
    known = {_identity(event) for event in _list(document, "re_activation_events")}
    found = [
        event
        for one in sources
        for event in detect(one.findings, one.depths, one.pull.number, one.pull.merged_at)
    ]
    return [
        event for event in found if not has_expired(event, max_pr) and _identity(event) not in known
    ]


def _by_number(document: "Document | None") -> dict[int, Document]:
    found: dict[int, Document] = {}
    for entry in _list(document, "entries"):
        number = entry.get("pr_number") if isinstance(entry, dict) else None
        if isinstance(number, int) and values.is_integer(number):
            found[number] = entry  # type: ignore[assignment]
    return found


def _identity(event: object) -> tuple[object, ...]:
    if not isinstance(event, Mapping):
        return ()
    return (event.get("category"), str(event.get("triggered_at_pr")))


def _list(document: "Document | None", name: str) -> list[object]:
    value = document.get(name) if document else None
    return value if isinstance(value, list) else []
