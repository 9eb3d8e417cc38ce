"""Conversations read from GitHub, each once: what they hold, or that they could not be read."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent, Forbidden, GitHubError, OtherKind
from session_memory.github.identifiers import page_of
from session_memory.markers import account
from session_memory.markers.blocks import blocks
from session_memory.markers.comment import Comment
from session_memory.markers.families import EITHER, ISSUE, PULL_REQUEST, parse
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.markers.trust import WriteAccess

FOUND = "found"
ABSENT = "absent"
FAILED = "failed"

REVIEW = "review"


@dataclass(frozen=True)
class Thread:
    """What came of reading one conversation; ``error`` unless it was found.

    ``comments`` are those that carry a marker of this very issue or pull request on line 1.
    """

    name: str
    outcome: str
    comments: tuple[Comment, ...] = ()
    error: "GitHubError | None" = None

    @property
    def problem(self) -> Problem | None:
        """Why nothing may be concluded from there being no comments."""
        return Problem(f"source-{self.outcome}", str(self.error), self.name) if self.error else None


class Sources:
    """The conversations of one repository, and whose comments count there.

    Comments are chosen by their marker first, so that a stranger's talk costs no question about
    what the stranger may do.
    """

    def __init__(self, github: GitHub, allowed: frozenset[str] = frozenset()) -> None:
        self.github = github
        self.trusts = WriteAccess(github.permission, allowed)
        self._listed: dict[int, list[Comment]] = {}
        self._pull_requests: set[int] = set()

    def trusts_if_known(self, comment: Comment) -> bool:
        """Like ``trusts``; an account of which GitHub would not tell is not trusted."""
        try:
            return self.trusts(comment)
        except Forbidden:
            return False

    def marked(self, number: int, surface: str, *, again: bool = False) -> list[Comment]:
        """The comments of a conversation that carry one of its own markers.

        ``again`` asks GitHub even if it was asked before. Raises :class:`GitHubError`.
        """
        listed = self.conversation(number, surface, again=again)
        return [item for item in listed if _belongs(item, surface, number)]

    def conversation(self, number: int, surface: str, *, again: bool = False) -> list[Comment]:
        """All comments of a conversation, whoever wrote them. The rest is as for ``marked``."""
        if again or number not in self._listed:
            listed = self.github.comments(number)
            self._refuse_other_kind(listed, number, surface)
            self._listed[number] = listed
        return self._listed[number]

    def description(self, pull_request: int, block: str) -> "tuple[str, list[Problem]]":
        """The description of a pull request, and why a ``block`` in it does not count.

        It is empty when an account without write access wrote it. Raises :class:`GitHubError`.
        """
        found = self.github.pull_request(pull_request)
        self._pull_requests.add(pull_request)
        if not blocks(found.body, block) or account.counts(found.author, self.trusts):
            return found.body, []
        sentence = f"its {block} do not count: its author may not write here"
        return "", [Problem("untrusted-author", sentence, f"pull request {pull_request}")]

    def thread(self, number: int, surface: str) -> Thread:
        """The same as a value, failures and all."""
        name = f"{'pull request' if surface == PULL_REQUEST else 'issue'} {number}"
        try:
            return Thread(name, FOUND, tuple(self.marked(number, surface)))
        except GitHubError as error:
            return Thread(name, ABSENT if isinstance(error, Absent) else FAILED, error=error)

    def threads(self, target: Target) -> list[Thread]:
        """The conversations that can hold what is asked for."""
        return [self.thread(number, surface) for number, surface in surfaces(target)]

    def records(self, target: Target) -> list[Comment]:
        """The marked comments of all of them. Raises :class:`GitHubError`."""
        return [item for where in surfaces(target) for item in self.marked(*where)]

    def _refuse_other_kind(self, comments: list[Comment], number: int, surface: str) -> None:
        """An empty answer about the wrong kind would look like a conversation without records."""
        is_pull_request = self._is_pull_request(comments, number)
        if is_pull_request != (surface == PULL_REQUEST):
            raise _other_kind(number, is_pull_request)

    def _is_pull_request(self, comments: list[Comment], number: int) -> bool:
        """Only a conversation without comments, not known otherwise, costs a request."""
        if number in self._pull_requests:
            return True
        page = page_of(comments[0].html_url) if comments else None
        return page[0] if page else self.github.issue(number).is_pull_request


def _other_kind(number: int, is_pull_request: bool) -> OtherKind:
    kind, option = ("a pull request", "--pr") if is_pull_request else ("an issue", "--issue")
    return OtherKind(f"reading {number}", f"it is {kind}", advice=f"Give {option}.")


def surfaces(target: Target) -> Iterable[tuple[int, str]]:
    """Where the target's records are: those of the review phase beside the pull request's talk."""
    if target.issue > 0 and target.phase != REVIEW:
        yield target.issue, ISSUE
    if target.pull_request > 0 and target.phase in ("", REVIEW):
        yield target.pull_request, PULL_REQUEST


def _belongs(comment: Comment, surface: str, number: int) -> bool:
    found = parse(first_line(comment.body))
    return found is not None and found.number == number and found.surface in (surface, EITHER)
