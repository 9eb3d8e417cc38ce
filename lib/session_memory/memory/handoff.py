"""Pause or continue before implementation: the question, and when it is unnecessary."""

from collections.abc import Iterable

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


def is_continue(answer: str) -> bool:
    """Whether the answer goes on at once, which writes nothing."""
    return answer.strip().lower().startswith("continue")


def is_settled(tier: str, present: Iterable[Iterable[str]]) -> bool:
    """Whether every issue of the bundle had all artifacts of the tier before this session."""
    issues = [set(artifacts) for artifacts in present]
    return bool(issues) and all(ARTIFACTS[tier] <= artifacts for artifacts in issues)
