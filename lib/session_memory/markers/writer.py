"""The one writer of markers: nothing is sent before everything is checked, and all is read back.

GitHub has no conditional update. What stands in for it: a plan is made from what is there now; the
comment to replace is read once more right before it is replaced, and when it changed the plan is
made anew; a writer that created a record looks for an older one and yields to it.
"""

from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent, Rejected
from session_memory.github.rewriting import is_doubtful
from session_memory.markers import account, decision, preserve, retirement
from session_memory.markers.candidate import Candidate
from session_memory.markers.comment import Comment
from session_memory.markers.comment_plan import CommentPlan
from session_memory.markers.decision import UPDATE, canonical
from session_memory.markers.description_writer import plan_description
from session_memory.markers.families import EITHER, ISSUE, PULL_REQUEST
from session_memory.markers.outcome import NotDelivered, Outcome
from session_memory.markers.plan import ChangedMeanwhile, Plan, asking
from session_memory.markers.problem import Problem
from session_memory.markers.selection import carries, find_all
from session_memory.markers.trust import Trusts, trusted

# How often a plan is made anew because somebody else writes at the same time.
_ATTEMPTS = 5


class Writer:
    """Writes candidates to one repository, as the account that gh uses.

    Every failure is a :class:`~session_memory.markers.outcome.WriteFailed`.
    """

    def __init__(self, github: GitHub, trusts: Trusts) -> None:
        self.github = github
        self.trusts = trusts
        self._checked_account = False

    def write(self, candidate: Candidate) -> Outcome:
        """Write it, or find that it is there. Raises a failure that tells what is there now."""
        for _ in range(_ATTEMPTS):
            try:
                return self.plan(candidate).carry_out()
            except ChangedMeanwhile:
                continue
        reason = f"somebody else wrote it {_ATTEMPTS} times while this was being written"
        raise NotDelivered(candidate.subject, reason)

    def plan(self, candidate: Candidate) -> Plan:
        """What writing it takes, after every check; nothing is sent but questions."""
        candidate.check()
        with asking(candidate):
            if candidate.is_block:
                self._check_account(candidate)
                return plan_description(self.github, self.trusts, candidate)
            return self._plan_comment(candidate)

    def _plan_comment(self, candidate: Candidate) -> CommentPlan:
        marker = candidate.marker
        issue = self.github.issue(marker.number)
        is_on = PULL_REQUEST if issue.is_pull_request else ISSUE
        if marker.surface not in (is_on, EITHER):
            sentence = f"{marker.number} is {_article(is_on)}, not {_article(marker.surface)}"
            raise candidate.refused(Problem("wrong-surface", sentence))
        self._check_account(candidate)
        comments = self.github.comments(marker.number, issue.comment_count)
        kept = self._preserved(candidate, comments)
        final = candidate.with_body(kept.body)
        final.check()
        decided = decision.decide(marker, final.body, comments, self.trusts)
        if decided.action == UPDATE and decided.target:
            problems = retirement.check(marker, decided.target.body, final.body)
            if problems:
                raise final.refused(*problems)
        newest = max((comment.id for comment in comments), default=0)
        return CommentPlan(self.github, self.trusts, final, decided, newest, kept.kept)

    def _preserved(self, candidate: Candidate, comments: list[Comment]) -> preserve.Preserved:
        if not candidate.preserve:
            return preserve.Preserved(candidate.body)
        found, _ = trusted(find_all(comments, candidate.marker.literal), self.trusts)
        old = canonical(candidate.marker, found)
        try:
            kept = preserve.preserve(
                candidate.marker, candidate.body, old.body if old else None, self._is_sibling
            )
        except preserve.Forged as forged:
            raise candidate.refused(forged.problem) from None
        if kept.kept and old and is_doubtful(old.body):
            sentence = "what must be carried over holds escapes that gh does not give back"
            raise candidate.refused(Problem("rewritten-by-gh", f"{sentence}; use --no-preserve"))
        return kept

    def _is_sibling(self, identity: int, marker: str) -> bool:
        try:
            comment = self.github.comment(identity)
        except (Absent, Rejected):
            return False
        return carries(comment.body, marker) and self.trusts(comment)

    def _check_account(self, candidate: Candidate) -> None:
        if not self._checked_account:
            problems = account.check(self.github, self.trusts)
            if problems:
                raise candidate.refused(*problems)
            self._checked_account = True


def _article(surface: str) -> str:
    return {ISSUE: "an issue", PULL_REQUEST: "a pull request"}.get(surface, surface)
