"""In which order the records of one phase must be written.

A credit counts only beside the comment that completes its phase, and a record whose write fails
must leave no credit behind: so completion, record, credit, in this order. Across phases, and
across issues, the order is the caller's.
"""

from collections.abc import Sequence

from session_memory.markers.candidate import Candidate
from session_memory.markers.problem import Problem
from session_memory.markers.resume import COMPLETION

_PHASE_OF = {
    **{family: phase for phase, family in COMPLETION.items() if family != "engagement-record"},
    "design-issue": "design",
    "frame-slices": "plan",
    "review-judge-produced": "review",
    "review-dispositions": "review",
}


def check(candidates: Sequence[Candidate]) -> tuple[int, Problem] | None:
    """The first candidate, by index from 0, that stands behind one that must follow it."""
    reached: dict[tuple[int, str], Candidate] = {}
    for index, candidate in enumerate(candidates):
        marker = candidate.marker
        phase = marker.part or _PHASE_OF.get(marker.family.name, "")
        if not phase:
            continue
        before = reached.get((marker.number, phase), candidate).marker.family
        if before.order > marker.family.order:
            sentence = f"{marker.family.name} comes before {before.name} in a burst"
            return index, Problem("burst-order", sentence)
        reached[marker.number, phase] = candidate
    return None
