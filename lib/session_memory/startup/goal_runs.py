"""Worktrees of unattended runs: who still holds them is told by a file in them."""

import time

from session_memory.core.json_text import parse_object
from session_memory.core.system import O_NOFOLLOW, READ_FLAGS, is_regular, join, native, read_fd
from session_memory.startup.glance import GOAL_RUN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.snapshot import Snapshot

STATE_FILE = "goal-run-active.json"
STALE_MINUTES = 60

_MAX_STATE = 64 << 10


class GoalRun:
    """A goal-run branch. ``path`` is empty without a worktree.

    ``minutes`` is the age of the last heartbeat, ``None`` for one that nothing backs.
    """

    __slots__ = ("branch", "is_deferred", "minutes", "path")

    def __init__(
        self, branch: str, path: str = "", minutes: "int | None" = None, is_deferred: bool = False
    ) -> None:
        self.branch = branch
        self.path = path
        self.minutes = minutes
        self.is_deferred = is_deferred

    @property
    def is_stale(self) -> bool:
        """Whether the last heartbeat is too old for a run in flight."""
        return self.minutes is not None and self.minutes > STALE_MINUTES


def find(seen: "Snapshot") -> "list[GoalRun]":
    """The goal-run worktrees beside this one, and goal-run branches without a worktree."""
    registry = seen.worktrees
    if registry is None:
        return []
    now = time.time()
    held = {worktree.branch for worktree in registry} | {seen.current}
    runs = [
        _read(worktree.branch, worktree.path, now)
        for worktree in registry[1:]
        if worktree.branch.startswith(GOAL_RUN) and worktree.branch != seen.current
    ]
    names = [name for name in seen.refs.branches if name.startswith(GOAL_RUN) and name not in held]
    return runs + [GoalRun(name) for name in names]


def _read(branch: str, path: str, now: float) -> GoalRun:
    state = _state(join(path, STATE_FILE))
    heartbeat = state.get("heartbeat_at")
    beat = _seconds(heartbeat) if isinstance(heartbeat, str) else None
    if beat is None:
        return GoalRun(branch, path)
    minutes = max(0, int((now - beat + 59) // 60))
    return GoalRun(branch, path, minutes, state.get("teardown_deferred") is True)


def _state(path: str) -> "dict[str, object]":
    try:
        if not is_regular(native.lstat(path).st_mode):
            return {}
        fd = native.open(path, READ_FLAGS | O_NOFOLLOW)
    except (OSError, ValueError):
        return {}
    try:
        return parse_object(read_fd(fd, _MAX_STATE).decode("utf-8-sig"))
    except (OSError, ValueError):
        return {}
    finally:
        native.close(fd)


def _seconds(text: str) -> "float | None":
    """An ISO time as seconds since 1970; one without a zone is taken as UTC.

    Its fraction of a second is left out: Python before 3.11 reads some lengths of it only.
    """
    from datetime import datetime, timezone

    whole, _, rest = text.strip().replace("Z", "+00:00").partition(".")
    try:
        moment = datetime.fromisoformat(whole + rest.lstrip("0123456789"))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    try:
        return moment.timestamp()
    except (OverflowError, ValueError):
        return None
