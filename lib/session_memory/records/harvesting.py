"""The harvest of credits from GitHub: only of authors that count, and only once for each port."""

from dataclasses import dataclass

from session_memory.github.errors import GitHubError
from session_memory.markers.comment import Comment
from session_memory.markers.families import ISSUE
from session_memory.markers.problem import Problem
from session_memory.markers.trust import trusted
from session_memory.records import metrics
from session_memory.records.harvest import DEFAULT_RETRY, Harvest, Retry, harvest
from session_memory.records.sources import Sources


@dataclass(frozen=True)
class Collected:
    """A harvest; ``error`` says why GitHub could not be asked, if it could not."""

    harvest: Harvest
    warnings: tuple[Problem, ...] = ()
    error: "GitHubError | None" = None


def collect(
    sources: Sources, issue: int, pull_request: int = 0, *, retry: Retry = DEFAULT_RETRY
) -> Collected:
    """The credits of the issue that the pull request's metrics do not have yet.

    Raises :class:`GitHubError` when the pull request cannot be read: without it a port could be
    credited twice.
    """
    body, warnings = sources.description(pull_request, metrics.HEAD) if pull_request else ("", [])
    thread = _Thread(sources, issue)
    found = harvest(issue, thread.fetch, credited=metrics.read(body).ports, retry=retry)
    return Collected(found, (*warnings, *thread.warnings), thread.error)


class _Thread:
    """The issue's conversation, as it was when it was last asked for."""

    def __init__(self, sources: Sources, issue: int) -> None:
        self._sources = sources
        self._issue = issue
        self.warnings: list[Problem] = []
        self.error: GitHubError | None = None

    def fetch(self) -> list[Comment] | None:
        try:
            marked = self._sources.marked(self._issue, ISSUE, again=True)
            kept, self.warnings = trusted(marked, self._sources.trusts)
        except GitHubError as error:
            self.error = error
            return None
        self.error = None
        return kept
