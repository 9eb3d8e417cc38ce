"""Branches and worktrees that may be left over, by their shape alone."""

from session_memory.startup.glance import CLAUDE, FEATURE, GOAL_RUN
from session_memory.startup.preflight import DIRTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from session_memory.startup.eligibility import Free, Result
    from session_memory.startup.refs import Branch
    from session_memory.startup.snapshot import Snapshot
    from session_memory.startup.worktrees import Worktree

CURRENT_BRANCH = "stale-branch"
CURRENT_WORKTREE = "current-worktree"
SIBLING = "sibling"
ORPHAN = "orphan"

_BUDGETS = {CURRENT_BRANCH: "current", CURRENT_WORKTREE: "current"}


class Candidate:
    """A branch that may be done with, in its ``worktree`` if it has one.

    ``result`` is what the evidence came to, ``free`` what local evidence left open, ``obstacle``
    what is in the way of removing the worktree, ``hides_untracked`` that git's settings may
    make it overlook new files there.
    """

    __slots__ = (
        "branch", "category", "free", "hides_untracked", "obstacle", "result", "worktree",
    )  # fmt: skip

    def __init__(self, category: str, branch: "Branch", worktree: "Worktree | None" = None) -> None:
        self.category = category
        self.branch = branch
        self.worktree = worktree
        self.free: Free | None = None
        self.result: Result | None = None
        self.obstacle: str | None = None
        self.hides_untracked = False

    @property
    def name(self) -> str:
        """The branch's name."""
        return self.branch.name

    @property
    def is_claude(self) -> bool:
        """Whether an agent made the branch."""
        return self.name.startswith(CLAUDE)

    @property
    def is_dirty(self) -> bool:
        """Whether the worktree has changes that are in no commit."""
        return self.obstacle == DIRTY

    @property
    def budget(self) -> str:
        """The category that evidence from GitHub is charged to."""
        return _BUDGETS.get(self.category, self.category)


def discover(
    seen: "Snapshot", is_missing: "Callable[[Branch], bool]", busy: "set[str]"
) -> "list[Candidate]":
    """All candidates. ``is_missing`` tells that the branch that one follows is gone.

    ``busy`` are branches that work is in progress on although no worktree shows them.
    """
    found = [_current(seen, is_missing), *_siblings(seen, is_missing)]
    if seen.worktrees is not None:
        found += _orphans(seen, is_missing, busy)
    return [each for each in found if each and each.name not in busy and not _is_held(each)]


def _is_held(candidate: Candidate) -> bool:
    """Whether the branch is of an unattended run, whose owner ends it."""
    return candidate.name.startswith(GOAL_RUN)


def follows_a_remote(seen: "Snapshot") -> "list[Branch]":
    """The branches about which a remote would be asked."""
    branches = seen.refs.branches.values()
    shaped = [branch for branch in branches if branch.name.startswith(FEATURE)]
    here = seen.branch_here
    if here and here.name != seen.default and not here.name.startswith(FEATURE):
        shaped.append(here)
    return [branch for branch in shaped if branch.upstream and branch.name != seen.default]


def _current(seen: "Snapshot", is_missing: "Callable[[Branch], bool]") -> "Candidate | None":
    branch = seen.branch_here
    if branch is None or branch.name == seen.default:
        return None
    if branch.upstream:
        return Candidate(CURRENT_BRANCH, branch) if is_missing(branch) else None
    if seen.is_degraded or seen.is_primary or not _is_unpushed(seen, branch):
        return None
    registry = seen.worktrees or []
    here = [each for each in registry if each.branch == branch.name]
    return Candidate(CURRENT_WORKTREE, branch, here[0] if here else None)


def _siblings(seen: "Snapshot", is_missing: "Callable[[Branch], bool]") -> "list[Candidate]":
    found = []
    for worktree in (seen.worktrees or [])[1:]:
        branch = seen.refs.branches.get(worktree.branch)
        if branch is None or worktree.is_bare or branch.name in (seen.default, seen.current):
            continue
        if _is_left(seen, branch, is_missing):
            found.append(Candidate(SIBLING, branch, worktree))
    return found


def _orphans(
    seen: "Snapshot", is_missing: "Callable[[Branch], bool]", busy: "set[str]"
) -> "list[Candidate]":
    attached = {worktree.branch for worktree in seen.worktrees or []} | {seen.current} | busy
    return [
        Candidate(ORPHAN, branch)
        for branch in seen.refs.branches.values()
        if branch.name not in attached
        and branch.name != seen.default
        and _is_left(seen, branch, is_missing)
    ]


def _is_left(seen: "Snapshot", branch: "Branch", is_missing: "Callable[[Branch], bool]") -> bool:
    if branch.upstream:
        return branch.name.startswith(FEATURE) and is_missing(branch)
    return _is_unpushed(seen, branch)


def _is_unpushed(seen: "Snapshot", branch: "Branch") -> bool:
    """An agent's own branch, if there is a default branch to compare it with."""
    return branch.name.startswith(CLAUDE) and not branch.upstream and bool(seen.compare)
