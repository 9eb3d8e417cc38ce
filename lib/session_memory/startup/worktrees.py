"""The registry of worktrees, from one call of git, and what it says about a path."""

import time

from session_memory.core import git

HEADS = "refs/heads/"

# Git refuses an option at once.
_REFUSAL_S = 1.0


class Worktree:
    """A record of the registry. ``branch`` is empty when HEAD is detached or the record is bare.

    ``lock`` is the reason for which it is locked, ``""`` when none was given, ``None`` when it is
    not locked.
    """

    __slots__ = ("branch", "is_bare", "is_prunable", "lock", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.branch = ""
        self.is_bare = False
        self.is_prunable = False
        self.lock: str | None = None

    @property
    def is_locked(self) -> bool:
        """Whether somebody wants it to stay."""
        return self.lock is not None


def read(root: str) -> "list[Worktree] | None":
    """The registry as the clone at ``root`` tells it; ``None`` when git gives no answer."""
    began = time.monotonic()
    output = git.run(root, "worktree", "list", "--porcelain", "-z")
    if output is not None:
        return parse(output.decode("utf-8", "surrogateescape"), "\0")
    # Before git 2.36 there is no -z. One that took its time is on a medium that is away.
    if time.monotonic() - began > _REFUSAL_S:
        return None
    output = git.run(root, "worktree", "list", "--porcelain")
    return None if output is None else parse(output.decode("utf-8", "surrogateescape"))


def parse(porcelain: str, end: str = "\n") -> "list[Worktree]":
    """The records of ``porcelain``, whose lines end with ``end``. A malformed one is skipped."""
    found = [_record(record.split(end)) for record in porcelain.split(end + end)]
    return [worktree for worktree in found if worktree]


def is_primary(path: str, registry: "list[Worktree] | None") -> bool:
    """Whether ``path`` is the main worktree, the first of the registry; in doubt it is."""
    return not registry or is_same(path, registry[0].path)


def is_registered(path: str, registry: "list[Worktree]") -> bool:
    """Whether the registry has a record of ``path``."""
    paths = [worktree.path for worktree in registry]
    # The disk is asked last: a worktree may be on a medium that is away.
    return path in paths or any([is_same(path, each) for each in paths])


def is_same(one: str, other: str) -> bool:
    """Whether two paths lead to the same place, links, dots and case aside."""
    return one == other or _folded(one) == _folded(other)


def _folded(path: str) -> str:
    from os.path import realpath

    try:
        path = realpath(path)
    except (OSError, ValueError):
        pass
    return path.replace("\\", "/").rstrip("/").casefold()


def _record(lines: "list[str]") -> "Worktree | None":
    label, _, path = lines[0].lstrip("\n").partition(" ")
    if label != "worktree" or not path:
        return None
    worktree = Worktree(path)
    for line in lines[1:]:
        label, _, value = line.partition(" ")
        if label == "branch" and value.startswith(HEADS):
            worktree.branch = value[len(HEADS) :]
        elif label == "bare":
            worktree.is_bare = True
        elif label == "locked":
            worktree.lock = value
        elif label == "prunable":
            worktree.is_prunable = True
    return worktree
