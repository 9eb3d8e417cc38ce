"""The judge's sentinel: a comment that is nothing but its marker, posted first (SMC-16).

It tells a review that ran and whose credit was lost from a review that never ran.
"""

from collections.abc import Iterable

from session_memory.markers.comment import Comment
from session_memory.markers.families import Marker, marker
from session_memory.markers.problem import Problem
from session_memory.markers.selection import find_all
from session_memory.markers.text import normalize
from session_memory.records.metrics import Metrics


def find(comments: Iterable[Comment], pull_request: int) -> Comment | None:
    """The newest sentinel of the pull request."""
    if pull_request <= 0:
        return None
    found = find_all(comments, marker("review-judge-produced", pull_request).literal)
    return found[-1] if found else None


def check_body(body: str, own: Marker) -> list[Problem]:
    """What a writer refuses: anything beside the marker."""
    if normalize(body) == own.literal:
        return []
    return [Problem("not-marker-only", "a sentinel is marker-only: nothing else may stand in it")]


def missing_credit(
    metrics: Metrics, comments: Iterable[Comment], pull_request: int
) -> dict[str, object] | None:
    """The row for a review that ran and left no credit in the metrics; ``None`` if all is well.

    Nothing is made up for metrics that are missing, older than version 4, or unreadable.
    """
    if metrics.version != 4 or "review" in metrics.ports:
        return None
    comment = find(comments, pull_request)
    if comment is None:
        return None
    place = comment.html_url or comment.name
    evidence = f"review-judge-produced-{pull_request} was posted ({place}), its credit was not"
    return {"port": "review", "status": "not-persisted", "evidence": evidence}
