"""Findings that come again and again, as proposals to mend their cause (SMC-11)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from session_memory.calibration import values
from session_memory.calibration.depth import CATEGORIES, category_of
from session_memory.calibration.tally import Review, is_sustained
from session_memory.calibration.writing import Document
from session_memory.github.merged import MergedPullRequest

FIX_TYPES = ("instruction", "skill", "agent-prompt", "plan-template")
MIN_SUSTAINED = MIN_PULL_REQUESTS = 2

_CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]{1,8}#([1-9]\d{0,9})\b", re.IGNORECASE
)


@dataclass
class Pattern:
    """Sustained findings of one category that one kind of change would prevent."""

    sustained: int = 0
    prs: set[int] = field(default_factory=set)

    @property
    def qualifies(self) -> bool:
        return self.sustained >= MIN_SUSTAINED and len(self.prs) >= MIN_PULL_REQUESTS


def patterns(reviews: Iterable[Review]) -> dict[str, Pattern]:
    """The patterns in these reviews, by ``{fix type}:{category}``."""
    found: dict[str, Pattern] = {}
    for review in reviews:
        for finding in filter(is_sustained, review.findings):
            fix_type = str(finding.get("systemic_fix_type", "")).strip().lower()
            if fix_type in FIX_TYPES and category_of(finding) in CATEGORIES:
                pattern = found.setdefault(f"{fix_type}:{category_of(finding)}", Pattern())
                pattern.sustained += 1
                pattern.prs.add(review.number)
    return found


def is_proposed(key: str, prs: Iterable[int], proposals: Iterable[object]) -> bool:
    """Whether the pattern was proposed before, on the evidence of the very same pull requests."""
    wanted = set(prs)
    return any(
        isinstance(one, Mapping)
        and one.get("pattern_key") == key
        and _numbers(one.get("evidence_prs")) == wanted
        for one in proposals
    )


def added(
    found: Mapping[str, Pattern], proposals: Sequence[object], now: str
) -> list[Document]:  # fmt: skip
    """The proposals that are new: a pattern with more evidence than before is one."""
    return [
        {"pattern_key": key, "evidence_prs": sorted(pattern.prs), "first_emitted_at": now}
        for key, pattern in sorted(found.items())
        if pattern.qualifies and not is_proposed(key, pattern.prs, proposals)
    ]


def with_merged_fixes(
    proposals: Iterable[object], pulls: Iterable[MergedPullRequest]
) -> list[object]:
    """The proposals, each with the time of its fix once the issue that it names was closed."""
    merged = _closing(pulls)
    return [_with_fix(proposal, merged) for proposal in proposals]


def _with_fix(proposal: object, merged: Mapping[int, str]) -> object:
    if not isinstance(proposal, Mapping) or proposal.get("fix_merged_at"):
        return proposal
    issue = proposal.get("fix_issue_number")
    found = merged.get(issue) if isinstance(issue, int) and values.is_integer(issue) else None
    return {**proposal, "fix_merged_at": found} if found else proposal


def _closing(pulls: Iterable[MergedPullRequest]) -> dict[int, str]:
    """When the last pull request that closes an issue was merged, by issue."""
    found: dict[int, str] = {}
    for pull in sorted(pulls, key=lambda pull: pull.merged_s):
        for number in _CLOSES.findall(pull.description.body):
            found[int(number)] = pull.merged_at
    return found


def _numbers(value: object) -> set[object]:
    return set(filter(values.is_integer, value)) if isinstance(value, list) else set()
