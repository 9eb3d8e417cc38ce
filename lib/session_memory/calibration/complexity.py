"""Which agent files stay over the ceiling of complexity, run after run (SMC-11)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from session_memory.calibration import values
from session_memory.calibration.writing import Document

# Runs in a row after which it is advised to take something out of the file.
PERSISTENT = 3


@dataclass(frozen=True)
class Observed:
    """``history`` is ``None`` when no file is over the ceiling."""

    history: "Document | None"
    consolidated: tuple[Document, ...]
    changed: bool


def observe(
    history: "Mapping[str, object] | None", over: Iterable[str], max_pr: int, now: str
) -> Observed:
    """The history after a run in which the files ``over`` were over the ceiling.

    A second run for the same pull request counts nothing twice. Names differ by more than case.
    """
    before = dict(history or {})
    listed: dict[str, str] = {}
    for name in over:
        listed.setdefault(name.lower(), name)
    kept = {name: entry for name, entry in before.items() if name.lower() in listed}
    after = {name: _seen_again(entry, max_pr, now) for name, entry in kept.items()}
    known = {name.lower() for name in kept}
    for folded, name in listed.items():
        if folded not in known:
            after[name] = _first_seen(max_pr, now)
    gone = [_consolidated(name, before[name], max_pr, now) for name in before if name not in kept]
    return Observed(after or None, tuple(gone), after != before)


def persistent(
    history: "Mapping[str, object] | None", threshold: int = PERSISTENT
) -> list[tuple[str, int]]:
    """The files that have been over the ceiling so often in a row, by name."""
    counts = [(name, count_of(entry)) for name, entry in (history or {}).items()]
    return sorted((name, count) for name, count in counts if count >= threshold)


def count_of(entry: object) -> int:
    """How often in a row; 0 where that cannot be read."""
    value = entry.get("consecutive_count") if isinstance(entry, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _first_seen(max_pr: int, now: str) -> Document:
    return {
        "consecutive_count": 1,
        "first_observed_at": now,
        "last_observed_at": now,
        "last_pr_number": max_pr,
    }


def _seen_again(entry: object, max_pr: int, now: str) -> object:
    if not isinstance(entry, Mapping):
        return _first_seen(max_pr, now)
    last = entry.get("last_pr_number")
    if values.is_integer(last) and last == max_pr:
        return entry
    counted = {"consecutive_count": count_of(entry) + 1, "last_observed_at": now}
    return {**entry, **counted, "last_pr_number": max_pr}


def _consolidated(name: str, entry: object, max_pr: int, now: str) -> Document:
    return {
        "agent": name,
        "consolidated_at": now,
        "at_pr_number": max_pr,
        "previous_consecutive": count_of(entry),
    }
