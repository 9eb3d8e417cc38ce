"""The lines of the report, item by item."""

from session_memory.core.quoting import quoted
from session_memory.startup import candidates, commands, silence, words
from session_memory.startup.detect import TRACKING_FOLDER
from session_memory.startup.limits import CLAUDE_LINES, MAX_LINES
from session_memory.startup.refs import short
from session_memory.startup.wording import MAX_LISTED, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.detect import Findings
    from session_memory.startup.goal_runs import GoalRun

MAX_PATHS = 10

LIST_CLAUDE = "git for-each-ref --format='%(refname:short)' refs/heads/claude/"
ARCHIVE = "session-memory tracking archive"
LIST_BRANCHES = "git branch -vv"


class Shown:
    """Which of the candidates ``told`` get a line. Commands are for all of them."""

    def __init__(self, told: "list[Candidate]") -> None:
        order = (candidates.CURRENT_WORKTREE, candidates.SIBLING, candidates.ORPHAN)
        ranked = [each for category in order for each in told if each.category == category]
        claude = [each for each in ranked if each.is_claude]
        others = [each for each in ranked if not each.is_claude]
        chosen = claude[:CLAUDE_LINES] + others[:MAX_LINES]
        self.candidates = [each for each in ranked if each in chosen]
        self.hidden_claude = len(claude[CLAUDE_LINES:])
        self.hidden_others = len(others[MAX_LINES:])

    def of(self, category: str, ready: "bool | None" = None) -> "list[Candidate]":
        """Those of a category; ``ready`` chooses those with a command or those without."""
        found = [each for each in self.candidates if each.category == category]
        return [each for each in found if ready is None or commands.is_ready(each) is ready]


def compared_with(found: "Findings") -> str:
    """How people call the branch that candidates were compared with."""
    return short(found.seen.compare) if found.seen else ""


def stale(told: "list[Candidate]", found: "Findings", default: str) -> "list[str]":
    """The current branch follows one that is gone."""
    return [
        _stale(each, found, default) for each in told if each.category == candidates.CURRENT_BRANCH
    ]


def _stale(candidate: "Candidate", found: "Findings", default: str) -> str:
    from session_memory.startup.issue_id import derive_issue_id

    upstream = quoted(short(candidate.branch.upstream))
    text = f"- The current branch {quoted(candidate.name)} follows {upstream}, which is gone."
    files = found.files.get(derive_issue_id(candidate.name) or 0)
    if files:
        text += f" It has {counted(len(files), 'tracking file', 'tracking files')}."
    if not commands.is_ready(candidate):
        return f"{text} Not shown to be merged: {words.reason(candidate, default)}."
    text += f" Merged: {_evidence(candidate, default)}."
    if found.seen and not found.seen.is_primary:
        text += " This linked worktree can be removed from another one."
    return text


def here(shown: Shown, default: str) -> "list[str]":
    """The worktree that the conversation is in, which cannot remove itself."""
    return [_here(each, default) for each in shown.of(candidates.CURRENT_WORKTREE)]


def _here(candidate: "Candidate", default: str) -> str:
    text = f"- This worktree's branch {_name(candidate)}"
    if not commands.is_ready(candidate):
        return f"{text} is not shown to be merged: {words.reason(candidate, default)}."
    text += f" is merged: {_evidence(candidate, default)}."
    removal = commands.remove_from_elsewhere(candidate)
    return f"{text} A person can remove it from another worktree: `{removal}`." if removal else text


def ready(shown: Shown, category: str, default: str) -> "list[str]":
    """Candidates of ``category`` that are merged."""
    kind = _KINDS[category]
    return [
        f"- {kind} {_name(each)} is merged: {_evidence(each, default)}."
        for each in shown.of(category, ready=True)
    ]


def undecided(shown: Shown, category: str, default: str) -> "list[str]":
    """Candidates of ``category`` that somebody has to look at."""
    kind = _KINDS[category]
    return [
        f"- {kind} {_name(each)} needs a look: {words.reason(each, default)}."
        for each in shown.of(category, ready=False)
    ]


_KINDS = {candidates.SIBLING: "Worktree of", candidates.ORPHAN: "Branch"}


def _name(candidate: "Candidate") -> str:
    name, worktree = quoted(candidate.name), candidate.worktree
    if candidate.branch.upstream:
        name += f", whose upstream {quoted(short(candidate.branch.upstream))} is gone,"
    if worktree is None or candidate.category == candidates.CURRENT_WORKTREE:
        return name + words.state(worktree)
    return f"{name} at {quoted(worktree.path)}{words.state(worktree)}"


def _evidence(candidate: "Candidate", default: str) -> str:
    return words.evidence(candidate.result, default) if candidate.result else ""


def overflow(shown: Shown) -> "list[str]":
    """How many have no line, and the command that lists them."""
    lines = []
    if shown.hidden_claude:
        more = counted(shown.hidden_claude, "`claude/` branch", "`claude/` branches")
        lines.append(f"- {more} more: `{LIST_CLAUDE}`")
    if shown.hidden_others:
        more = counted(shown.hidden_others, "other branch", "other branches")
        lines.append(f"- {more} more: `{LIST_BRANCHES}`")
    return lines


def tracking(found: "Findings", told_before: "int | None") -> "list[str]":
    """Tracking files of finished issues, and those that name no issue."""
    files = {issue: paths for issue, paths in found.files.items() if issue != told_before}
    lines = [_of_issues(files)] if files else []
    return lines + _untagged(found) if found.untagged else lines


def _of_issues(files: "dict[int, list[str]]") -> str:
    what = counted(sum(map(len, files.values())), "tracking file", "tracking files")
    parts = listed([f"{len(paths)} of issue {issue}" for issue, paths in files.items()])
    chosen = " ".join([f"--issue {issue}" for issue in list(files)[:MAX_LISTED]])
    text = f"- {what} in `{TRACKING_FOLDER}` of issues without a living branch: {parts}"
    return f"{text} (`{ARCHIVE} {chosen}`)."


def _untagged(found: "Findings") -> "list[str]":
    bound = "" if found.is_complete else "At least "
    what = counted(len(found.untagged), "tracking file names", "tracking files name")
    lines = [f"- {bound}{what} no issue, in `{TRACKING_FOLDER}` (`{ARCHIVE} --untagged`):"]
    lines += [f"  - {quoted(path)}" for path in sorted(found.untagged)[:MAX_PATHS]]
    more = len(found.untagged) - MAX_PATHS
    return [*lines, f"  - and {more} more"] if more > 0 else lines


def goal_run(run: "GoalRun") -> str:
    """A line about an unattended run, which is never cleaned up from here."""
    where = f" at {quoted(run.path)}" if run.path else ""
    text = f"- Unattended run {quoted(run.branch)}{where}"
    if run.minutes is None:
        return f"{text} has no state that shows who holds it (unbacked)."
    state = "stale" if run.is_stale else "in flight"
    deferred = "; its teardown was deferred" if run.is_deferred else ""
    return f"{text} is {state}: last heartbeat {run.minutes} min ago{deferred}. Its owner ends it."


def degraded(found: "Findings") -> "list[str]":
    """A folder that the clone does not know as its worktree."""
    if not (found.seen and found.seen.is_degraded):
        return []
    place = f"- This folder, {quoted(found.root)}, is not in `git worktree list`"
    return [f"{place}; nothing was judged from here."]


def network(found: "Findings") -> "list[str]":
    """What could not be asked, and why, if that made a difference."""
    unasked = len([each for each in found.candidates if silence.is_unasked(each)])
    told = silence.worth_telling(found.candidates)
    if found.network == "off" and (unasked or not all([commands.is_ready(each) for each in told])):
        text = "- Remote and GitHub were not asked: the network is off (`startup.network`)."
        if unasked:
            what = counted(unasked, "branch", "branches")
            text += f" {what} without own commits, which may be new, could not be judged."
        return [text]
    if found.network == "failed":
        return ["- The remote did not answer in time; its branches are as of the last fetch."]
    return []
