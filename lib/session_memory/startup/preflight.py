"""Why a worktree must not be removed, whatever is known about its branch."""

PRIMARY = "primary"
LOCKED = "locked"
DIRTY = "dirty"
UNKNOWN = "probe-failed"


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
