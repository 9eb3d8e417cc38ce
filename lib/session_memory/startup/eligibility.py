"""The ladder of evidence that decides whether a branch is done with.

It is pure: git and GitHub were asked before. Free evidence comes from local objects, paid evidence
from GitHub. Whatever fails leads to *not eligible* with the reason that really applied, never to a
claim.
"""

from session_memory.startup import verdict as verdicts
from session_memory.startup.issue_id import linked_issue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from session_memory.startup.verdict import Verdict

ELIGIBLE = "eligible"
NOT_ELIGIBLE = "not-eligible"
DEFINITELY_UNMERGED = "definitively-unmerged"

UNMERGED_COMMITS = "unmerged-commits"
INCONCLUSIVE = "inconclusive"
NO_ISSUE = "no-issue-id"
ISSUE_OPEN = "issue-open"
GH_UNAVAILABLE = "gh-unavailable"
GH_TIMEOUT = "gh-timeout"
GIT_FAILED = verdicts.FAILED
BUDGET_COUNT = "budget-count"
BUDGET_TIME = "budget-time"
FREE_PHASE = "free-phase-bound"
DEGRADED = "degraded-cwd"
NETWORK_OFF = "network-off"

CONTENT = "content"
PULL_REQUEST = "pr"
ISSUE_CLOSED = "issue-closed"

# All commits are in the default branch, and the last one was made on this branch.
CONTAINED = "commits-contained"

# Where paid evidence starts, in the order in which it is asked for.
UNDECIDED_CONTENT = "rung2"
NO_COMMITS = "rung3"
CONTENT_SAYS_NO = "rung2-negative"
RUNGS = (UNDECIDED_CONTENT, NO_COMMITS, CONTENT_SAYS_NO)

# What a question to GitHub comes to, other than an answer.
NO_MATCH = "no-match"
TIMEOUT = "timeout"
UNAVAILABLE = "unavailable"
OFF = "off"

OPEN = "OPEN"
CLOSED = "CLOSED"

_FAILURES = {TIMEOUT: GH_TIMEOUT, UNAVAILABLE: GH_UNAVAILABLE, OFF: NETWORK_OFF}


class Result:
    """``kind`` and ``signal`` are the evidence, ``reason`` why there is none.

    ``number`` is that of the pull request or issue which is the evidence.
    """

    __slots__ = ("kind", "number", "outcome", "reason", "signal")

    def __init__(
        self, outcome: str, kind: str = "", signal: str = "", number: int = 0, reason: str = ""
    ) -> None:
        self.outcome = outcome
        self.kind = kind
        self.signal = signal
        self.number = number
        self.reason = reason

    @property
    def eligible(self) -> bool:
        return self.outcome == ELIGIBLE


class Free:
    """What local evidence came to: a ``result``, or the ``rung`` where paid evidence starts.

    ``reason`` is what is left to say if that finds nothing.
    """

    __slots__ = ("reason", "result", "rung")

    def __init__(self, result: "Result | None" = None, rung: str = "", reason: str = "") -> None:
        self.result = result
        self.rung = rung
        self.reason = reason


def not_eligible(reason: str) -> Result:
    """No evidence, for ``reason``."""
    return Result(NOT_ELIGIBLE, reason=reason)


def free_evidence(
    unique: "int | None",
    found: "Verdict | None",
    touches_files: "bool | None",
    is_contained: bool = False,
) -> Free:
    """Judge by local evidence.

    ``unique`` is the number of commits that the default branch lacks, and ``None`` when git failed.
    ``touches_files`` tells whether one of them changed a file: all-empty commits are trivially
    merged. ``is_contained`` tells that the last commit was made on this very branch.
    """
    if unique is None:
        return Free(not_eligible(GIT_FAILED))
    if unique == 0:
        if is_contained:
            return Free(Result(ELIGIBLE, CONTENT, CONTAINED))
        return Free(rung=NO_COMMITS, reason=NO_ISSUE)
    if found is None:
        return Free(rung=UNDECIDED_CONTENT, reason=GIT_FAILED)
    if found.kind == verdicts.UNMERGED:
        return Free(rung=CONTENT_SAYS_NO, reason=UNMERGED_COMMITS)
    if found.kind == verdicts.MERGED and touches_files:
        return Free(Result(ELIGIBLE, CONTENT, found.signal))
    failed = touches_files is None if found.kind == verdicts.MERGED else found.signal == GIT_FAILED
    return Free(rung=UNDECIDED_CONTENT, reason=GIT_FAILED if failed else INCONCLUSIVE)


def paid_evidence(
    free: Free, branch: str, pull_request: "int | str", issue_state: "Callable[[int], str]"
) -> Result:
    """Judge what local evidence left open.

    ``pull_request`` is the number of the merged one whose head is the branch's tip, else what the
    question came to. ``issue_state`` is asked only for a branch without commits of its own.
    """
    if isinstance(pull_request, int):
        return Result(ELIGIBLE, PULL_REQUEST, number=pull_request)
    if free.rung == CONTENT_SAYS_NO:
        return unmerged()
    if free.rung == UNDECIDED_CONTENT:
        # Without the network the content is all there is to tell about.
        known = {NO_MATCH: free.reason, OFF: free.reason}
        return not_eligible(known.get(pull_request) or _FAILURES[pull_request])
    if pull_request != NO_MATCH:
        return not_eligible(_FAILURES[pull_request])
    return _by_issue(branch, issue_state)


def denied(free: Free, reason: str) -> Result:
    """The result of a candidate for which ``reason``, a budget, left no question to GitHub."""
    return unmerged() if free.rung == CONTENT_SAYS_NO else not_eligible(reason)


def unmerged() -> Result:
    """The one outcome of which nothing is said."""
    return Result(DEFINITELY_UNMERGED, reason=UNMERGED_COMMITS)


def paid_order(rungs: "list[str]") -> "list[int]":
    """The indexes of ``rungs`` in the order in which they are asked about."""
    return sorted(range(len(rungs)), key=lambda index: RUNGS.index(rungs[index]))


def _by_issue(branch: str, issue_state: "Callable[[int], str]") -> Result:
    issue = linked_issue(branch)
    if issue is None:
        return not_eligible(NO_ISSUE)
    state = issue_state(issue)
    if state == CLOSED:
        return Result(ELIGIBLE, ISSUE_CLOSED, number=issue)
    if state == OPEN:
        return not_eligible(f"{ISSUE_OPEN}:{issue}")
    return not_eligible(_FAILURES.get(state, GH_UNAVAILABLE))
