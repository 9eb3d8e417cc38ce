"""Findings counted by category, the older the less (SMC-11)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from session_memory.calibration.depth import category_of
from session_memory.calibration.entry import is_express

# Per day: after a month a finding counts half.
DECAY = 0.023
# Effective reviews below which nothing is concluded.
SUFFICIENT_REVIEWS = 5.0

_SUSTAINED = ("sustained", "finding-sustained")
_DAY_S = 86400.0


@dataclass(frozen=True)
class Review:
    """The findings of one merged pull request."""

    number: int
    merged_s: float
    findings: tuple[Mapping[str, object], ...]


@dataclass
class Figures:
    """Effective numbers of findings."""

    count: float = 0.0
    sustained: float = 0.0

    @property
    def rate(self) -> float:
        return self.sustained / self.count if self.count else 0.0


@dataclass
class Tally:
    """``size`` is the effective number of reviews."""

    size: float = 0.0
    by_category: dict[str, Figures] = field(default_factory=dict)

    @property
    def is_sufficient(self) -> bool:
        return self.size >= SUFFICIENT_REVIEWS

    def figures(self, category: str) -> Figures:
        return self.by_category.get(category) or Figures()


def tally(reviews: Iterable[Review], now_s: float) -> Tally:
    """The findings of these reviews, as they count now."""
    result = Tally()
    for review in reviews:
        weight = math.exp(-DECAY * max(0.0, now_s - review.merged_s) / _DAY_S)
        result.size += weight
        for finding in review.findings:
            figures = result.by_category.setdefault(category_of(finding), Figures())
            figures.count += weight
            figures.sustained += weight if is_sustained(finding) else 0.0
    return result


def is_sustained(finding: Mapping[str, object]) -> bool:
    """Whether the judge agreed. What went through the express lane was never disputed."""
    ruling = finding.get("judge_ruling")
    if is_express(finding) and not (isinstance(ruling, str) and ruling.strip()):
        return True
    return isinstance(ruling, str) and ruling.strip().lower() in _SUSTAINED


def is_of_main_stage(finding: Mapping[str, object]) -> bool:
    """Whether the finding is of the review proper, which is also meant where no stage is named."""
    stage = finding.get("review_stage", "main")
    return isinstance(stage, str) and stage.strip().lower() == "main"
