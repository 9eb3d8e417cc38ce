"""One look at a clone's local refs and worktrees: all that candidates are found in."""

import time

from session_memory.core import git
from session_memory.startup import refs, worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.startup.refs import Branch, Refs
    from session_memory.startup.run import Run
    from session_memory.startup.worktrees import Worktree

_ORIGIN = "refs/remotes/origin/"
_LAST_RESORT = "main"


class Snapshot:
    """What was seen. ``worktrees`` is ``None`` when git did not tell.

    ``compare`` is the remote-tracking ref that stands for the default branch, or ``""`` when there
    is none to compare with.
    """

    def __init__(
        self, checkout: "Checkout", known: "Refs", registry: "list[Worktree] | None", run: "Run"
    ) -> None:
        self.checkout = checkout
        self.root = checkout.root
        self.current = checkout.branch
        self.refs = known
        self.worktrees = registry
        if registry and _is_of_submodule(registry[0], checkout):
            registry[0].path = self.root
        self.default = default_branch(known, registry)
        self.is_primary = worktrees.is_primary(self.root, registry)
        self.is_degraded = bool(registry) and not worktrees.is_registered(self.root, registry or [])
        self._run = run
        self._compare: str | None = None

    @property
    def compare(self) -> str:
        """The remote-tracking ref of the default branch; git may be asked for a setting once."""
        if self._compare is None:
            ref = compare_ref(self.refs, self.default, self._remote_of)
            self._compare = ref if ref in self.refs.tips else ""
        return self._compare

    @property
    def compare_tip(self) -> str:
        """The commit of :attr:`compare`, or ``""``."""
        return self.refs.tips.get(self.compare, "")

    @property
    def remote_default(self) -> "tuple[str, str]":
        """The remote of :attr:`compare`, and what the branch is called there."""
        branch = self.refs.branches.get(self.default)
        if branch and branch.upstream == self.compare and branch.remote_ref:
            return branch.remote, branch.remote_ref[len(refs.HEADS) :]
        rest = self.compare[len(refs.REMOTES) :]
        default = "/" + self.default
        remote = rest[: -len(default)] if rest.endswith(default) else ""
        return remote or "origin", self.default

    @property
    def branch_here(self) -> "Branch | None":
        """The current branch; ``None`` when HEAD is detached or has no commit yet."""
        return self.refs.branches.get(self.current)

    def _remote_of(self, branch: str) -> str:
        self._run.git += 1
        return git.first_line(self.root, "config", "--get", f"branch.{branch}.remote")


def _is_of_submodule(first: "Worktree", checkout: "Checkout") -> bool:
    """Of a submodule, git lists the folder that holds its objects, which is no bare repository."""
    return not first.is_bare and worktrees.is_same(first.path, checkout.common_dir)


def take(checkout: "Checkout", run: "Run") -> "Snapshot | None":
    """Look; ``None`` when git gives no answer, as in the repository of somebody else."""
    began = time.perf_counter()
    try:
        run.git += 1
        known = refs.read(checkout.root)
        if known is None:
            return None
        run.git += 1
        return Snapshot(checkout, known, worktrees.read(checkout.root), run)
    finally:
        run.snapshot_s += time.perf_counter() - began


def default_branch(known: "Refs", registry: "list[Worktree] | None") -> str:
    """The name of the default branch: what ``origin`` says, else what is usual."""
    head = known.remotes.get(_ORIGIN + "HEAD", "")
    if head in known.remotes and head.startswith(_ORIGIN):
        return head[len(_ORIGIN) :]
    for name in ("main", "master"):
        if _ORIGIN + name in known.remotes:
            return name
    return (registry[0].branch if registry else "") or _LAST_RESORT


def compare_ref(known: "Refs", default: str, remote_of: "RemoteOf") -> str:
    """The remote-tracking ref of the branch ``default``, whether it exists or not.

    ``remote_of`` tells which remote the settings give a branch, or ``""``.
    """
    branch = known.branches.get(default)
    upstream = branch.upstream if branch else ""
    if upstream.startswith(refs.REMOTES):
        return upstream
    return f"{refs.REMOTES}{remote_of(default) or 'origin'}/{default}"


if TYPE_CHECKING:
    from typing import Callable

    RemoteOf = Callable[[str], str]
