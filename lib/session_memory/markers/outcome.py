"""How a write ends: an outcome, or one of four failures that tell what is on GitHub now."""

from dataclasses import dataclass

from session_memory.github.errors import GitHubError, RateLimited, Transient
from session_memory.markers.families import Marker
from session_memory.markers.problem import ECHO_MESSAGE, Problem, echo, refusal


@dataclass(frozen=True)
class Outcome:
    """A write that is on GitHub and was read back, or that was not needed.

    ``retired`` are the ids of copies that this write took out of force, ``preserved`` the parts
    that were carried over from the text it replaced.
    """

    marker: Marker
    action: str
    comment_id: int = 0
    url: str = ""
    repaired: bool = False
    preserved: tuple[str, ...] = ()
    retired: tuple[int, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def confirmation(self) -> str:
        """What was done, in a line without any of the text."""
        where = f"comment {self.comment_id}" if self.comment_id else "the description"
        said = [f"{self.marker.family.name}: {self.action} {where}"]
        if self.repaired:
            said.append("(after a read-back-failure repair-PATCH)")
        if self.preserved:
            said.append(f"(preserved: {', '.join(self.preserved)})")
        if self.retired:
            said.append(f"(retired: {', '.join(map(str, self.retired))})")
        return " ".join(said)


class WriteFailed(Exception):
    """A write that did not end well. ``next_step`` is what a person or an agent does now."""

    next_step = ""

    def __init__(self, subject: str, reason: str, next_step: str = "") -> None:
        self.subject, self.reason = subject, echo(reason, ECHO_MESSAGE)
        self.next_step = next_step or self.next_step
        super().__init__(subject, self.reason)

    def __str__(self) -> str:
        reason = self.reason.rstrip(".")
        return f"persist-marker: FAILED ({self.subject}): {reason}. {self.next_step}"


class Refused(WriteFailed):
    """It must not be written, and nothing was."""

    next_step = "Nothing was written; correct it and run this again."

    def __init__(self, family: str, surface: str, number: object, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(f"{echo(family)}, {surface}/{number}", "; ".join(map(str, problems)))
        self._line = refusal(family, surface, number, [Problem("", self.reason)])

    def __str__(self) -> str:
        return f"{self._line.rstrip('.')}. {self.next_step}"


class NotDelivered(WriteFailed):
    """GitHub could not be asked or did not take it; nothing of it is there."""

    next_step = "Nothing was written; run this again later."

    @classmethod
    def because(cls, subject: str, error: GitHubError) -> "NotDelivered":
        """The failure that ``error`` is to a write. Only some are worth another attempt."""
        may_pass = isinstance(error, Transient | RateLimited)
        return cls(subject, str(error), "" if may_pass else "Nothing was written.")


class Unverified(WriteFailed):
    """It was sent, and what was read back is not what was sent, or could not be read."""

    next_step = "Look at the conversation, then run this again."

    def __init__(self, subject: str, reason: str, comment_id: int = 0) -> None:
        super().__init__(subject, reason)
        self.comment_id = comment_id


class PostStepFailed(WriteFailed):
    """The text is there and verified; what had to follow was not done."""

    next_step = "The text itself is written; run this again to finish."

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(subject_of(outcome.marker), reason)
        self.outcome = outcome


def subject_of(marker: Marker) -> str:
    """How messages name what is written: family, surface and number."""
    return f"{marker.family.name}, {marker.surface}/{marker.number}"
