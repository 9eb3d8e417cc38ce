"""The only ways in which a queue of proposed follow-ups may change (SMC-24).

A session without a person at hand proposes; a session with one claims the queue, asks, records the
ruling and consumes it. Everything here is a value in, a value out: the writer does the rest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from session_memory.markers.problem import Problem, echo
from session_memory.records.followup_queue import (
    CLAIMED,
    CONSUMED,
    PROPOSED,
    STATES,
    Claim,
    Queue,
    QueueError,
    key_of,
    parse,
    text_values,
)


class InvalidTransition(QueueError):
    """A queue moves forward one step at a time, and only its claimant moves a claimed one."""


def next_state(state: str, to: str) -> str:
    """``to``, if it is the one step forward from ``state``."""
    if state not in STATES or to not in STATES or STATES.index(to) != STATES.index(state) + 1:
        raise InvalidTransition(f"a {echo(state)} queue does not become {echo(to)}")
    return to


def propose(queue: Queue | None, number: int, proposals: Iterable[Mapping[str, object]]) -> Queue:
    """The queue with these proposals added; one of the same key takes the place of the older.

    What was ruled on is not proposed again. A claimed queue is somebody's work and stays as it is.
    """
    if queue is not None and queue.state == CLAIMED:
        raise InvalidTransition(f"the queue is claimed{_by(queue)}; nothing may be added now")
    settled = _settled(queue)
    fresh = [item for item in map(text_values, proposals) if key_of(item) not in settled]
    if queue is not None and not fresh:
        return queue
    kept = queue.proposals if queue is not None and queue.state == PROPOSED else ()
    merged = {key_of(item): item for item in [*kept, *fresh] if key_of(item) not in settled}
    return Queue(number, PROPOSED, tuple(merged.values()), settled=settled)


def claim(queue: Queue, claimant: str, now: str, lease_until: str) -> Queue:
    """The queue, claimed. A claimant may renew; after the lease anybody may take over."""
    if not claimant.strip():
        raise InvalidTransition("a claim names its claimant")
    if not queue.proposals:
        raise InvalidTransition("an empty queue holds nothing to rule on")
    current = queue.claim
    if queue.state == CLAIMED and current and current.claimant != claimant and current.is_live(now):
        raise InvalidTransition(f"the queue is claimed{_by(queue)} until {current.lease_until}")
    if queue.state != CLAIMED:
        next_state(queue.state, CLAIMED)
    return replace(queue, state=CLAIMED, claim=Claim(claimant, now, lease_until))


def consume(queue: Queue, claimant: str) -> Queue:
    """The queue, consumed by its claimant, who has recorded the ruling before."""
    check_claimant(queue, claimant)
    if not queue.proposals:
        raise InvalidTransition("an empty queue holds nothing to rule on")
    consumed = replace(queue, state=CONSUMED)
    return replace(consumed, settled=_settled(consumed))


def check_claimant(queue: Queue, claimant: str) -> None:
    """Raise :class:`InvalidTransition` unless ``claimant`` holds the queue."""
    if queue.state == PROPOSED:
        raise InvalidTransition("the queue is not claimed yet")
    next_state(queue.state, CONSUMED)
    if queue.claim is not None and queue.claim.claimant != claimant:
        raise InvalidTransition(f"the queue is claimed{_by(queue)}")


def check_successor(existing: str, candidate: str) -> list[Problem]:
    """What forbids ``candidate`` to replace the ``existing`` body of the same queue.

    A queue that cannot be read is nobody's to replace either.
    """
    try:
        before, after = parse(existing), parse(candidate)
    except QueueError as error:
        return [Problem("unreadable-queue", str(error))]
    if before.state == PROPOSED and after.state in (PROPOSED, CLAIMED):
        return _lost(before, after)
    if before.state == CLAIMED and after.state in (CLAIMED, CONSUMED):
        return [] if _same_owner(before, after) else [_taken(before)]
    if before.state == CONSUMED and after.state == PROPOSED and after.settled:
        return [] if set(_settled(before)) <= set(after.settled) else [_taken(before)]
    return [_taken(before)]


def _lost(before: Queue, after: Queue) -> list[Problem]:
    lost = sorted(set(before.keys) - set(after.keys))
    sentence = "proposals that the queue holds are missing from what would replace it"
    return [Problem("lost-proposals", sentence)] if lost else []


def _taken(before: Queue) -> Problem:
    sentence = f"the queue is {before.state}{_by(before)} and must not be overwritten"
    return Problem("queue-overwrite", sentence)


def _same_owner(before: Queue, after: Queue) -> bool:
    """The claimant goes on, or somebody takes over after the lease has run out."""
    if before.claim is None or after.claim is None:
        return before.claim is None
    same = before.claim.claimant == after.claim.claimant
    return same or not before.claim.is_live(after.claim.claimed_at)


def _settled(queue: Queue | None) -> tuple[str, ...]:
    """The keys that were ruled on, those of a consumed queue among them."""
    if queue is None:
        return ()
    ruled = queue.keys if queue.state == CONSUMED else []
    return tuple(dict.fromkeys([*queue.settled, *ruled]))


def _by(queue: Queue) -> str:
    return f" by {echo(queue.claim.claimant)}" if queue.claim else ""
