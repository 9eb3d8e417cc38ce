"""Every decision that the comments of an issue or pull request record, whatever recorded it.

This is what reconciliation holds against the gate-event log (SMC-21).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from session_memory.markers.comment import Comment, latest
from session_memory.markers.families import marker, parse
from session_memory.markers.problem import Problem
from session_memory.markers.selection import find_all
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.markers.trust import Trusts, anyone, trusted
from session_memory.records import finding_dispositions, review_dispositions
from session_memory.records.reading import UnknownSchemaVersion, read
from session_memory.yaml_text import YamlError


@dataclass(frozen=True)
class Recorded:
    """The ids in lower case; ``failures`` are sources that could not be read, so ids may lack."""

    ids: frozenset[str] = frozenset()
    failures: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def recorded(comments: Iterable[Comment], target: Target, *, trusts: Trusts = anyone) -> Recorded:
    """What engagement records, the design's findings and the review's dispositions record.

    The design's findings come from its newest completion comment of this very issue; the review's
    from the newest dispositions of this very pull request.
    """
    marked = [comment for comment in comments if parse(first_line(comment.body))]
    own, warnings = trusted(marked, trusts)
    failures: list[Problem] = []
    ids: set[str] = set()
    if not target.is_empty:
        try:
            reading = read(own, target)
            ids |= {str(item.get("decision_id")) for item in reading.decisions}
            warnings += reading.warnings
        except UnknownSchemaVersion as error:
            failures.append(Problem("records-unreadable", str(error), error.comment.name))
    for comment, listed in _dispositions(own, target):
        if isinstance(listed, YamlError):
            failures.append(Problem("dispositions-unreadable", str(listed), comment.name))
        else:
            ids |= set(listed)
    lower = frozenset(identity.lower() for identity in ids)
    return Recorded(lower, tuple(failures), tuple(warnings))


def _dispositions(
    comments: Sequence[Comment], target: Target
) -> Iterator[tuple[Comment, list[str] | YamlError]]:
    design = _newest(comments, "design-phase-complete", target.issue)
    if design:
        try:
            yield design, finding_dispositions.finding_ids(design.body)
        except YamlError as error:
            yield design, error
    review = _newest(comments, "review-dispositions", target.pull_request)
    if review:
        try:
            entries = review_dispositions.entries_of(review_dispositions.load(review.body))
            yield review, [str(entry.get("stable_finding_key")) for entry in entries]
        except YamlError as error:
            yield review, error


def _newest(comments: Sequence[Comment], family: str, number: int) -> Comment | None:
    return latest(find_all(comments, marker(family, number).literal)) if number > 0 else None
