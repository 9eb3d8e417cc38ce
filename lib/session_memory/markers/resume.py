"""Which phases of an issue are complete, by which comment, and what the next one still needs."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.markers.comment import Comment, latest
from session_memory.markers.decision import canonical
from session_memory.markers.families import PHASES, UPSERT, Marker, marker
from session_memory.markers.problem import Problem
from session_memory.markers.selection import find_all, strays
from session_memory.markers.trust import Trusts, anyone, trusted

# The comment that says a phase is done; a credit counts only beside it.
COMPLETION = {
    "experience": "experience-owner-complete",
    "design": "design-phase-complete",
    "plan": "plan-issue",
    "orchestration": "engagement-record",
}


def completion_marker(phase: str, issue: int) -> Marker:
    """The marker that completes ``phase`` of the issue. :class:`KeyError` for the review phase."""
    name = COMPLETION[phase]
    return marker(name, issue, phase if name == "engagement-record" else "")


@dataclass(frozen=True)
class Phase:
    """One phase: complete by this comment, or not complete."""

    name: str
    marker: Marker
    comment: Comment | None

    @property
    def complete(self) -> bool:
        return self.comment is not None


@dataclass(frozen=True)
class Progress:
    """All issue-keyed phases in their order, and what a person should look at."""

    phases: tuple[Phase, ...]
    warnings: tuple[Problem, ...]

    @property
    def next(self) -> Phase | None:
        """The first phase that is not complete; ``None`` when all are."""
        return next((phase for phase in self.phases if not phase.complete), None)


def progress(comments: Iterable[Comment], issue: int, trusts: Trusts = anyone) -> Progress:
    """How far the issue is, told by its comments.

    Where a phase is not complete, a comment that only looks like its marker may be the reason.
    """
    given = list(comments)
    phases = []
    warnings: list[Problem] = []
    for name in PHASES[:-1]:
        wanted = completion_marker(name, issue)
        found, left_out = trusted(find_all(given, wanted.literal), trusts)
        warnings += left_out
        upsert = wanted.family.shape == UPSERT
        counted = canonical(wanted, found) if upsert else latest(found)
        if counted is None:
            warnings += [_stray(wanted, comment) for comment in strays(given, wanted.literal)]
        phases.append(Phase(name, wanted, counted))
    return Progress(tuple(phases), tuple(warnings))


def _stray(wanted: Marker, comment: Comment) -> Problem:
    name = wanted.literal.removeprefix("<!-- ").removesuffix(" -->")
    return Problem("stray-marker", f"{name} is not on line 1 and does not count", comment.name)
