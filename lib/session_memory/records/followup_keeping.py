"""The queue of follow-ups on GitHub: read, changed in one lawful step, written, looked at again.

GitHub knows no conditional write. Two sessions that claim at the same moment both write; the one
whose claim does not stand afterwards learns it here, and the other one's consumption would be
refused.
"""

from collections.abc import Callable
from dataclasses import dataclass

from session_memory.github.errors import GitHubError
from session_memory.markers.comment import Comment
from session_memory.markers.decision import canonical
from session_memory.markers.families import Marker, marker
from session_memory.markers.outcome import Unverified, subject_of
from session_memory.markers.problem import Problem
from session_memory.markers.trust import trusted
from session_memory.records.followup_queue import Queue, QueueError, build, parse
from session_memory.records.followup_transitions import check_successor
from session_memory.records.sources import Sources

FAMILY = "proposed-followups"

# Writes a body under its marker and returns the id of the comment that holds it.
Write = Callable[[Marker, str], int]
Step = Callable[["Queue | None"], Queue]


@dataclass(frozen=True)
class Kept:
    """The queue as it stands; neither queue nor comment when there is none."""

    queue: Queue | None = None
    comment: Comment | None = None
    warnings: tuple[Problem, ...] = ()


def fetch(sources: Sources, number: int, surface: str) -> Kept:
    """The queue of an issue or pull request, of an author who counts.

    Raises :class:`QueueError` for one that cannot be read, and :class:`GitHubError`.
    """
    own = marker(FAMILY, number)
    found = sources.marked(number, surface, again=True)
    named = [item for item in found if canonical(own, [item])]
    kept, warnings = trusted(named, sources.trusts)
    comment = canonical(own, kept)
    queue = _parsed(comment) if comment else None
    return Kept(queue, comment, tuple(warnings))


def change(
    sources: Sources,
    where: "tuple[int, str]",
    step: "Callable[[Queue | None], Queue]",
    write: Write,
) -> Kept:
    """The queue after ``step``, as GitHub has it now.

    Raises :class:`QueueError` when the step is unlawful, :class:`GitHubError` when the queue cannot
    be read, what ``write`` raises, and :class:`Unverified` when the step did not stand.
    """
    own = marker(FAMILY, where[0])
    before = fetch(sources, *where)
    after = step(before.queue)
    if after == before.queue:
        return before
    body = build(after)
    if before.comment:
        refusals = check_successor(before.comment.body, body)
        if refusals:
            raise QueueError("; ".join(problem.message for problem in refusals))
    comment_id = write(own, body)
    try:
        comment = sources.github.comment(comment_id)
        now = _parsed(comment)
    except (GitHubError, QueueError) as error:
        raise Unverified(subject_of(own), str(error), comment_id) from None
    if now != parse(body):
        reason = "somebody else changed the queue at the same moment"
        raise Unverified(subject_of(own), reason, comment_id)
    return Kept(now, comment, before.warnings)


def _parsed(comment: Comment) -> Queue:
    try:
        return parse(comment.body)
    except QueueError as error:
        raise QueueError(f"{comment.name}: the queue cannot be read: {error}") from None
