"""What is not worth a line: work that goes on, and what nobody was allowed to ask about."""

from session_memory.startup import candidates, eligibility

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate


def worth_telling(found: "list[Candidate]") -> "list[Candidate]":
    """Those of ``found`` that a report is made for."""
    return [each for each in found if not _is_work(each) and not is_unasked(each)]


def is_unasked(candidate: "Candidate") -> bool:
    """Whether it may have been made a moment ago: a branch that has no commit and follows none.

    GitHub could tell more, and the network is off. A branch that followed one which is gone was
    pushed once, so it is told.
    """
    is_open = candidate.result is not None and candidate.result.reason == eligibility.NETWORK_OFF
    return is_open and not candidate.branch.upstream


def _is_work(candidate: "Candidate") -> bool:
    """Whether the branch is being worked on.

    Commits that change the default branch say so; that the branch which the current one follows is
    gone is told all the same. So does a worktree in which a conversation starts, before its first
    commit.
    """
    result = candidate.result
    if result is None or candidate.category == candidates.CURRENT_BRANCH:
        return False
    if result.outcome == eligibility.DEFINITELY_UNMERGED:
        return True
    has_no_commits = candidate.free is not None and candidate.free.rung == eligibility.NO_COMMITS
    is_here = candidate.category == candidates.CURRENT_WORKTREE
    return is_here and has_no_commits and not result.eligible
