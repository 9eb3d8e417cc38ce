"""Gathering evidence for candidates: free evidence for all of them first, then paid evidence.

Free evidence is never refused because another candidate used up the network's budget.
"""

import time

from session_memory.startup import eligibility, reflog, verdict
from session_memory.startup.issue_id import linked_issue
from session_memory.startup.limits import FREE_S, RESERVE_S
from session_memory.startup.probes import Probes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.budget import Budget
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.eligibility import Free
    from session_memory.startup.github import GitHub
    from session_memory.startup.scratch import Scratch
    from session_memory.startup.snapshot import Snapshot


def gather_free(
    candidates: "list[Candidate]", seen: "Snapshot", scratch: "Scratch", end: float
) -> None:
    """Ask local objects about all of ``candidates``, until ``end`` of the monotonic clock."""
    tips = list(dict.fromkeys([each.branch.tip for each in candidates]))
    found = _ask(tips, seen.compare_tip, scratch, min(end - RESERVE_S, time.monotonic() + FREE_S))
    for candidate in candidates:
        free = found.judge(candidate, seen.checkout.common_dir)
        candidate.free = free
        candidate.result = free.result


class Local:
    """Answers about commits, as far as they were reached in time."""

    def __init__(self) -> None:
        self.unique: dict[str, int | None] = {}
        self.verdicts: dict[str, verdict.Verdict] = {}
        self.touching: dict[str, bool | None] = {}

    def judge(self, candidate: "Candidate", common_dir: str) -> "Free":
        """What the answers amount to for a candidate."""
        tip = candidate.branch.tip
        if not self._reached(tip):
            late = eligibility.not_eligible(eligibility.FREE_PHASE)
            return eligibility.Free(late)
        own = self.unique[tip] == 0 and reflog.ends_in_own_commit(common_dir, candidate.branch)
        return eligibility.free_evidence(
            self.unique[tip], self.verdicts.get(tip), self.touching.get(tip), own
        )

    def _reached(self, tip: str) -> bool:
        if tip not in self.unique:
            return False
        if not self.unique[tip]:
            return True
        found = self.verdicts.get(tip)
        return found is not None and (found.kind != verdict.MERGED or tip in self.touching)


def _ask(tips: "list[str]", default: str, scratch: "Scratch", end: float) -> Local:
    local = Local()
    if not default:
        local.unique = dict.fromkeys(tips)
        return local
    probes = Probes(scratch, default, end)
    local.unique = probes.unique(tips)
    differing = [tip for tip in tips if local.unique.get(tip)]
    if differing:
        local.verdicts = probes.verdicts(differing)
    merged = [tip for tip, each in local.verdicts.items() if each.kind == verdict.MERGED]
    local.touching = probes.touching(merged)
    return local


def gather_paid(candidates: "list[Candidate]", github: "GitHub | None", budget: "Budget") -> None:
    """Ask GitHub about those of ``candidates`` that are undecided; ``None`` is not to ask."""
    undecided = [(each, each.free) for each in candidates if each.free and not each.result]
    order = eligibility.paid_order([free.rung for _, free in undecided])
    pending = []
    for candidate, free in [undecided[index] for index in order]:
        refusal = budget.refusal(candidate.budget) if github else ""
        if refusal:
            candidate.result = eligibility.denied(free, refusal)
        else:
            pending.append((candidate, free))
    _settle(pending, github)


def _settle(pending: "list[tuple[Candidate, Free]]", github: "GitHub | None") -> None:
    pulls = {
        candidate.name: github.pull_request(candidate.branch.tip) if github else eligibility.OFF
        for candidate, _ in pending
    }
    asked = [
        linked_issue(candidate.name)
        for candidate, free in pending
        if free.rung == eligibility.NO_COMMITS and pulls[candidate.name] == eligibility.NO_MATCH
    ]
    issues = sorted({issue for issue in asked if issue is not None})
    states = github.issue_states(issues) if github and issues else {}
    for candidate, free in pending:
        candidate.result = eligibility.paid_evidence(
            free,
            candidate.name,
            pulls[candidate.name],
            lambda issue: states.get(issue, eligibility.UNAVAILABLE),
        )
