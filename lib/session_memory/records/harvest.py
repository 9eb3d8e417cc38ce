"""Collects the credits of an issue when its pull request is made (SMC-17)."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from session_memory.markers.comment import Comment, latest
from session_memory.markers.families import PORTS, marker
from session_memory.markers.resume import completion_marker
from session_memory.markers.selection import find_all
from session_memory.records import credit_inputs

# The whole conversation of the issue, or None when GitHub could not be asked.
Fetch = Callable[[], "Sequence[Comment] | None"]

CREDITED = "credited"
ALREADY = "already credited"
INCOMPLETE = "phase not complete"
ABSENT = "no credit input"
UNPARSEABLE = "credit input cannot be read"
UNREACHABLE = "GitHub could not be asked"


@dataclass(frozen=True)
class Retry:
    """Asking again, each time after twice as long: GitHub may be slow to show what was posted."""

    times: int = 3
    backoff_s: float = 1.0
    sleep: Callable[[float], None] = time.sleep


DEFAULT_RETRY = Retry()


@dataclass(frozen=True)
class Outcome:
    """What became of one port."""

    port: str
    result: str
    row: dict[str, object] | None = None
    comment: Comment | None = None


@dataclass(frozen=True)
class Harvest:
    """The outcome of every port, in their order; ``reachable`` is ``None`` if nobody asked."""

    outcomes: tuple[Outcome, ...]
    reachable: bool | None
    fetches: int

    @property
    def rows(self) -> list[dict[str, object]]:
        return [outcome.row for outcome in self.outcomes if outcome.row]


def harvest(
    issue: int,
    fetch: Fetch,
    *,
    in_memory: Iterable[str] = (),
    credited: Collection[str] = (),
    retry: Retry = DEFAULT_RETRY,
) -> Harvest:
    """A row for every port whose phase is complete and whose credit input can be read.

    ``in_memory`` holds bodies that this session has just written; ``credited`` names the ports that
    have a row already. The conversation is fetched at most once for all ports, and again, as
    ``retry`` says, while a completed phase lacks its credit input.
    """
    thread = _Thread(issue, fetch, [Comment(0, body) for body in in_memory], set(credited))
    outcomes = thread.outcomes()
    for attempt in range(retry.times):
        if not any(outcome.result == ABSENT for outcome in outcomes) or not thread.reachable:
            break
        retry.sleep(retry.backoff_s * 2**attempt)
        thread.refresh()
        outcomes = thread.outcomes()
    return Harvest(tuple(outcomes), thread.reachable, thread.fetches)


class _Thread:
    """What is in memory and, from the first question on that memory cannot answer, on GitHub."""

    def __init__(self, issue: int, fetch: Fetch, memory: list[Comment], credited: set[str]) -> None:
        self._issue = issue
        self._fetch = fetch
        self._memory = memory
        self._credited = credited
        self._remote: Sequence[Comment] = ()
        self.reachable: bool | None = None
        self.fetches = 0

    def refresh(self) -> None:
        fetched = self._fetch()
        self.fetches += 1
        self.reachable = fetched is not None
        self._remote = fetched or self._remote

    def outcomes(self) -> list[Outcome]:
        return [self._outcome(port) for port in PORTS]

    def _outcome(self, port: str) -> Outcome:
        if port in self._credited:
            return Outcome(port, ALREADY)
        credit = marker("credit-input", self._issue, port).literal
        completion = completion_marker(port, self._issue).literal
        remembered = find_all(self._memory, credit)
        if remembered and find_all(self._memory, completion):
            return self._read(port, remembered[-1])
        if self.reachable is None:
            self.refresh()
        if not find_all([*self._memory, *self._remote], completion):
            # Nobody can be asked, and this session itself wrote the credit: believe it.
            if remembered and not self.reachable:
                return self._read(port, remembered[-1])
            return Outcome(port, INCOMPLETE if self.reachable else UNREACHABLE)
        found = remembered[-1] if remembered else latest(find_all(self._remote, credit))
        if found is None:
            return Outcome(port, ABSENT if self.reachable else UNREACHABLE)
        return self._read(port, found)

    def _read(self, port: str, comment: Comment) -> Outcome:
        parsed = credit_inputs.parse(comment.body)
        if parsed is None or parsed.port != port:
            return Outcome(port, UNPARSEABLE, comment=comment)
        return Outcome(port, CREDITED, parsed.row(completed=True), comment)
