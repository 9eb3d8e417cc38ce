"""What a checkout says of itself in files, without a git process.

Only ``HEAD`` is needed: it holds the branch name, or the commit id of a detached checkout. The
inherited ``GIT_DIR`` of a surrounding git hook speaks of another repository and is not consulted
while the folder itself answers.
"""

from session_memory.core.system import (
    base_name,
    environ,
    is_absolute,
    is_folder,
    join,
    native,
    parent,
    read_file,
)

# Commits are identified by a fixed-length prefix; git's own short form grows with the repository.
SHORT_SHA = 12

_MAX_HEAD = 4096
_MAX_DEPTH = 256
_MAX_ALIASES = 5
_REFTABLE_PLACEHOLDER = "refs/heads/.invalid"
_HEX = frozenset("0123456789abcdef")


class Checkout:
    """A work tree: where it is, and what is checked out there.

    ``branch`` is empty when HEAD is detached, ``sha`` when HEAD names a branch. ``common_dir`` is
    the folder that linked worktrees share.
    """

    __slots__ = ("branch", "common_dir", "root", "sha")

    def __init__(self, root: str, common_dir: str, branch: str = "", sha: str = "") -> None:
        self.root = root
        self.common_dir = common_dir
        self.branch = branch
        self.sha = sha

    @property
    def shared_root(self) -> str:
        """The main work tree, which every linked worktree of a clone shares.

        A bare main repository and a submodule have none; there it is the checkout's own root.
        """
        if base_name(self.common_dir) != ".git":
            return self.root
        return parent(self.common_dir)


def locate(cwd: str) -> "Checkout | None":
    """The checkout that holds ``cwd``, or ``None`` outside any."""
    folder = cwd
    for _ in range(_MAX_DEPTH):
        marker = join(folder, ".git")
        if read_file(join(marker, "HEAD"), 1) is not None:
            return _read(folder, marker, marker)
        pointer = read_file(marker, _MAX_HEAD)
        if pointer is not None and pointer.startswith(b"gitdir:"):
            return _linked(folder, marker, _decode(pointer[7:]))
        above = parent(folder)
        if above == folder:
            break
        folder = above
    return _from_environment(cwd)


def short(sha: str) -> str:
    """The prefix of a commit id that stands for it in keys."""
    return sha[:SHORT_SHA]


def _linked(root: str, marker: str, target: str) -> "Checkout | None":
    """A linked worktree or a submodule, whose ``.git`` is a file."""
    git_dir = join(root, target)
    if read_file(join(git_dir, "HEAD"), 1) is None:
        return None
    shared = read_file(join(git_dir, "commondir"), _MAX_HEAD)
    if shared is None:
        return _read(root, git_dir, git_dir)
    # git keeps the way back. Without it, a planted .git file could send our state elsewhere.
    back = _decode(read_file(join(git_dir, "gitdir"), _MAX_HEAD) or b"")
    if not _same_file(join(git_dir, back), marker):
        return _read(root, git_dir, git_dir)
    return _read(root, git_dir, _resolve(join(git_dir, _decode(shared))))


def _read(root: str, git_dir: str, common_dir: str) -> Checkout:
    head_path = join(git_dir, "HEAD")
    head = _decode(read_file(head_path, _MAX_HEAD) or b"")
    if _is_sha(head):
        head = _link_target(head_path) or head
    if head == "ref: " + _REFTABLE_PLACEHOLDER:
        return _ask_git(root, common_dir)
    return _follow(root, common_dir, head)


def _follow(root: str, common_dir: str, head: str) -> Checkout:
    """Follow an alias as git does: HEAD may name a symbolic ref."""
    ref = ""
    for _ in range(_MAX_ALIASES):
        if not head.startswith("ref:"):
            break
        ref = head[4:].strip()
        head = _decode(read_file(join(common_dir, ref), _MAX_HEAD) or b"") if _is_ref(ref) else ""
    branch = ref[len("refs/heads/") :] if ref.startswith("refs/heads/") else ""
    # A branch that is really called HEAD looks like a detached one to every other tool.
    if branch == "HEAD":
        branch = ""
    return Checkout(root, common_dir, branch, "" if branch or not _is_sha(head) else head)


def _ask_git(root: str, common_dir: str) -> Checkout:
    """The reftable format keeps HEAD where only git can read it."""
    from session_memory.core import git

    branch = git.first_line(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    if branch:
        return Checkout(root, common_dir, branch)
    sha = git.first_line(root, "rev-parse", "--verify", "--quiet", "HEAD")
    return Checkout(root, common_dir, "", sha)


def _from_environment(cwd: str) -> "Checkout | None":
    """A work tree whose repository is elsewhere, as inherited variables tell."""
    work_tree, git_dir = environ("GIT_WORK_TREE"), environ("GIT_DIR")
    if not (is_absolute(work_tree) and is_absolute(git_dir) and is_folder(git_dir)):
        return None
    work_tree = work_tree.rstrip("/") or "/"
    if not (cwd + "/").startswith(work_tree.rstrip("/") + "/"):
        return None
    return _read(work_tree, git_dir, git_dir)


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape").strip()


def _is_sha(text: str) -> bool:
    return len(text) in (40, 64) and _HEX.issuperset(text)


def _is_ref(ref: str) -> bool:
    return ref.startswith("refs/") and ".." not in ref and "\0" not in ref


def _link_target(path: str) -> str:
    """HEAD as a symbolic link, the oldest form of all."""
    try:
        target = native.readlink(path)
    except (OSError, ValueError):
        return ""
    return "ref: " + target if target.startswith("refs/") else ""


def _same_file(one: str, other: str) -> bool:
    try:
        a, b = native.stat(one), native.stat(other)
    except (OSError, ValueError):
        return False
    return (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)


def _resolve(path: str) -> str:
    """``path`` without ``..`` components, links followed where there are any."""
    if "/.." not in path and "\\.." not in path:
        return path
    from os.path import realpath

    return realpath(path)
