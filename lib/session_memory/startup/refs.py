"""Branches, their upstreams and their worktrees, as one call of git tells from local refs."""

from session_memory.core import git

_HEADS = "refs/heads/"
_REMOTES = "refs/remotes/"

_FIELDS = ("refname", "objectname", "upstream", "symref", "worktreepath")
# A path may hold a line feed, but neither a path nor a ref holds a NUL. No upstream:track here: it
# counts commits, which takes seconds in a long history.
_FORMAT = "".join([f"%({field})%00" for field in _FIELDS])
_END = b"\0\n"


class Branch:
    """A local branch. ``upstream`` is a full ref name; ``worktree`` the folder that holds it."""

    __slots__ = ("name", "tip", "upstream", "worktree")

    def __init__(self, name: str, tip: str, upstream: str, worktree: str) -> None:
        self.name = name
        self.tip = tip
        self.upstream = upstream
        self.worktree = worktree


class Refs:
    """All local branches, and the remote-tracking refs with what they are an alias of."""

    def __init__(self, branches: "list[Branch]", remotes: "dict[str, str]") -> None:
        self.branches = branches
        self.remotes = remotes
        self._names = {_HEADS + branch.name for branch in branches}
        self._known = {_namespace(ref) for ref in remotes}

    def is_gone(self, branch: Branch) -> bool:
        """Whether the upstream of ``branch`` was there and no longer is.

        A clone of an empty repository names an upstream that was never there. It is told apart by
        its remote, from which nothing was fetched yet.
        """
        upstream = branch.upstream
        if upstream.startswith(_REMOTES):
            return upstream not in self.remotes and _namespace(upstream) in self._known
        return upstream.startswith(_HEADS) and upstream not in self._names

    @property
    def default(self) -> str:
        """The remote-tracking ref of the remote's default branch; ``""`` when nothing tells."""
        head = self.remotes.get("refs/remotes/origin/HEAD", "")
        if not head and len(self._known) == 1:
            head = self.remotes.get(next(iter(self._known)) + "/HEAD", "")
        if head:
            return head if head in self.remotes else ""
        usual = ("refs/remotes/origin/main", "refs/remotes/origin/master")
        return next((ref for ref in usual if ref in self.remotes), "")

    @property
    def remote_branches(self) -> "list[str]":
        """The names of the remotes' branches, without the remote."""
        return [ref[len(_namespace(ref)) + 1 :] for ref in self.remotes]


def read(root: str) -> "Refs | None":
    """The refs of the repository at ``root``; ``None`` when git gives no answer, or another."""
    output = git.run(root, "for-each-ref", "--format=" + _FORMAT, _HEADS, _REMOTES)
    if output is None:
        return None
    branches: list[Branch] = []
    remotes: dict[str, str] = {}
    for line in output.split(_END)[:-1]:
        fields = line.decode("utf-8", "surrogateescape").split("\0")
        if len(fields) != len(_FIELDS):
            return None
        name, tip, upstream, target, worktree = fields
        if name.startswith(_HEADS):
            branches.append(Branch(name[len(_HEADS) :], tip, upstream, worktree))
        else:
            remotes[name] = target
    return Refs(branches, remotes)


def contained(root: str, names: "list[str]", ref: str) -> "list[str]":
    """Those of the branches ``names`` whose commits are all in ``ref``, in one call of git."""
    heads = [_HEADS + name for name in names]
    output = git.run(root, "for-each-ref", "--merged=" + ref, "--format=%(refname)", *heads) or b""
    found = {line.decode("utf-8", "surrogateescape") for line in output.split(b"\n")}
    return [name for name in names if _HEADS + name in found]


def short(ref: str) -> str:
    """``ref`` as people call it."""
    for prefix in (_HEADS, _REMOTES):
        if ref.startswith(prefix):
            return ref[len(prefix) :]
    return ref


def _namespace(ref: str) -> str:
    """``refs/remotes/origin`` for every ref of that remote."""
    return "/".join(ref.split("/", 3)[:3])
