"""What reviewers from outside caught: the judge's dispositions, merged (SMC-23)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from session_memory.markers.comment import Comment, by_age, same_login
from session_memory.markers.families import marker
from session_memory.markers.problem import Problem
from session_memory.markers.selection import carries
from session_memory.records import review_dispositions
from session_memory.records.values import is_among
from session_memory.yaml_text import YamlError

# Sources that are no reviewer from outside; a person of that name is written ``ext-local``.
_NOT_EXTERNAL = ("local", "unresolved")


@dataclass(frozen=True)
class ExternalReviews:
    """Findings from outside that the own review had too, and those it had not.

    ``measured`` tells whether a pass over external reviews ran at all; without one, nothing counts.
    """

    measured: bool
    duplicate: int = 0
    novel: int = 0
    entries: tuple[dict[str, object], ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def external_catch(self) -> int:
        """All findings from outside whose match with the own review is known."""
        return self.duplicate + self.novel


def by_judge(comments: Iterable[Comment], judge: str) -> Iterator[Comment]:
    """What ``judge`` wrote. Nobody else's word matters here, nor what they may do."""
    return (comment for comment in comments if same_login(comment.author, judge))


def merge(comments: Iterable[Comment], pull_request: int, judge: str) -> ExternalReviews:
    """Merges the judge's comments by finding key; of each finding the newest entry counts.

    Comments of equal age, and those without a date, count in the order of their ids and then of the
    list; a comment without a date never displaces one that has one.
    """
    literal = marker("review-dispositions", pull_request).literal
    merged: dict[str, dict[str, object]] = {}
    measured = False
    warnings = []
    for comment in by_age(by_judge(comments, judge)):
        if not carries(comment.body, literal):
            continue
        try:
            payload = review_dispositions.load(comment.body)
        except YamlError as error:
            warnings.append(Problem("bad-yaml", str(error), comment.name))
            continue
        measured = measured or isinstance(payload.get("external_sources_reconciled"), list)
        for entry in review_dispositions.entries_of(payload):
            merged[str(entry.get("stable_finding_key"))] = entry
    statuses = [_status(entry) for entry in merged.values() if measured and _is_external(entry)]
    return ExternalReviews(
        measured,
        statuses.count("duplicate"),
        statuses.count("novel"),
        tuple(merged.values()),
        tuple(warnings),
    )


def _is_external(entry: dict[str, object]) -> bool:
    source = entry.get("reviewer_source") or "local"
    return not is_among(source, _NOT_EXTERNAL) and entry.get("disposition") != "dismiss"


def _status(entry: dict[str, object]) -> object:
    match = entry.get("internal_match")
    return match.get("match_status", "ambiguous") if isinstance(match, dict) else "ambiguous"
