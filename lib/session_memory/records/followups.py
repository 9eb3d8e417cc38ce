"""Follow-up decisions that ride in engagement records: one union over every record (SMC-24).

All other decisions follow the newest record of their phase. Follow-ups are never forgotten: each
key keeps its newest entry, whatever record it stands in.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from session_memory.markers.comment import Comment, by_age, instant
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.markers.trust import Trusts, anyone
from session_memory.records.reading import UnknownSchemaVersion, read

PREFIX = "followup-"

_KEY = re.compile(r"followup-[0-9a-f]{16}")
_SEEN = re.compile(r"""decision_id:[ \t]*["']?(followup-[0-9a-f]{16})(?![0-9a-f])""")


class NumberRequired(ValueError):
    """A merge needs the number of the issue or pull request whose records it unites."""

    code = "number-required"


class Unreadable(ValueError):
    """Writing now would lose decisions that the comments hold."""

    code = "unreadable-records"


@dataclass(frozen=True)
class Union:
    """The entries sorted by key; ``lost`` are keys that stand in comments no reader could read."""

    entries: tuple[dict[str, object], ...]
    warnings: tuple[Problem, ...] = ()
    lost: tuple[str, ...] = ()


def followup_key(identity: str | None) -> str:
    """The key of a follow-up: its stable finding key or canonical title, hashed as it stands.

    Raises :class:`ValueError` for a blank identity.
    """
    if identity is None or not identity.strip():
        raise ValueError("a follow-up needs an identity")
    return PREFIX + hashlib.sha256(identity.encode("utf-8")).hexdigest()[:16]


def ruling_identity(kind: str, number: int, decided_at: str, earlier: Sequence[str] = ()) -> str:
    """What the key of a batch ruling is made of. ``kind`` is ``issue`` or ``pr``.

    ``decided_at`` is UTC to the millisecond or finer, and later than every ``earlier`` ruling of
    the same surface; :class:`ValueError` otherwise.
    """
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z", decided_at):
        raise ValueError("a ruling's time is UTC with milliseconds")
    now = instant(decided_at)
    if now is None or any((instant(other) or 0.0) >= now for other in earlier):
        raise ValueError("a ruling's time is later than every earlier ruling's")
    return f"gate-ruling:{kind}-{number}:{decided_at}"


def unite(
    prior: Iterable[Comment],
    current: Sequence[Mapping[str, object]],
    target: Target,
    *,
    trusts: Trusts = anyone,
) -> Union:
    """All follow-up entries: the newest of each key, the ``current`` batch above all.

    Of an issue the records of every phase count, of a pull request those of the review. Raises
    :class:`NumberRequired` for a target without a number.
    """
    if target.is_empty:
        raise NumberRequired("the issue or pull request number must be given")
    comments = [comment for comment in by_age(prior) if trusts(comment)]
    merged: dict[str, dict[str, object]] = {}
    warnings: list[Problem] = []
    for comment in comments:
        entries, said = _entries(comment, target)
        merged.update(entries)
        warnings += said
    for entry in current:
        key = str(entry.get("decision_id") or entry.get("followup_key") or "")
        if key:
            merged[key] = dict(entry)
        else:
            warnings.append(Problem("keyless-entry", "an entry of this batch has no key"))
    lost = sorted(_seen(comments) - set(merged))
    warnings += [_lost(key) for key in lost]
    return Union(tuple(merged[key] for key in sorted(merged)), tuple(warnings), tuple(lost))


def carry_forward(
    prior: Iterable[Comment],
    batch: Sequence[Mapping[str, object]],
    target: Target,
    *,
    trusts: Trusts = anyone,
) -> list[dict[str, object]]:
    """The full decision list of the next record of the target's phase, with a batch added.

    A batch holds follow-ups, or decisions that take the place of those of the same id. The newest
    record of a phase hides all older ones, so everything else in force has to be carried.

    Raises :class:`Unreadable` where :func:`unite` and the reader would only warn, and what they
    raise: without the earlier decisions nothing may be written over them.
    """
    comments = list(prior)
    union = unite(comments, [item for item in batch if is_followup(item)], target, trusts=trusts)
    reading = read(comments, target, trusts=trusts)
    left_out = [item for item in reading.warnings if item.code != "untrusted-author"]
    if union.lost or left_out:
        reasons = [*union.lost, *[str(item) for item in left_out]]
        raise Unreadable(f"earlier records cannot be read: {'; '.join(reasons)}")
    decisions = {str(item["decision_id"]): item for item in reading.decisions}
    decisions.update({str(item.get("decision_id")): dict(item) for item in batch})
    kept = [item for item in decisions.values() if not is_followup(item)]
    return [_without_reader_marks(item) for item in [*kept, *union.entries]]


def is_followup(decision: Mapping[str, object]) -> bool:
    return _KEY.fullmatch(str(decision.get("decision_id") or "")) is not None


def _entries(
    comment: Comment, target: Target
) -> tuple[dict[str, dict[str, object]], list[Problem]]:
    try:
        reading = read([comment], replace(target, phase=""), accept_legacy=True)
    except UnknownSchemaVersion as error:
        return {}, [Problem(error.code, str(error), comment.name)]
    found = {str(item["decision_id"]): item for item in reading.decisions if is_followup(item)}
    return found, list(reading.warnings)


def _seen(comments: Iterable[Comment]) -> set[str]:
    """Every follow-up key in the raw text, readable or not."""
    return {key for comment in comments for key in _SEEN.findall(comment.body)}


def _lost(key: str) -> Problem:
    sentence = f"unbroken-chain guard: {key} stands in a comment but in no readable record"
    return Problem("lost-followup", sentence)


def _without_reader_marks(decision: Mapping[str, object]) -> dict[str, object]:
    marks = ("phase", "schema_version", "_legacy", "_missing_fields")
    return {name: value for name, value in decision.items() if name not in marks}
