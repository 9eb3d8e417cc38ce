"""Branches, their upstreams and their worktrees, as one call of git tells from local refs."""

from session_memory.core import git

HEADS = "refs/heads/"
REMOTES = "refs/remotes/"

_FIELDS = (
    "refname",
    "objectname",
    "upstream",
    "upstream:remotename",
    "upstream:remoteref",
    "symref",
)
# A ref holds no NUL. No upstream:track here: it counts commits, which takes seconds in a long
# history.
_FORMAT = "".join([f"%({field})%00" for field in _FIELDS])
_END = b"\0\n"


class Branch:
    """A local branch with the id of its tip.

    ``upstream`` is the full name of the ref that it follows, ``remote`` and ``remote_ref`` are the
    remote and the branch there; all are empty when it follows none.
    """

    __slots__ = ("name", "remote", "remote_ref", "tip", "upstream")

    def __init__(
        self, name: str, tip: str, upstream: str = "", remote: str = "", remote_ref: str = ""
    ) -> None:
        self.name = name
        self.tip = tip
        self.upstream = upstream
        self.remote = remote
        self.remote_ref = remote_ref

    @property
    def ref(self) -> str:
        """The full name."""
        return HEADS + self.name


class Refs:
    """All local branches by name, and the remote-tracking refs.

    ``remotes`` maps each of these to the ref that it is an alias of, ``tips`` to its commit.
    """

    def __init__(
        self, branches: "list[Branch]", remotes: "dict[str, str]", tips: "dict[str, str]"
    ) -> None:
        self.branches = {branch.name: branch for branch in branches}
        self.remotes = remotes
        self.tips = tips
        self._known = {_namespace(ref) for ref in remotes}

    def is_gone(self, branch: Branch) -> bool:
        """Whether the upstream of ``branch`` was there and no longer is.

        A clone of an empty repository names an upstream that was never there. It is told apart by
        its remote, from which nothing was fetched yet.
        """
        upstream = branch.upstream
        if upstream.startswith(REMOTES):
            return upstream not in self.remotes and _namespace(upstream) in self._known
        return upstream.startswith(HEADS) and upstream[len(HEADS) :] not in self.branches

    @property
    def remote_branches(self) -> "list[str]":
        """The names of the remotes' branches, without the remote."""
        return [ref[len(_namespace(ref)) + 1 :] for ref in self.remotes]


def read(root: str) -> "Refs | None":
    """The refs of the repository at ``root``; ``None`` when git gives no answer, or another."""
    output = git.run(root, "for-each-ref", "--format=" + _FORMAT, HEADS, REMOTES)
    if output is None:
        return None
    branches: list[Branch] = []
    remotes: dict[str, str] = {}
    tips: dict[str, str] = {}
    for line in output.split(_END)[:-1]:
        fields = line.decode("utf-8", "surrogateescape").split("\0")
        if len(fields) != len(_FIELDS):
            return None
        name, tip, upstream, remote, remote_ref, target = fields
        if name.startswith(HEADS):
            branches.append(Branch(name[len(HEADS) :], tip, upstream, remote, remote_ref))
        else:
            remotes[name] = target
            tips[name] = tip
    return Refs(branches, remotes, tips)


def short(ref: str) -> str:
    """``ref`` as people call it."""
    for prefix in (HEADS, REMOTES):
        if ref.startswith(prefix):
            return ref[len(prefix) :]
    return ref


def _namespace(ref: str) -> str:
    """``refs/remotes/origin`` for every ref of that remote."""
    return "/".join(ref.split("/", 3)[:3])
