"""What a checkout says of itself in files, without a git process.

Only ``HEAD`` is needed: it holds the branch name, or the commit id of a detached checkout. The
inherited ``GIT_DIR`` of a surrounding git hook speaks of another repository and is not consulted
while the folder itself answers.
"""

from session_memory.core.system import (
    WINDOWS,
    base_name,
    environ,
    is_absolute,
    is_folder,
    is_regular,
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
    the folder that linked worktrees share. Only when it is ``ours``, that is ``.git`` of the root
    or a clone that has the root registered as its worktree, may anything be written there.
    """

    __slots__ = ("branch", "common_dir", "ours", "root", "sha")

    def __init__(
        self, root: str, common_dir: str, branch: str = "", sha: str = "", ours: bool = True
    ) -> None:
        self.root = root
        self.common_dir = common_dir
        self.branch = branch
        self.sha = sha
        self.ours = ours

    @property
    def shared_root(self) -> str:
        """The main work tree, which every linked worktree of a clone shares.

        A bare main repository and a submodule have none; there it is the checkout's own root.
        """
        if self.ours and base_name(self.common_dir) == ".git":
            return parent(self.common_dir)
        return self.root


def locate(cwd: str) -> "Checkout | None":
    """The checkout that holds the absolute path ``cwd``, or ``None`` outside any."""
    found = _walk_up(_without_dots(cwd))
    if found is None and _passes_a_link(cwd):
        found = _walk_up(_resolve(cwd))
    return found or _from_environment(cwd)


def short(sha: str) -> str:
    """The prefix of a commit id that stands for it in keys."""
    return sha[:SHORT_SHA]


def _walk_up(folder: str) -> "Checkout | None":
    for _ in range(_MAX_DEPTH):
        marker = join(folder, ".git")
        if _has_head(marker) and _has_store(marker):
            return _read(folder, marker, marker)
        pointer = read_file(marker, _MAX_HEAD)
        if pointer is not None and pointer.startswith(b"gitdir:"):
            return _linked(folder, marker, _decode(pointer[7:]))
        above = parent(folder)
        if above == folder:
            break
        folder = above
    return None


def _linked(root: str, marker: str, target: str) -> "Checkout | None":
    """A linked worktree or a submodule, whose ``.git`` is a file."""
    git_dir = _without_dots(join(root, target))
    if not _has_head(git_dir):
        return None
    shared = _decode(read_file(join(git_dir, "commondir"), _MAX_HEAD) or b"")
    if not shared:
        return _read(root, git_dir, git_dir, ours=False) if _has_store(git_dir) else None
    # What git itself writes needs no look at the disk.
    if shared == "../.." and base_name(parent(git_dir)) == "worktrees":
        common = parent(parent(git_dir))
    else:
        common = _without_dots(join(git_dir, shared))
    if not (_has_head(common) and _has_store(common)):
        return None
    if not _is_registered(common, git_dir, marker):
        return _read(root, git_dir, git_dir, ours=False)
    return _read(root, git_dir, common)


def _is_registered(common: str, git_dir: str, marker: str) -> bool:
    """Whether the clone itself, and not only the ``.git`` file, says that they belong together.

    Whoever planted the file chose ``git_dir``, and with it everything that is written there. But
    only who may write to the clone can make an entry in its ``worktrees``, and the entry names the
    one ``.git`` file that it is for.
    """
    entries = join(common, "worktrees")
    if parent(git_dir) != entries and not is_same_file(parent(git_dir), entries):
        return False
    back = _decode(read_file(join(git_dir, "gitdir"), _MAX_HEAD) or b"")
    return bool(back) and _is_file_itself(marker) and is_same_file(join(git_dir, back), marker)


def _read(root: str, git_dir: str, common_dir: str, ours: bool = True) -> Checkout:
    head_path = join(git_dir, "HEAD")
    head = _decode(read_file(head_path, _MAX_HEAD) or b"")
    if not head.startswith("ref:"):
        head = _link_target(head_path) or head
    if head == "ref: " + _REFTABLE_PLACEHOLDER:
        branch, sha = _ask_git(root, git_dir)
    else:
        branch, sha = _follow(common_dir, head)
    return Checkout(root, common_dir, branch, sha, ours)


def _follow(common_dir: str, head: str) -> "tuple[str, str]":
    """Branch and commit id; an alias is followed as git does: HEAD may name a symbolic ref."""
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
    return branch, "" if branch or not _is_sha(head) else head


def _ask_git(root: str, git_dir: str) -> "tuple[str, str]":
    """The reftable format keeps HEAD where only git can read it."""
    from session_memory.core import git

    known = "--git-dir=" + git_dir
    branch = git.first_line(root, known, "symbolic-ref", "--quiet", "--short", "HEAD")
    if branch and branch != "HEAD":
        return branch, ""
    return "", git.first_line(root, known, "rev-parse", "--verify", "--quiet", "HEAD")


def _from_environment(cwd: str) -> "Checkout | None":
    """A work tree whose repository is elsewhere, as inherited variables tell."""
    work_tree, git_dir = environ("GIT_WORK_TREE"), environ("GIT_DIR")
    if not (is_absolute(work_tree) and is_absolute(git_dir) and is_folder(git_dir)):
        return None
    work_tree = work_tree.rstrip("/") or "/"
    if not (cwd + "/").startswith(work_tree.rstrip("/") + "/"):
        return None
    return _read(work_tree, git_dir, git_dir, ours=False)


def _has_head(git_dir: str) -> bool:
    head = join(git_dir, "HEAD")
    return read_file(head, 1) is not None or bool(_link_target(head))


def _has_store(git_dir: str) -> bool:
    """The rest of what git demands of a repository; a lone ``HEAD`` is somebody's file."""
    return is_folder(join(git_dir, "objects")) and is_folder(join(git_dir, "refs"))


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape").strip()


def _is_sha(text: str) -> bool:
    return len(text) in (40, 64) and _HEX.issuperset(text)


def _is_ref(ref: str) -> bool:
    return ref.startswith("refs/") and ".." not in ref and "\0" not in ref


def _link_target(path: str) -> str:
    """HEAD as a symbolic link, the oldest form of all."""
    target = _read_link(path)
    return "ref: " + target if target.startswith("refs/") else ""


def _read_link(path: str) -> str:
    try:
        return native.readlink(path)
    except (OSError, ValueError):
        return ""


def _passes_a_link(path: str) -> bool:
    for _ in range(_MAX_DEPTH):
        if _read_link(path):
            return True
        above = parent(path)
        if above == path:
            break
        path = above
    return False


def _is_file_itself(path: str) -> bool:
    """A link to the ``.git`` file of another work tree, of either kind, is not that file."""
    try:
        facts = native.lstat(path)
    except (OSError, ValueError):
        return False
    return is_regular(facts.st_mode) and facts.st_nlink == 1


def is_same_file(one: str, other: str) -> bool:
    """Whether both paths lead to one file or folder, by device and inode."""
    try:
        a, b = native.stat(one), native.stat(other)
    except (OSError, ValueError):
        return False
    return (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)


def _without_dots(path: str) -> str:
    """``path`` in one spelling; the disk is asked only if it holds ``..``, ``.`` or ``//``."""
    probe = (path.replace("\\", "/") if WINDOWS else path) + "/"
    if "/../" in probe or "/./" in probe or "//" in probe[:-1]:
        return _resolve(path)
    return path.rstrip("/") or path


def _resolve(path: str) -> str:
    from os.path import realpath

    try:
        return realpath(path)
    except (OSError, ValueError):
        return path
