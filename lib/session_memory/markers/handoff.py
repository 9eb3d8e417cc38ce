"""The pause before implementation: which handoff comments a pause has to write (SMC-01 to 03)."""

from collections.abc import Iterable, Mapping

from session_memory.markers.comment import Comment, latest
from session_memory.markers.text import normalize

CONTINUE = "Continue implementation"
PAUSE = "Pause here — I'll resume with /implement"

# What must already be durable for the question to be unnecessary, by tier.
ARTIFACTS = {
    "abbreviated": frozenset({"plan-issue"}),
    "full": frozenset(
        {"experience-owner-complete", "design-phase-complete", "plan-issue", "design-issue"}
    ),
}


def is_pause(answer: str) -> bool:
    """Whether the answer to the checkpoint pauses; a pause needs no exact wording."""
    return answer.strip().lower().startswith("pause")


def writes_on_pause(
    snapshots: Mapping[str, str], posted: Mapping[str, Iterable[Comment]]
) -> list[str]:
    """The families whose snapshot differs from the newest comment, or that have no comment.

    ``snapshots`` holds the bodies that the session would write, by family; ``posted`` the comments
    of the family that count.
    """
    return [
        family
        for family, snapshot in snapshots.items()
        if not _is_posted(snapshot, latest(posted.get(family, ())))
    ]


def is_settled(tier: str, present: Iterable[Iterable[str]]) -> bool:
    """Whether every issue of the bundle had all artifacts of the tier before this session."""
    issues = [set(artifacts) for artifacts in present]
    return bool(issues) and all(ARTIFACTS[tier] <= artifacts for artifacts in issues)


def _is_posted(snapshot: str, comment: Comment | None) -> bool:
    return comment is not None and normalize(comment.body) == normalize(snapshot)
