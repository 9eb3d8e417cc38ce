"""The start-up check: what is left over in a checkout, and what shows that it is done with."""

from session_memory.core.system import join
from session_memory.startup import NOT_NEEDED, glance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from session_memory.core.checkout import Checkout
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.goal_runs import GoalRun
    from session_memory.startup.leftovers import Leftovers
    from session_memory.startup.run import Run
    from session_memory.startup.snapshot import Snapshot

TRACKING_FOLDER = ".copilot-tracking"


class Findings:
    """What finished work left behind, with the evidence.

    ``files`` are the issues whose tracking files are left, with the files; ``untagged`` are files
    that name no issue. ``network`` tells what became of asking remote and GitHub,
    ``run`` what it cost if git was asked.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.candidates: list[Candidate] = []
        self.files: dict[int, list[str]] = {}
        self.untagged: list[str] = []
        self.is_complete = True
        self.goal_runs: list[GoalRun] = []
        self.seen: Snapshot | None = None
        self.run: Run | None = None
        self.network = NOT_NEEDED

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        if self.files or self.untagged or self.goal_runs:
            return False
        if not self.candidates:
            return True
        from session_memory.startup import silence

        return not silence.worth_telling(self.candidates)


def look(
    root: str,
    checkout: "Checkout | None",
    allowed: "Callable[[], bool]",
    seconds: "float | None" = None,
) -> Findings:
    """What is left over in the folder ``root``, found within ``seconds`` or the time of a hook.

    ``allowed`` is asked whether the network may be used, if it comes to that. Nothing is fetched
    and nothing is changed; whatever cannot be told for sure is left out or said to be unsure.
    """
    found = Findings(root)
    files = _files(root)
    if files:
        found.untagged, found.is_complete = files.untagged, files.is_complete
    issues = files.issues if files else []
    if checkout and (issues or glance.may_have_candidates(checkout)):
        from session_memory.startup import snapshot
        from session_memory.startup.run import Run

        found.run = Run(allowed, seconds)
        found.seen = snapshot.take(checkout, found.run)
    if found.seen and found.run:
        left = _look_closer(found, found.seen, issues, found.run)
        found.files = {issue: files.by_issue[issue] for issue in left} if files else {}
    return found


def _files(root: str) -> "Leftovers | None":
    folder = join(root, TRACKING_FOLDER)
    if not glance.exists(folder):
        return None
    from session_memory.startup import leftovers

    return leftovers.find(folder)


def _look_closer(found: Findings, seen: "Snapshot", issues: "list[int]", run: "Run") -> "list[int]":
    """Fill ``found`` with what git knows; which of the tracked ``issues`` are finished."""
    from session_memory.startup import candidates, reflog

    if any([name.startswith(glance.GOAL_RUN) for name in seen.refs.branches]):
        from session_memory.startup import goal_runs

        found.goal_runs = goal_runs.find(seen)
    busy = reflog.in_progress(seen.checkout.common_dir)
    shaped = candidates.discover(seen, seen.refs.is_gone, busy)
    if seen.is_degraded:
        found.candidates = _unjudged(shaped)
        return []
    if not (shaped or issues or (candidates.follows_a_remote(seen) and run.allowed)):
        return []
    from session_memory.startup.inquiry import Inquiry

    inquiry = Inquiry(seen, busy, run)
    try:
        found.candidates = inquiry.judge(shaped, issues)
        return inquiry.finished(issues)
    finally:
        found.network = inquiry.network
        inquiry.close()


def _unjudged(shaped: "list[Candidate]") -> "list[Candidate]":
    """Without knowing where one is, nothing is asked; what is found is only named."""
    from session_memory.startup import eligibility

    for candidate in shaped:
        candidate.result = eligibility.not_eligible(eligibility.DEGRADED)
    return shaped
