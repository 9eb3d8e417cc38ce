"""Linked worktrees that are done with: merged by local evidence, or without a folder."""

from session_memory.core.system import join, native, parent, read_file
from session_memory.startup import refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.startup.refs import Branch, Refs

_MAX_WORKTREES = 200
_MAX_CANDIDATES = 50
_MAX_PATH = 4096
_MAX_REFLOG = 1 << 20

# Reflog messages of what makes a commit, as opposed to what moves the branch to an existing one.
_COMMITTING = ("commit", "cherry-pick", "revert", "am")
_MERGE_COMMIT = "Merge made by"


class Worktree:
    """A linked worktree as the clone has it registered."""

    __slots__ = ("is_missing", "path")

    def __init__(self, path: str, is_missing: bool) -> None:
        self.path = path
        self.is_missing = is_missing


def registered(common_dir: str) -> "list[Worktree]":
    """The linked worktrees of a clone, from its files alone."""
    folder = join(common_dir, "worktrees")
    try:
        names = sorted(native.listdir(folder))
    except OSError:
        return []
    found = [_read(join(folder, name)) for name in names[:_MAX_WORKTREES]]
    return [worktree for worktree in found if worktree]


def merged(checkout: "Checkout", linked: "list[Worktree]", known: "Refs") -> "list[Branch]":
    """Branches of linked worktrees that have work of their own, all of it in the remote default.

    A branch that was made from the default branch a moment ago is contained in it as well. Its
    reflog tells the difference; where there is none, nothing is claimed.
    """
    folders = {worktree.path for worktree in linked if not worktree.is_missing}
    default = known.default
    candidates = [
        branch
        for branch in known.branches
        if branch.worktree in folders
        and not default.endswith("/" + branch.name)
        and _ends_in_own_commit(checkout.common_dir, branch)
    ]
    if not default or not candidates:
        return []
    names = [branch.name for branch in candidates[:_MAX_CANDIDATES]]
    inside = refs.contained(checkout.root, names, default)
    return [branch for branch in candidates if branch.name in inside]


def _read(entry: str) -> "Worktree | None":
    raw = read_file(join(entry, "gitdir"), _MAX_PATH)
    if not raw or not raw.strip():
        return None
    path = parent(join(entry, raw.decode("utf-8", "surrogateescape").rstrip("\r\n")))
    if "/../" in path:
        from os.path import normpath

        path = normpath(path)
    return Worktree(path, _is_missing(path) and not _exists(join(entry, "locked")))


def _is_missing(path: str) -> bool:
    """Only a clear answer counts: a folder on a medium that fails is not gone."""
    try:
        native.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        pass
    return False


def _exists(path: str) -> bool:
    return not _is_missing(path)


def _ends_in_own_commit(common_dir: str, branch: "Branch") -> bool:
    """Whether the branch's tip was made on the branch, rather than found elsewhere."""
    log = read_file(join(common_dir, "logs/refs/heads/" + branch.name), _MAX_REFLOG) or b""
    if len(log) >= _MAX_REFLOG:
        return False
    for line in reversed(log.decode("utf-8", "replace").split("\n")):
        facts, _, message = line.partition("\t")
        before, _, after = facts[: 2 * len(branch.tip) + 1].partition(" ")
        # A rename leaves the branch where it was.
        if line and before != after:
            return after == branch.tip and _makes_commits(message, branch.tip)
    return False


def _makes_commits(message: str, tip: str) -> bool:
    action = message.partition(":")[0]
    if action.endswith("(finish)"):
        # A rebase that had nothing left to apply ends on the commit it started from.
        return not message.endswith("onto " + tip)
    return action.split(" ")[0] in _COMMITTING or _MERGE_COMMIT in message
