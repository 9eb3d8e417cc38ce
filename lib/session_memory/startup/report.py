"""What was found, in a few lines of plain facts, each with the way to look closer."""

from session_memory.core.quoting import quoted
from session_memory.startup.findings import TRACKING_FOLDER
from session_memory.startup.refs import short
from session_memory.startup.wording import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.findings import Findings

HEADING = (
    "Start-up check: local facts as of the last fetch; nothing was fetched or changed."
    " Quoted names come from the repository."
)


def compose(found: "Findings") -> str:
    """The report on ``found``, which is not empty."""
    facts = (_gone_here, _gone_elsewhere, _merged, _missing, _files)
    lines = [fact(found) for fact in facts]
    return "\n".join([HEADING, *[f"- {line}" for line in lines if line]])


def _gone_here(found: "Findings") -> str:
    for branch in found.gone:
        if branch.name == found.current:
            upstream = quoted(short(branch.upstream))
            return (
                f"The current branch {quoted(branch.name)} follows {upstream},"
                " which is gone (`git branch -vv`)."
            )
    return ""


def _gone_elsewhere(found: "Findings") -> str:
    names = [quoted(branch.name) for branch in found.gone if branch.name != found.current]
    if not names:
        return ""
    what = counted(len(names), "other branch follows", "other branches follow")
    return f"{what} an upstream that is gone: {listed(names)} (`git branch -vv`)."


def _merged(found: "Findings") -> str:
    if not found.merged:
        return ""
    what = counted(
        len(found.merged), "linked worktree has a branch", "linked worktrees have branches"
    )
    places = [
        f"{quoted(branch.name)} "
        + ("(this worktree)" if branch.name == found.current else f"at {quoted(branch.worktree)}")
        for branch in found.merged
    ]
    default = quoted(short(found.default))
    return f"{what} with every commit in {default}: {listed(places)} (`git worktree list`)."


def _missing(found: "Findings") -> str:
    if not found.missing:
        return ""
    what = counted(len(found.missing), "registered worktree has", "registered worktrees have")
    paths = [quoted(path) for path in found.missing]
    return f"{what} no folder any more: {listed(paths)} (`git worktree list`)."


def _files(found: "Findings") -> str:
    if not found.files:
        return ""
    issues = sorted([issue for issue in found.files if issue is not None])
    parts = [f"{found.files[issue]} of issue {issue}" for issue in issues]
    if None in found.files:
        parts.append(f"{found.files[None]} without an issue")
    what = counted(sum(found.files.values()), "tracking file is", "tracking files are")
    bound = "" if found.is_complete else "at least "
    return (
        f"{bound}{what} left in `{TRACKING_FOLDER}`: {listed(parts)} (`ls -R {TRACKING_FOLDER}`)."
    )
