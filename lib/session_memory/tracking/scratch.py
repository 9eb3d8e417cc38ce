"""Keeping scratch files out of ``git status``: the clone's own list, never a tracked file.

The files are those of agents that write to ``.tmp``, and those that appear when a path of another
system is taken for a relative one.
"""

from session_memory.core import ignore
from session_memory.core.folder import NotOurs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout

PATTERNS = (
    ".tmp/",
    "/[A-Za-z][A-Za-z]sers*",
    "/[A-Za-z]:*",
    "/var*folders*",
    "/[Rr][Uu][Nn][Nn][Ee][Rr]*[Tt][Ee][Mm][Pp]*",
    # State of goal-run worktrees, which lies at their root.
    "/goal-run-active.json",
    "/goal-run-log.jsonl",
)


def ignore_scratch(checkout: "Checkout") -> "list[str]":
    """Add the missing patterns to ``info/exclude`` of the clone, which its worktrees share.

    Returns those that were added. Raises :class:`OSError`, of which :class:`NotOurs` means that
    the clone does not know the checkout, and is not written to.
    """
    if not checkout.ours:
        raise NotOurs("the repository does not know this folder")
    added = ignore.exclude(checkout.common_dir, [pattern.encode() for pattern in PATTERNS])
    return [line.decode() for line in added]
