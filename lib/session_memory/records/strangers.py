"""Records that do not count: shown one by one, so that none can break the reading of another."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.markers.comment import Comment
from session_memory.markers.families import parse
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.markers.trust import Trusts
from session_memory.records.reading import Record, UnknownSchemaVersion, read


@dataclass(frozen=True)
class Stranger:
    """A comment of an author who does not count: its record, or why there is none."""

    comment: Comment
    record: Record | None = None
    problem: Problem | None = None


def strangers(
    comments: Iterable[Comment], target: Target, trusts: Trusts, *, accept_legacy: bool = False
) -> list[Stranger]:
    """Every engagement record among ``comments`` whose author ``trusts`` does not trust."""
    return [
        _alone(comment, target, accept_legacy)
        for comment in comments
        if _is_record(comment) and not trusts(comment)
    ]


def _alone(comment: Comment, target: Target, accept_legacy: bool) -> Stranger:
    try:
        found = read([comment], target, accept_legacy=accept_legacy)
    except UnknownSchemaVersion as error:
        return Stranger(comment, problem=Problem(error.code, str(error), comment.name))
    record = next(iter(found.records.values()), None)
    return Stranger(comment, record, next(iter(found.warnings), None))


def _is_record(comment: Comment) -> bool:
    found = parse(first_line(comment.body))
    return found is not None and found.family.name == "engagement-record"
