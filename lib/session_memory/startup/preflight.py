"""Why a worktree must not be removed, whatever is known about its branch."""

import time

from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.scratch import Scratch

PRIMARY = "primary"
LOCKED = "locked"
DIRTY = "dirty"
UNKNOWN = "probe-failed"

_MAX_LOOKS = 20
_LIMIT_S = 1.0


def removal_preflight(
    primary: bool, locked: bool, prunable: bool, status: "str | None"
) -> "str | None":
    """The reason to leave a worktree alone, or ``None``.

    ``status`` is what ``git status --porcelain`` printed there, and ``None`` when it gave no
    answer. A worktree without a folder has none to give.
    """
    if primary:
        return PRIMARY
    if locked and not prunable:
        return LOCKED
    if prunable:
        return None
    if status is None:
        return UNKNOWN
    return DIRTY if status.strip() else None


def mark_dirty(candidates: "list[Candidate]", scratch: "Scratch", end: float) -> None:
    """See which worktrees of eligible ``candidates`` have changes that are in no commit.

    Where there is no answer in time nothing is claimed: git itself refuses to remove such a one.
    """
    found = [each for each in candidates if each.result and each.result.eligible]
    present = [each for each in found if each.worktree and not each.worktree.is_prunable]
    chosen = present[:_MAX_LOOKS]
    questions = [_question(each) for each in chosen]
    scratch.ask_all(questions, min(end, time.monotonic() + _LIMIT_S), {})
    for candidate, child in zip(chosen, questions):
        status = child.output.decode("utf-8", "replace") if child.succeeded else None
        candidate.dirty = removal_preflight(False, False, False, status) == DIRTY


def _question(candidate: "Candidate") -> Child:
    path = candidate.worktree.path if candidate.worktree else ""
    options = ("-c", "core.fsmonitor=false", "status", "--porcelain", "-z")
    return Child(["git", "-C", path, *options])
