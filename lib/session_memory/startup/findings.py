"""Looking around: which looks are worth taking, and what they find.

Most conversations start in a repository where nothing is left over. Three looks at files tell
whether git has to be asked, and every room is loaded only when its look is taken.
"""

from session_memory.core.system import join, native, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.startup.refs import Branch, Refs
    from session_memory.startup.worktrees import Worktree

TRACKING_FOLDER = ".copilot-tracking"

_MAX_CONFIG = 1 << 20


class Findings:
    """What finished work left behind.

    ``gone`` are branches whose upstream is gone, ``merged`` branches of linked worktrees with every
    commit in ``default``, ``missing`` the folders of registered worktrees that are no more,
    ``files`` the numbers of tracking files by issue, with ``None`` for those that name none.
    """

    __slots__ = ("current", "default", "files", "gone", "is_complete", "merged", "missing")

    def __init__(self, current: str) -> None:
        self.current = current
        self.default = ""
        self.gone: list[Branch] = []
        self.merged: list[Branch] = []
        self.missing: list[str] = []
        self.files: dict[int | None, int] = {}
        self.is_complete = True

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.gone or self.merged or self.missing or self.files)


def look(root: str, checkout: "Checkout | None") -> Findings:
    """What is left over in the folder ``root``. Nothing is fetched and nothing is changed.

    Whatever cannot be told for sure is left out.
    """
    found = Findings(checkout.branch if checkout else "")
    if _exists(join(root, TRACKING_FOLDER)):
        from session_memory.startup import leftovers

        found.files, found.is_complete = leftovers.find(join(root, TRACKING_FOLDER))
    if checkout:
        _look_at_refs(found, checkout)
    return found


def may_have_upstreams(common_dir: str) -> bool:
    """Whether the clone's configuration can name an upstream; most scratch repositories cannot."""
    config = (read_file(join(common_dir, "config"), _MAX_CONFIG) or b"").lower()
    return b"[branch" in config or b"[include" in config


def _look_at_refs(found: Findings, checkout: "Checkout") -> None:
    linked = _linked(checkout.common_dir)
    found.missing = [worktree.path for worktree in linked if worktree.is_missing]
    has_issues = bool(found.files.keys() - {None})
    if not (linked or has_issues or may_have_upstreams(checkout.common_dir)):
        return
    from session_memory.startup import refs

    known = refs.read(checkout.root)
    if known:
        found.default = known.default
        found.gone = [branch for branch in known.branches if known.is_gone(branch)]
        found.merged = _merged(checkout, linked, known)
    if has_issues:
        _leave_out_work(found, known)


def _linked(common_dir: str) -> "list[Worktree]":
    if not _exists(join(common_dir, "worktrees")):
        return []
    from session_memory.startup import worktrees

    return worktrees.registered(common_dir)


def _merged(checkout: "Checkout", linked: "list[Worktree]", known: "Refs") -> "list[Branch]":
    if not linked:
        return []
    from session_memory.startup import worktrees

    return worktrees.merged(checkout, linked, known)


def _leave_out_work(found: Findings, known: "Refs | None") -> None:
    """Files of an issue that still has a branch are work; so they are if git does not answer."""
    from session_memory.startup.issue_id import derive_issue_id

    if known is None:
        found.files = {None: found.files[None]} if None in found.files else {}
        return
    gone = [branch.name for branch in found.gone]
    # The current branch may have no commit yet, and then no ref.
    names = [found.current, *[branch.name for branch in known.branches]]
    living = [*[name for name in names if name not in gone], *known.remote_branches]
    for issue in {derive_issue_id(name) for name in living} - {None}:
        found.files.pop(issue, None)


def _exists(path: str) -> bool:
    try:
        native.lstat(path)
    except (OSError, ValueError):
        return False
    return True
