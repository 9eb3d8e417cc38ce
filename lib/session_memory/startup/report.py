"""What was found, in a few lines of plain facts, with the commands for what is merged."""

from session_memory.startup import candidates, commands, items, silence
from session_memory.startup.wording import joined_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.detect import Findings

TITLE = "Start-up check"
QUOTED = "Quoted names come from the repository."

STALE = candidates.CURRENT_BRANCH
HERE = candidates.CURRENT_WORKTREE
TRACKING = "tracking"
SIBLINGS = candidates.SIBLING
ORPHANS = candidates.ORPHAN
SIBLINGS_MANUAL = "sibling-manual"
ORPHANS_MANUAL = "orphan-manual"
OVERFLOW = "overflow"
GOAL_RUNS = "goal-run"
DEGRADED = "degraded-note"
NETWORK = "network-note"

# Bytes for lines and for commands, which together fit into the reply of any host.
_MAX_LINES = 6000
_MAX_COMMANDS = 3000
_MORE_LINES = "- {} lines more: `session-memory startup show`"
_MORE_COMMANDS = "# {} commands more: session-memory startup show"

_SAFE = (
    "Commands for what is merged. Git refuses to remove a worktree with changes, and deletes a"
    " branch only as it was looked at. Files that it ignores go with a worktree."
)
_NOTHING = "Nothing here is shown to be merged, so there is no command to run."


class Report:
    """``sections`` are lines by name, in their order; ``fence`` the commands.

    ``has_merged`` tells that a line calls something merged, whether there is a command or not.
    """

    __slots__ = ("fence", "has_merged", "heading", "sections")

    def __init__(
        self,
        heading: str,
        sections: "dict[str, list[str]]",
        fence: "list[str]",
        has_merged: bool = False,
    ) -> None:
        self.heading = heading
        self.has_merged = has_merged
        self.sections = {name: lines for name, lines in sections.items() if lines}
        self.fence = fence

    @property
    def text(self) -> str:
        """The report as it is injected; ``""`` when there is nothing to say."""
        return self._joined(
            _within(self._lines(), _MAX_LINES, _MORE_LINES),
            _within(self.fence, _MAX_COMMANDS, _MORE_COMMANDS),
        )

    @property
    def whole(self) -> str:
        """The report without a bound to its length."""
        return self._joined(self._lines(), self.fence)

    def _lines(self) -> "list[str]":
        return [line for lines in self.sections.values() for line in lines]

    def _joined(self, lines: "list[str]", fence: "list[str]") -> str:
        return "\n".join([self.heading, *lines, *self._commands(fence)]) if lines else ""

    def _commands(self, fence: "list[str]") -> "list[str]":
        if fence:
            return [_SAFE, "```sh", *fence, "```"]
        if self.has_merged:
            return []
        branches = (STALE, SIBLINGS, ORPHANS, SIBLINGS_MANUAL, ORPHANS_MANUAL)
        return [_NOTHING] if any([name in self.sections for name in branches]) else []


def make(found: "Findings") -> Report:
    """The report on ``found``."""
    if found.is_empty:
        return Report("", {}, [])
    told = silence.worth_telling(found.candidates)
    default = items.compared_with(found)
    shown = items.Shown(told)
    sections = {
        STALE: items.stale(told, found, default),
        HERE: items.here(shown, default),
        TRACKING: items.tracking(found, _stale_issue(told)),
        SIBLINGS: items.ready(shown, SIBLINGS, default),
        ORPHANS: items.ready(shown, ORPHANS, default),
        SIBLINGS_MANUAL: items.undecided(shown, SIBLINGS, default),
        ORPHANS_MANUAL: items.undecided(shown, ORPHANS, default),
        OVERFLOW: items.overflow(shown),
        GOAL_RUNS: [items.goal_run(run) for run in found.goal_runs],
        DEGRADED: items.degraded(found),
        NETWORK: items.network(found),
    }
    fence = commands.clean_up(told, found.seen)
    return Report(_heading(found, sections), sections, fence, any(map(commands.is_ready, told)))


def compose(found: "Findings") -> str:
    """The text of the report on ``found``, or ``""``."""
    return make(found).text


def _stale_issue(told: "list[Candidate]") -> "int | None":
    from session_memory.startup.issue_id import derive_issue_id

    stale = [each for each in told if each.category == STALE]
    return derive_issue_id(stale[0].name) if stale else None


def _heading(found: "Findings", sections: "dict[str, list[str]]") -> str:
    names = {
        "the current branch": sections[STALE],
        "tracking files": sections[TRACKING],
        "this worktree": sections[HERE],
        "other worktrees": sections[SIBLINGS] + sections[SIBLINGS_MANUAL],
        "branches without a worktree": sections[ORPHANS] + sections[ORPHANS_MANUAL],
        "unattended runs": sections[GOAL_RUNS],
    }
    subjects = joined_words([name for name, lines in names.items() if lines])
    asked = " and of remote and GitHub as of now" if found.network == "asked" else ""
    facts = f"Local facts as of the last fetch{asked}; nothing was fetched or changed."
    return f"{TITLE}: {subjects}. {facts} {QUOTED}"


def _within(lines: "list[str]", room: int, more: str) -> "list[str]":
    """As many of ``lines`` as fit into ``room`` bytes, and ``more`` with the number of the rest."""
    for index, line in enumerate(lines):
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0:
            return [*lines[:index], more.format(len(lines) - index)]
    return lines
