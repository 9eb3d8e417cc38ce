"""The durable rungs: comments, issue texts and pull-request texts, each with a typed outcome."""

from collections.abc import Callable

from session_memory.github.errors import GitHubError, RepositoryUnknown
from session_memory.markers import account
from session_memory.markers.comment import Comment, instant, latest
from session_memory.markers.families import ISSUE, Marker
from session_memory.markers.selection import find_all
from session_memory.markers.trust import trusted
from session_memory.memory.sources import (
    ABSENT,
    BODY,
    COMMENT,
    FAILED,
    FOUND,
    METRICS,
    NOT_ASKED,
    Source,
)
from session_memory.records.sources import Sources

OFFLINE = "--offline"


class Durable:
    """One repository's conversations, connected to when they are first needed.

    ``connect`` is ``None`` to stay offline. No method raises what GitHub or gh does: that is a
    source that failed, which never means that there is nothing.
    """

    def __init__(self, connect: "Callable[[], Sources] | None") -> None:
        self._connect = connect
        self._sources: Sources | None = None
        self._failure: GitHubError | None = None

    @property
    def offline(self) -> bool:
        """Whether nobody may be asked."""
        return self._connect is None

    @property
    def repository(self) -> str:
        """The repository that was asked, as ``host/owner/name``; "" when there is none."""
        try:
            return str(self.connect().github.repository).lower()
        except GitHubError:
            return ""

    def connect(self) -> Sources:
        """The repository's conversations. Raises :class:`GitHubError`."""
        if self._failure is not None:
            raise self._failure
        if self._sources is None:
            if self._connect is None:
                raise RepositoryUnknown("looking for the repository", OFFLINE)
            try:
                self._sources = self._connect()
            except GitHubError as error:
                self._failure = error
                raise
        return self._sources

    def comment(self, marker: Marker, *, before: str = "", again: bool = False) -> Source:
        """The newest comment that carries ``marker``, of an author who counts.

        With ``before``, an ISO time, only of those that were posted earlier by GitHub's clock.
        ``again`` asks GitHub even if it was asked already.
        """

        def look(sources: Sources) -> Source:
            found = sources.marked(marker.number, ISSUE, again=again)
            carriers = [c for c in find_all(found, marker.literal) if _is_before(c, before)]
            kept, left_out = trusted(carriers, sources.trusts)
            notes = [str(problem) for problem in left_out]
            newest = latest(kept)
            if newest is None:
                reason = f"no comment of issue {marker.number} counts as {marker.family.name}"
                return Source(COMMENT, ABSENT, reason, notes=tuple(notes))
            if len(kept) > 1:
                notes.append(
                    f"{len(kept)} comments carry this marker; {newest.name} is the newest, and the"
                    " next durable write leaves one"
                )
            return Source(COMMENT, FOUND, "", _place(newest), newest.body, tuple(notes))

        return self._ask(COMMENT, look)

    def body(self, issue: int) -> Source:
        """The text of an issue, which is its author's, whoever that is."""

        def look(sources: Sources) -> Source:
            found = sources.github.issue(issue)
            kind = "pull request" if found.is_pull_request else "issue"
            if not found.body.strip():
                return Source(BODY, ABSENT, f"the text of {kind} {issue} is empty")
            by = f"the text of {kind} {issue}, by {found.author or 'a deleted account'}"
            return Source(BODY, FOUND, "", found.html_url or by, found.body, (by,))

        return self._ask(BODY, look)

    def pull_request_body(self, number: int) -> Source:
        """The description of a pull request, if its author may write here, for its metrics."""

        def look(sources: Sources) -> Source:
            found = sources.github.pull_request(number)
            if not account.counts(found.author, sources.trusts):
                reason = f"the description is by {found.author or 'a deleted account'}, who may not"
                return Source(METRICS, ABSENT, f"{reason} write here", found.html_url)
            return Source(METRICS, FOUND, "", found.html_url, found.body)

        return self._ask(METRICS, look)

    def talk(self, number: int, name: str) -> "tuple[Source, list[Comment]]":
        """All comments of a pull request, whoever wrote them, with what came of listing them."""
        listed: list[Comment] = []

        def look(sources: Sources) -> Source:
            listed.extend(sources.github.comments(number))
            return Source(name, FOUND)

        return self._ask(name, look), listed

    def trusts(self, comment: Comment) -> bool:
        """Whether a comment counts. Raises :class:`GitHubError`."""
        return self.connect().trusts(comment)

    def _ask(self, name: str, look: Callable[[Sources], Source]) -> Source:
        if self.offline:
            return Source(name, NOT_ASKED, OFFLINE)
        try:
            return look(self.connect())
        except GitHubError as error:
            # Not found, too: GitHub hides in this way what an account may not see.
            return Source(name, FAILED, str(error))


def _is_before(comment: Comment, before: str) -> bool:
    limit, created = instant(before), instant(comment.created_at)
    return limit is None or (created is not None and created < limit)


def _place(comment: Comment) -> str:
    return comment.html_url or comment.name
