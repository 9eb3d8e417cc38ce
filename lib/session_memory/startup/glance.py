"""A glance at files: whether there can be anything to ask git about.

Most conversations start on the default branch of a clone without branches of agents. That is to be
seen without a process.
"""

from session_memory.core.system import join, native, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout

# Branches that agents make and never push.
CLAUDE = "claude/"
# Branches that are pushed, and deleted on the remote once they are merged.
FEATURE = "feature/issue-"
# Worktrees of unattended runs, which have an owner of their own.
GOAL_RUN = "goal-run/"
PREFIXES = (CLAUDE, FEATURE, GOAL_RUN)

_MAX_CONFIG = 1 << 20
_MAX_PACKED = 8 << 20
_MAX_HEAD = 4096
_HEADS = "refs/heads/"
_ORIGIN = "refs/remotes/origin/"


def may_have_candidates(checkout: "Checkout") -> bool:
    """Whether a branch, a worktree or the current branch can be left over."""
    common = checkout.common_dir
    if not checkout.ours:
        return True
    if exists(join(common, "worktrees")) or exists(join(common, "reftable")):
        return True
    packed = _packed(common)
    if packed is None or _has_agent_branches(common, packed):
        return True
    return not _is_default(checkout, packed) and may_have_upstreams(common)


def may_have_upstreams(common_dir: str) -> bool:
    """Whether the clone's configuration can name an upstream; most scratch repositories cannot."""
    config = (read_file(join(common_dir, "config"), _MAX_CONFIG) or b"").lower()
    return b"[branch" in config or b"[include" in config


def exists(path: str) -> bool:
    """Whether there is anything at ``path``."""
    try:
        native.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _has_agent_branches(common: str, packed: bytes) -> bool:
    for prefix in PREFIXES:
        if exists(join(common, _HEADS + prefix.partition("/")[0])):
            return True
        if f" {_HEADS}{prefix}".encode() in packed:
            return True
    return False


def _is_default(checkout: "Checkout", packed: bytes) -> bool:
    """Whether the current branch is the default one beyond doubt, or there is none."""
    branch, common = checkout.branch, checkout.common_dir
    head = (read_file(join(common, _ORIGIN + "HEAD"), _MAX_HEAD) or b"").strip()
    ref = (_ORIGIN + branch).encode("utf-8", "surrogateescape")
    if head:
        return not branch or head == b"ref: " + ref
    if branch != "main":
        return not branch
    return exists(join(common, _ORIGIN + "main")) or b" " + ref + b"\n" in packed


def _packed(common: str) -> "bytes | None":
    """The packed refs; ``None`` when there are too many to look through."""
    packed = read_file(join(common, "packed-refs"), _MAX_PACKED) or b""
    return None if len(packed) >= _MAX_PACKED else packed
