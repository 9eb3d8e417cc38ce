"""Evidence and reasons in words."""

from session_memory.core.quoting import quoted
from session_memory.startup import eligibility as codes
from session_memory.startup import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.eligibility import Result
    from session_memory.startup.worktrees import Worktree

_SIGNALS = {
    codes.CONTAINED: "all its commits are in {default}",
    verdict.SAME_TREE: "its content equals {default}",
    verdict.SAME_BUT_LINE_ENDS: "its content equals {default}, but for line ends",
    verdict.MERGE_CHANGES_NOTHING: "merging it would change nothing in {default}",
}

_REASONS = {
    codes.UNMERGED_COMMITS: "it has changes that {default} does not have",
    codes.INCONCLUSIVE: "comparing it with {default} gives no clear answer",
    codes.NO_ISSUE: "it has no commits of its own, and no issue to ask about",
    codes.ISSUE_OPEN: "it has no commits of its own, and issue {number} is open",
    codes.GH_UNAVAILABLE: "GitHub could not be asked",
    codes.GH_TIMEOUT: "GitHub did not answer in time",
    codes.GIT_FAILED: "git could not compare it with {default}",
    codes.BUDGET_COUNT: "too many branches to ask GitHub about all of them",
    codes.BUDGET_TIME: "the time for asking GitHub was used up",
    codes.FREE_PHASE: "the time for looking at branches was used up",
    codes.DEGRADED: "this folder is not a registered worktree of the clone",
    codes.NETWORK_OFF: "it has no commits of its own, and GitHub, which can tell, was not asked",
}


def evidence(result: "Result", default: str) -> str:
    """What shows that a branch is done with, ``default`` being the branch compared with."""
    if result.kind == codes.PULL_REQUEST:
        return f"pull request {result.number} merged exactly this commit"
    if result.kind == codes.ISSUE_CLOSED:
        return f"it has no commits of its own, and issue {result.number} is closed"
    return _SIGNALS[result.signal].format(default=quoted(default))


def reason(candidate: "Candidate", default: str) -> str:
    """Why nothing shows it, or what stands against it."""
    result = candidate.result
    if result is None:
        return _REASONS[codes.GIT_FAILED].format(default=quoted(default))
    if result.eligible:
        return f"{evidence(result, default)}; the worktree has changes that are in no commit"
    code, _, number = result.reason.partition(":")
    return _REASONS[code].format(default=quoted(default or "the default branch"), number=number)


def state(worktree: "Worktree | None") -> str:
    """``locked`` or ``prunable`` in brackets, or ``""``."""
    if worktree is None:
        return ""
    facts = []
    if worktree.is_locked:
        facts.append(f"locked: {quoted(worktree.lock)}" if worktree.lock else "locked")
    if worktree.is_prunable:
        facts.append("prunable")
    return f" ({', '.join(facts)})" if facts else ""
