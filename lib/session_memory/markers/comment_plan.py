"""A decision about a comment, and its execution. It is good as long as nobody else writes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent, GitHubError
from session_memory.markers import decision, read_back, retirement
from session_memory.markers.candidate import Candidate
from session_memory.markers.comment import Comment
from session_memory.markers.decision import CREATE, NO_OP, UPDATE, Decision
from session_memory.markers.outcome import NotDelivered, Outcome, PostStepFailed, Unverified
from session_memory.markers.plan import ChangedMeanwhile, asking
from session_memory.markers.problem import Problem
from session_memory.markers.trust import Trusts


@dataclass(frozen=True)
class CommentPlan:
    """What is to be done, and all that it was told from.

    ``newest`` is the highest id of the conversation, 0 for none.
    """

    github: GitHub
    trusts: Trusts
    candidate: Candidate
    decision: Decision
    newest: int
    preserved: tuple[str, ...]

    @property
    def action(self) -> str:
        return self.decision.action

    @property
    def target_id(self) -> int:
        return self.decision.target.id if self.decision.target else 0

    @property
    def before(self) -> str:
        return self.decision.target.body if self.decision.target else ""

    @property
    def after(self) -> str:
        return self.candidate.body

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(_summary(self.decision.warnings))

    @property
    def to_retire(self) -> tuple[int, ...]:
        return tuple(comment.id for comment in self.decision.duplicates)

    def carry_out(self) -> Outcome:
        """Do it. Raises :class:`ChangedMeanwhile` when the plan is no longer good."""
        target = self.decision.target
        if target is None:
            return self._create()
        if self.action == UPDATE:
            target = self._update(target)
        return self._without_copies(self._outcome(target), target)

    def _outcome(self, comment: Comment) -> Outcome:
        return Outcome(
            self.candidate.marker, self.action, comment.id, comment.html_url,
            preserved=self.preserved if self.action != NO_OP else (), warnings=self.warnings,
        )  # fmt: skip

    def _create(self) -> Outcome:
        number = self.candidate.marker.number
        with asking(self.candidate):
            made = self.github.create_comment(number, self.after, after=self.newest)
        reason = self._differs(made.id)
        outcome = replace(self._outcome(made), repaired=bool(reason))
        if reason:
            self._repair(made.id, reason)
        if not self.trusts(made):
            reason = f"readers do not count comments of {made.author}"
            raise Unverified(self.candidate.subject, reason, made.id)
        if self.action == CREATE:
            self._yield_to_older(made)
        return outcome

    def _repair(self, identity: int, reason: str) -> None:
        """Send the text once more, unless an edit would take away what it says."""
        if self.candidate.marker.family.edit_sensitive:
            step = "an edit would void the record, so it was not repaired"
            raise Unverified(self.candidate.subject, f"{reason}; {step}", identity)
        try:
            self.github.update_comment(identity, self.after)
            second = self._differs(identity)
        except GitHubError as error:
            second = str(error)
        if second:
            both = f"{reason} (repair-PATCH attempt also failed -- {second})"
            raise Unverified(self.candidate.subject, both, identity)

    def _yield_to_older(self, made: Comment) -> None:
        """Two writers that saw no record both made one: the older counts, so it gets the text."""
        marker = self.candidate.marker
        try:
            now = self.github.comments(marker.number, 0)
            again = decision.decide(marker, self.after, now, self.trusts)
        except GitHubError:
            # The record is there; a second one, if any, is the next write's to retire.
            return
        if again.target and again.target.id < made.id:
            raise ChangedMeanwhile

    def _update(self, target: Comment) -> Comment:
        with asking(self.candidate):
            try:
                fresh = self.github.comment(target.id)
            except Absent:
                reason = f"comment {target.id} disappeared before it could be updated"
                raise NotDelivered(self.candidate.subject, reason) from None
        if fresh.body != target.body:
            raise ChangedMeanwhile
        try:
            self.github.update_comment(target.id, self.after)
            reason = self._differs(target.id)
        except GitHubError as error:
            reason = self._unanswered(target, error)
        if reason:
            raise Unverified(self.candidate.subject, reason, target.id)
        return target

    def _unanswered(self, target: Comment, error: GitHubError) -> str:
        """Why an update that seemed to fail cannot be taken as done; ``""`` when it was done."""
        try:
            now = self.github.comment(target.id)
        except Absent:
            raise NotDelivered.because(self.candidate.subject, error) from error
        except GitHubError as second:
            return f"{error} Then {second}"
        if now.body == target.body:
            raise NotDelivered.because(self.candidate.subject, error) from error
        return read_back.differs(self.after, lambda: now.body)

    def _without_copies(self, outcome: Outcome, record: Comment) -> Outcome:
        copies = self.decision.duplicates
        try:
            done, left = retirement.retire(
                self.github, self.candidate.marker, self.after, record, copies
            )
        except GitHubError as error:
            raise PostStepFailed(outcome, f"a second copy could not be retired: {error}") from error
        return replace(outcome, retired=tuple(done), warnings=(*outcome.warnings, *left))

    def _differs(self, identity: int) -> str:
        return read_back.differs(self.after, lambda: self.github.comment(identity).body)


def _summary(warnings: tuple[Problem, ...]) -> Iterator[Problem]:
    """One warning for all comments that were left out, with the first of their ids."""
    if warnings:
        first = ", ".join(warning.where for warning in warnings[:5])
        more = f" and {len(warnings) - 5} more" if len(warnings) > 5 else ""
        yield Problem(warnings[0].code, f"{warnings[0].message}: {first}{more}")
