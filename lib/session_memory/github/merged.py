"""Pull requests that were merged, with their descriptions."""

from collections.abc import Mapping
from dataclasses import dataclass

from session_memory.github import pages
from session_memory.github.connection import GitHub
from session_memory.github.errors import InvalidAnswer
from session_memory.github.identifiers import is_number
from session_memory.markers.comment import Comment, instant

# Listed from the oldest on, so that what is closed meanwhile comes at the end and shifts nothing.
_CLOSED = "state=closed&sort=created&direction=asc&"


@dataclass(frozen=True)
class MergedPullRequest:
    """``merged_at`` as GitHub tells it; ``description`` is the opening text and whose it is."""

    number: int
    merged_at: str
    description: Comment

    @property
    def merged_s(self) -> float:
        """When it was merged, in seconds since 1970."""
        return instant(self.merged_at) or 0.0


def merged_pull_requests(github: GitHub) -> list[MergedPullRequest]:
    """All merged pull requests of the repository, by ascending number.

    Every page is read to the end; :class:`~session_memory.github.errors.GitHubError` otherwise.
    """
    what = f"listing pull requests of {github.repository}"
    listed = pages.items(github.client, what, f"{github.repository.path}/pulls", _CLOSED)
    merged = [_from_api(item, what) for item in listed if item.get("merged_at")]
    return sorted(merged, key=lambda pull: pull.number)


def _from_api(item: Mapping[str, object], what: str) -> MergedPullRequest:
    number, merged_at = item.get("number"), item.get("merged_at")
    if not isinstance(number, int) or not is_number(number):
        raise InvalidAnswer(what, "a pull request without a number")
    if not isinstance(merged_at, str) or instant(merged_at) is None:
        raise InvalidAnswer(what, "a pull request merged at no time")
    return MergedPullRequest(number, merged_at, Comment.from_api(item))
