"""What the clone's files tell about a branch beyond its ref: its reflog, and work in progress."""

from session_memory.core.system import join, native, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.refs import Branch

_MAX_REFLOG = 1 << 20
_MAX_NAME = 4096
_MAX_WORKTREES = 500

# Reflog messages of what makes a commit, as opposed to what moves the branch to an existing one.
_COMMITTING = ("commit", "cherry-pick", "revert", "am")
_MERGE_COMMIT = "Merge made by"

# While one of these is there, HEAD is detached although a branch is being worked on.
_IN_PROGRESS = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")
_HEADS = "refs/heads/"


def ends_in_own_commit(common_dir: str, branch: "Branch") -> bool:
    """Whether the branch's tip was made on the branch, rather than found elsewhere.

    A branch that was made from the default branch a moment ago is contained in it, as is one that
    was merged. Only the reflog tells the difference; where there is none, nothing is claimed.
    """
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


def in_progress(common_dir: str) -> "set[str]":
    """The branches that are being rebased or bisected in any worktree of the clone."""
    folders = [common_dir]
    worktrees = join(common_dir, "worktrees")
    try:
        folders += [join(worktrees, name) for name in native.listdir(worktrees)[:_MAX_WORKTREES]]
    except OSError:
        pass
    names = [_name(join(folder, file)) for folder in folders for file in _IN_PROGRESS]
    return set(names) - {""}


def _name(path: str) -> str:
    text = (read_file(path, _MAX_NAME) or b"").decode("utf-8", "surrogateescape").strip()
    return text.removeprefix(_HEADS)


def _makes_commits(message: str, tip: str) -> bool:
    action = message.partition(":")[0]
    if action.endswith("(finish)"):
        # A rebase that had nothing left to apply ends on the commit it started from.
        return not message.endswith("onto " + tip)
    return action.split(" ")[0] in _COMMITTING or _MERGE_COMMIT in message
