"""Writing the block in a pull request's description: everything around it stays as it is."""

from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent, GitHubError, TooLarge
from session_memory.github.rewriting import is_doubtful
from session_memory.markers import account, body_rules, read_back
from session_memory.markers.candidate import Candidate
from session_memory.markers.decision import NO_OP, UPDATE
from session_memory.markers.description_block import BlockError, replaced
from session_memory.markers.outcome import NotDelivered, Outcome, Unverified
from session_memory.markers.plan import ChangedMeanwhile
from session_memory.markers.problem import Problem
from session_memory.markers.trust import Trusts


def plan_description(github: GitHub, trusts: Trusts, candidate: Candidate) -> "DescriptionPlan":
    """The plan, or the refusal: whoever wrote the description can change what is in it."""
    number = candidate.marker.number
    try:
        found = github.pull_request(number)
    except Absent:
        # Told apart from a number that nothing has; that one is raised from here.
        github.issue(number)
        sentence = f"{number} is an issue, not a pull request"
        raise candidate.refused(Problem("wrong-surface", sentence)) from None
    if not account.counts(found.author, trusts):
        sentence = f"pull request {number} is by somebody who may not write here"
        raise candidate.refused(Problem("untrusted-author", sentence))
    if is_doubtful(found.body):
        sentence = "the description holds escapes that gh does not give back as they are"
        raise candidate.refused(Problem("rewritten-by-gh", sentence))
    try:
        after = replaced(found.body, candidate.marker.family.name, candidate.body)
    except BlockError as error:
        sentence = f"the description is not touched: {error}"
        raise candidate.refused(Problem("ambiguous-block", sentence)) from None
    problem = body_rules.too_large(after)
    if problem:
        raise candidate.refused(problem.at("the description with the block"))
    return DescriptionPlan(github, candidate, found.body, after, found.html_url)


class DescriptionPlan:
    """A new text for a description."""

    preserved: tuple[str, ...] = ()
    to_retire: tuple[int, ...] = ()
    warnings: tuple[Problem, ...] = ()
    target_id = 0

    def __init__(
        self, github: GitHub, candidate: Candidate, before: str, after: str, url: str
    ) -> None:
        self.github, self.candidate = github, candidate
        self.before, self.after, self.url = before, after, url

    @property
    def action(self) -> str:
        return NO_OP if self.before == self.after else UPDATE

    def carry_out(self) -> Outcome:
        """Send the whole description. GitHub may answer that it did, and keep the old one."""
        if self.action == UPDATE:
            self._send()
        return Outcome(self.candidate.marker, self.action, url=self.url)

    def _send(self) -> None:
        subject, number = self.candidate.subject, self.candidate.marker.number
        try:
            now = self.github.pull_request(number).body
        except GitHubError as error:
            raise NotDelivered.because(subject, error) from error
        if now != self.before:
            raise ChangedMeanwhile
        try:
            self.github.update_pull_request(number, self.after)
        except TooLarge as error:
            raise NotDelivered.because(subject, error) from error
        except GitHubError as error:
            self._unanswered(error)
        reason = read_back.differs(self.after, self._read)
        if reason:
            raise Unverified(subject, reason)

    def _unanswered(self, error: GitHubError) -> None:
        """Go on when the update may have been carried out after all."""
        subject = self.candidate.subject
        try:
            now = self._read()
        except GitHubError as second:
            raise Unverified(subject, f"{error} Then {second}") from second
        if now == self.before:
            raise NotDelivered.because(subject, error) from error

    def _read(self) -> str:
        return self.github.pull_request(self.candidate.marker.number).body
