"""What the check has to say: cheap facts from local files and refs, in a few lines.

Nothing is fetched and nothing is changed. Whatever cannot be told for sure is left out.
"""

from session_memory.startup import leftovers, refs, worktrees
from session_memory.startup.issue_id import derive_issue_id
from session_memory.startup.wording import counted, listed, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.core.session import Session
    from session_memory.startup.leftovers import Leftovers
    from session_memory.startup.refs import Branch, Refs
    from session_memory.startup.worktrees import Worktree

HEADING = (
    "Start-up check: local facts as of the last fetch; nothing was fetched or changed."
    " Quoted names come from the repository."
)


def compose(session: "Session") -> str:
    """The report, or ``""`` when there is nothing to say."""
    left = leftovers.find(session.root)
    checkout = session.checkout
    lines = _about_checkout(checkout, left) if checkout else [_left(left, set())]
    said = [f"- {line}" for line in lines if line]
    return "\n".join([HEADING, *said]) if said else ""


def _about_checkout(checkout: "Checkout", left: "Leftovers") -> "list[str]":
    linked = worktrees.registered(checkout.common_dir)
    # Three looks at files tell whether git has to be asked at all.
    if not (linked or left.issues or refs.may_have_upstreams(checkout.common_dir)):
        return [_left(left, set())]
    known = refs.read(checkout.root)
    if known is None:
        return [_missing(linked), _left(left, set(left.issues))]
    gone = [branch for branch in known.branches if known.is_gone(branch)]
    merged = worktrees.merged(checkout.root, checkout.common_dir, linked, known)
    return [
        _gone_here(gone, checkout.branch),
        _gone_elsewhere(gone, checkout.branch),
        _merged(merged, known, checkout.branch),
        _missing(linked),
        _left(left, _issues_alive(checkout, known, gone)),
    ]


def _gone_here(gone: "list[Branch]", current: str) -> str:
    for branch in gone:
        if branch.name == current:
            upstream = quoted(refs.short(branch.upstream))
            return (
                f"The current branch {quoted(current)} follows {upstream},"
                " which is gone (`git branch -vv`)."
            )
    return ""


def _gone_elsewhere(gone: "list[Branch]", current: str) -> str:
    names = [quoted(branch.name) for branch in gone if branch.name != current]
    if not names:
        return ""
    what = counted(len(names), "other branch follows", "other branches follow")
    return f"{what} an upstream that is gone: {listed(names)} (`git branch -vv`)."


def _merged(merged: "list[Branch]", known: "Refs", current: str) -> str:
    if not merged:
        return ""
    what = counted(len(merged), "linked worktree has a branch", "linked worktrees have branches")
    places = [
        f"{quoted(branch.name)} "
        + ("(this worktree)" if branch.name == current else f"at {quoted(branch.worktree)}")
        for branch in merged
    ]
    default = quoted(refs.short(known.default))
    return f"{what} with every commit in {default}: {listed(places)} (`git worktree list`)."


def _missing(linked: "list[Worktree]") -> str:
    paths = [quoted(worktree.path) for worktree in linked if worktree.is_missing]
    if not paths:
        return ""
    what = counted(len(paths), "registered worktree has", "registered worktrees have")
    return f"{what} no folder any more: {listed(paths)} (`git worktree list`)."


def _left(left: "Leftovers", alive: "set[int]") -> str:
    """Files of an issue that still has a branch are work, not leftovers."""
    issues = [issue for issue in left.issues if issue not in alive]
    parts = [f"{left.counts[issue]} of issue {issue}" for issue in issues]
    total = sum([left.counts[issue] for issue in issues])
    unnamed = left.counts.get(None, 0)
    if unnamed:
        parts.append(f"{unnamed} without an issue")
        total += unnamed
    if not total:
        return ""
    atleast = "" if left.is_complete else "at least "
    what = counted(total, "tracking file is", "tracking files are")
    folder = leftovers.FOLDER
    return f"{atleast}{what} left in `{folder}`: {listed(parts)} (`ls -R {folder}`)."


def _issues_alive(checkout: "Checkout", known: "Refs", gone: "list[Branch]") -> "set[int]":
    living = [branch.name for branch in known.branches if branch not in gone]
    if checkout.branch not in [branch.name for branch in gone]:
        living.append(checkout.branch)  # it may have no commit yet
    ids = [derive_issue_id(name) for name in [*living, *known.remote_branches]]
    return {issue for issue in ids if issue is not None}
