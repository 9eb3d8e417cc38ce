"""A repository's conversations on GitHub: what the rooms of this package ask of it."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from session_memory.github import pages
from session_memory.github.client import PASSING, Client, Clock, Limits, Request
from session_memory.github.errors import (
    Absent,
    Elsewhere,
    Forbidden,
    GitHubError,
    InvalidAnswer,
    RateLimited,
    Rejected,
    Unconfirmed,
)
from session_memory.github.executable import Executable
from session_memory.github.identifiers import is_login, is_number, page_of
from session_memory.github.issue import Issue
from session_memory.github.repository import Repository
from session_memory.github.rewriting import same_text, unsendable
from session_memory.markers.comment import Comment

_ROLES = frozenset({"admin", "maintain", "write", "triage", "read", "none"})


class GitHub:
    """One repository through one gh. Every method raises :class:`GitHubError` when it fails."""

    def __init__(self, client: Client, repository: Repository) -> None:
        self.client = client
        self.repository = repository
        self._viewer: str | None = None
        self._permissions: dict[str, str] = {}

    @classmethod
    def connect(
        cls,
        repository: Repository,
        progress: Callable[[str], None] | None = None,
        limits: Limits | None = None,
        clock: Clock | None = None,
    ) -> "GitHub":
        """Find gh; nothing is asked of GitHub yet. ``progress`` gets a line for every wait."""
        client = Client(
            Executable.find(), repository.host, limits or Limits(), clock or Clock(),
            progress or _quiet,
        )  # fmt: skip
        return cls(client, repository)

    def issue(self, number: int) -> Issue:
        """An issue or pull request by its number."""
        what = f"reading {self._name(number)}"
        found = Issue.from_api(self._object(Request(what, "GET", self._path("issues", number))))
        _refuse_elsewhere(what, number, found.html_url)
        return found

    def pull_request(self, number: int) -> Issue:
        """A pull request; :class:`Absent` also when the number is an issue's."""
        what = f"reading pull request {self._name(number)}"
        return Issue.from_api(self._object(Request(what, "GET", self._path("pulls", number))))

    def update_pull_request(self, number: int, body: str) -> Issue:
        """Replace the description of a pull request."""
        what = f"updating pull request {self._name(number)}"
        _refuse_unsendable(what, body)
        request = Request(what, "PATCH", self._path("pulls", number), {"body": body})
        return Issue.from_api(self._object(request))

    def comments(self, number: int, expected: int = 0) -> list[Comment]:
        """All comments, by ascending id.

        A listing shorter than ``expected`` (:attr:`Issue.comment_count`) is read once more: GitHub
        may answer from a copy that is a moment old.
        """
        what = f"listing comments of {self._name(number)}"
        path = self._path("issues", number) + "/comments"
        found = pages.items(self.client, what, path)
        if len(found) < expected:
            found = pages.items(self.client, what, path)
        comments = [Comment.from_api(item) for item in found]
        _refuse_elsewhere(what, number, comments[0].html_url if comments else "")
        return comments

    def comment(self, identity: int) -> Comment:
        """A comment by its id; :class:`Absent` when it was deleted."""
        request = Request(f"reading comment {identity}", "GET", self._comment_path(identity))
        return self._comment(request)

    def update_comment(self, identity: int, body: str) -> Comment:
        """Replace a comment's text."""
        what = f"updating comment {identity}"
        _refuse_unsendable(what, body)
        return self._comment(Request(what, "PATCH", self._comment_path(identity), {"body": body}))

    def create_comment(self, number: int, body: str, *, after: int) -> Comment:
        """Post a comment, once.

        ``after`` is the highest id that the conversation had before (0 for none). When an attempt
        seems to fail, a younger comment of this account with the same text is taken for its result;
        only if a listing shows none is it posted again.
        """
        what = f"commenting on {self._name(number)}"
        _refuse_unsendable(what, body)
        path = self._path("issues", number) + "/comments"
        request = Request(what, "POST", path, {"body": body})
        attempt = 1
        while True:
            try:
                return self._comment(request)
            except (*PASSING, InvalidAnswer) as error:
                landed = self._landed(error, attempt, number, body, after)
                if landed is not None:
                    return landed
                if attempt == self.client.limits.attempts:
                    raise
            attempt += 1

    def delete_comment(self, identity: int) -> None:
        """Delete a comment. :class:`Absent` also when it went while an answer was lost."""
        what = f"deleting comment {identity}"
        self.client.send(Request(what, "DELETE", self._comment_path(identity)))

    def viewer(self) -> str:
        """The login of the account that gh uses, asked once; ``""`` for an app's token."""
        if self._viewer is None:
            request = Request("asking who is signed in", "GET", "user")
            try:
                self._viewer = _text(self._object(request).get("login"))
            except Forbidden:
                self._viewer = ""
        return self._viewer

    def permission(self, login: str) -> str:
        """What an account may do here, asked once: ``admin``, ``maintain``, ``write`` … ``none``.

        An account that GitHub does not know may do nothing. Asking takes write access: without it
        this is :class:`Forbidden`, because not knowing is not the same as ``none``.
        """
        key = login.lower()
        if key not in self._permissions:
            self._permissions[key] = self._ask_permission(login)
        return self._permissions[key]

    def _ask_permission(self, login: str) -> str:
        if not is_login(login):
            return "none"
        what = f"asking for the permission of {login}"
        path = f"{self.repository.path}/collaborators/{quote(login)}/permission"
        try:
            answer = self._object(Request(what, "GET", path))
        except Absent:
            return "none"
        except Forbidden as error:
            step = "Sign in with write access, or name the trusted authors in the settings."
            raise Forbidden(what, error.detail, advice=step, status=error.status) from None
        # A custom role has a name of its own; the permission is then the basis that it extends.
        role = _text(answer.get("role_name"))
        return role if role in _ROLES else _text(answer.get("permission"))

    def _landed(
        self, error: GitHubError, attempt: int, number: int, body: str, after: int
    ) -> Comment | None:
        try:
            self.client.wait(error, attempt)
            found = self.comments(number, self.issue(number).comment_count)
            for comment in found:
                if comment.id > after and same_text(body, comment.body) and self._is_own(comment):
                    return comment
        except GitHubError as second:
            # A refused wait raises the first error again; only a rate limit tells that it had no
            # effect.
            if isinstance(second, RateLimited) and second is error:
                raise
            raise Unconfirmed(error.what, f"{error.reason}; {second.reason}") from second
        return None

    def _is_own(self, comment: Comment) -> bool:
        """An app's token cannot ask for its own name, and what it posts is a bot's."""
        viewer = self.viewer()
        return comment.author == viewer if viewer else comment.author_type == "Bot"

    def _object(self, request: Request) -> Mapping[str, object]:
        try:
            value = self.client.send(request).value()
        except ValueError as error:
            raise InvalidAnswer(request.what, str(error)) from None
        if not isinstance(value, Mapping):
            raise InvalidAnswer(request.what, "not an object")
        return value

    def _comment(self, request: Request) -> Comment:
        comment = Comment.from_api(self._object(request))
        if comment.id <= 0:
            raise InvalidAnswer(request.what, "a comment without a number")
        return comment

    def _name(self, number: int) -> str:
        return f"{self.repository}#{number}"

    def _path(self, kind: str, number: int) -> str:
        if not is_number(number):
            raise Rejected(f"reading {kind}", "not a number of an issue or pull request")
        return f"{self.repository.path}/{kind}/{number}"

    def _comment_path(self, identity: int) -> str:
        if not 0 < identity < 1 << 63:
            raise Rejected("reading a comment", "not the id of a comment")
        return f"{self.repository.path}/issues/comments/{identity}"


def _refuse_elsewhere(what: str, number: int, url: str) -> None:
    """Links are followed by gh; a transferred issue has another number, and other markers."""
    page = page_of(url)
    if page and page[1] != number:
        raise Elsewhere(what, f"it is number {page[1]} elsewhere now")


def _refuse_unsendable(what: str, body: str) -> None:
    reason = unsendable(body)
    if reason:
        raise Rejected(what, reason)


def _quiet(_message: str) -> None:
    """Progress that nobody watches."""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
