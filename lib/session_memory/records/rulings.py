"""What a person ruled on a claimed queue of follow-ups, as entries of a record (SMC-24).

A batch leaves one ruling, with a count and the outcome of every title, and an entry of its own for
each proposal that was modified or dropped. Until every proposal is in a recorded ruling, the queue
must not be consumed: an issue may then be filed that nobody approved.
"""

from collections.abc import Iterable, Iterator, Mapping

from session_memory.markers.comment import instant
from session_memory.records.followup_queue import Queue, QueueError, key_of
from session_memory.records.followups import followup_key, is_followup, ruling_identity

APPROVED, MODIFIED, DROPPED = OUTCOMES = ("approved", "modified", "dropped")

Entry = dict[str, object]


class NotRuled(QueueError):
    """Proposals of the queue are in no recorded ruling."""


def entries(
    queue: Queue, outcomes: Mapping[str, str], kind: str, decided_at: str, prior: Iterable[Entry]
) -> list[Entry]:
    """The ruling on every proposal of the queue, and the entries of those not simply approved.

    ``outcomes`` gives one of :data:`OUTCOMES` by key; ``kind`` is ``issue`` or ``pr``; ``prior``
    are the entries that are recorded already. The newest of them is kept if it says the same: then
    the command was run again, and nobody ruled anew. Raises :class:`QueueError` for keys that the
    queue lacks or that were left out, and :class:`ValueError` as :func:`ruling_identity` does.
    """
    _check_keys(queue, outcomes)
    items: list[Entry] = [
        {"title": item["canonical_title"], "outcome": outcomes[key_of(item)]}
        for item in queue.proposals
    ]
    earlier = sorted(_rulings(prior, kind, queue), key=_decided_at)
    if earlier and _items(earlier[-1]) == items:
        return [earlier[-1], *_singles(queue, outcomes)]
    times = [str(ruling.get("gate_ruling_decided_at")) for ruling in earlier]
    identity = ruling_identity(kind, queue.number, decided_at, times)
    return [_batch(kind, queue, decided_at, items, identity), *_singles(queue, outcomes)]


def _batch(kind: str, queue: Queue, decided_at: str, items: list[Entry], identity: str) -> Entry:
    counts = _counts([item["outcome"] for item in items])
    return {
        "decision_id": followup_key(identity),
        "classification": "routine",
        "engineer_choice": counts,
        "gate_ruling_counts": counts,
        "gate_ruling_surface": _surface(kind, queue),
        "gate_ruling_decided_at": decided_at,
        "gate_ruling_items": items,
    }


def _decided_at(ruling: Entry) -> float:
    return instant(str(ruling.get("gate_ruling_decided_at"))) or 0.0


def _counts(outcomes: list[object]) -> str:
    told = [("proposed", len(outcomes)), *[(name, outcomes.count(name)) for name in OUTCOMES]]
    return ", ".join(f"{name}: {number}" for name, number in told)


def _singles(queue: Queue, outcomes: Mapping[str, str]) -> Iterator[Entry]:
    """The entries of their own. A key from elsewhere has none: the ruling names its title."""
    for item in queue.proposals:
        key = key_of(item)
        entry: Entry = {
            "decision_id": key,
            "classification": "routine",
            "engineer_choice": outcomes[key],
            "canonical_title": item["canonical_title"],
        }
        if outcomes[key] != APPROVED and is_followup(entry):
            yield entry


def check_ruled(queue: Queue, kind: str, recorded: Iterable[Entry]) -> None:
    """Raise :class:`NotRuled` unless every proposal is in a ruling of the ``recorded`` entries."""
    known = list(recorded)
    keys = {str(entry.get("decision_id")) for entry in known}
    titles = {
        item.get("title")
        for ruling in _rulings(known, kind, queue)
        for item in _items(ruling)
        if item.get("outcome") in OUTCOMES
    }
    open_ones = [
        key_of(item)
        for item in queue.proposals
        if item["canonical_title"] not in titles and key_of(item) not in keys
    ]
    if open_ones:
        named = ", ".join(open_ones[:5])
        raise NotRuled(f"no ruling is recorded on {named}; record it with followups rule")


def _check_keys(queue: Queue, outcomes: Mapping[str, str]) -> None:
    unknown = [key for key in outcomes if key not in queue.keys]
    missing = [key for key in queue.keys if key not in outcomes]
    if unknown:
        raise QueueError(f"the queue holds no proposal {', '.join(unknown[:5])[:200]}")
    if missing:
        raise QueueError(f"no outcome is given for {', '.join(missing[:5])[:200]}")


def _rulings(known: Iterable[Entry], kind: str, queue: Queue) -> list[Entry]:
    surface = _surface(kind, queue)
    rulings = [entry for entry in known if entry.get("gate_ruling_counts")]
    return [ruling for ruling in rulings if ruling.get("gate_ruling_surface") == surface]


def _surface(kind: str, queue: Queue) -> str:
    return f"{kind}-{queue.number}"


def _items(ruling: Entry) -> list[dict[str, object]]:
    listed = ruling.get("gate_ruling_items")
    items = listed if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, dict)]
