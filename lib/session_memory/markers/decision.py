"""What writing a body means, given the comments that are there: decided before anything is sent."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.github.rewriting import same_text
from session_memory.markers.comment import Comment
from session_memory.markers.families import UPSERT, Marker
from session_memory.markers.problem import Problem
from session_memory.markers.selection import find_all
from session_memory.markers.trust import Trusts, anyone, trusted

POST = "posted"
CREATE = "created"
UPDATE = "updated"
NO_OP = "no-op"


@dataclass(frozen=True)
class Decision:
    """The one thing to do, the comment it is done to, and the copies that should not be there."""

    action: str
    target: Comment | None = None
    duplicates: tuple[Comment, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def writes(self) -> bool:
        return self.action != NO_OP


def decide(
    marker: Marker, body: str, comments: Iterable[Comment], trusts: Trusts = anyone
) -> Decision:
    """What writing ``body`` takes. A stranger's comment is never taken over and never updated."""
    found, warnings = trusted(find_all(comments, marker.literal), trusts)
    if marker.family.shape == UPSERT:
        return _upsert(body, found, tuple(warnings))
    return _post_new(body, found, tuple(warnings))


def canonical(marker: Marker, comments: Iterable[Comment]) -> Comment | None:
    """The comment that readers and the writer agree on among several of one marker.

    Of an upsert family the lowest id, because every writer on every machine can tell it, whatever
    it saw; of the others the highest, which is the newest.
    """
    found = find_all(comments, marker.literal)
    if not found:
        return None
    return found[0] if marker.family.shape == UPSERT else found[-1]


def is_void(marker: Marker, comment: Comment) -> bool | None:
    """Whether an edit has taken a record's force away; ``None`` when that cannot be told.

    Only a family whose meaning hangs on when its text was posted is sensitive to edits.
    """
    return comment.edited if marker.family.edit_sensitive else False


def _upsert(body: str, found: list[Comment], warnings: tuple[Problem, ...]) -> Decision:
    if not found:
        return Decision(CREATE, warnings=warnings)
    target, *duplicates = found
    same = same_text(body, target.body)
    return Decision(NO_OP if same else UPDATE, target, tuple(duplicates), warnings)


def _post_new(body: str, found: list[Comment], warnings: tuple[Problem, ...]) -> Decision:
    newest = found[-1] if found else None
    if newest and same_text(body, newest.body):
        return Decision(NO_OP, newest, warnings=warnings)
    return Decision(POST, warnings=warnings)
