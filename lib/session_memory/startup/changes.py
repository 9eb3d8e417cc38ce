"""Changes in worktrees that are in no commit, and so would be lost with them."""

import time

from session_memory.startup.preflight import removal_preflight
from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.scratch import Scratch

_MAX_LOOKS = 20
_LIMIT_S = 1.0


def look(candidates: "list[Candidate]", scratch: "Scratch", end: float) -> None:
    """See what is in the way of removing the worktrees of eligible ``candidates``.

    Where git gives no answer in time nothing is claimed: it refuses by itself to remove a worktree
    with changes.
    """
    found = [each for each in candidates if each.result and each.result.eligible]
    chosen = [(each, each.worktree) for each in found if each.worktree][:_MAX_LOOKS]
    questions = [_question(worktree.path) for _, worktree in chosen]
    scratch.ask_all(questions, min(end, time.monotonic() + _LIMIT_S), {})
    for (candidate, worktree), child in zip(chosen, questions):
        status = child.output.decode("utf-8", "replace") if child.succeeded else None
        candidate.obstacle = removal_preflight(
            False, worktree.is_locked, worktree.is_prunable, status
        )


def _question(path: str) -> Child:
    options = ("-c", "core.fsmonitor=false", "status", "--porcelain", "-z")
    return Child(["git", "-C", path, *options])
