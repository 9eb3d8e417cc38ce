"""How closely the next review looks at a category: in full, lightly, or not at all (SMC-11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from session_memory.calibration import values
from session_memory.calibration.writing import Document
from session_memory.markers.comment import instant

CATEGORIES = (
    "architecture",
    "security",
    "performance",
    "pattern",
    "implementation-clarity",
    "script-automation",
    "documentation-audit",
)
# What categories were called before.
_FORMER = {"simplicity": "implementation-clarity", "documentation": "documentation-audit"}

FULL, LIGHT, SKIP = "full", "light", "skip"

# Effective counts of findings, and rates of those that were sustained.
SUFFICIENT_COUNT, SKIP_COUNT = 20.0, 30.0
SKIP_BELOW, LIGHT_BELOW = 0.05, 0.15

DECAY_DAYS = 90
# For how many pull requests a re-activation holds, by what triggered it.
CODE_EXPIRES, DECAY_EXPIRES = 5, 50
TIME_DECAY = "time_decay"

STAMP = "skip_first_observed_at"
_DAY_S = 86400.0


@dataclass(frozen=True)
class Situation:
    """What every category's depth depends on. ``max_pr`` is the last merged pull request."""

    now_s: float
    max_pr: int = 0
    override: bool = False
    events: Sequence[object] = ()
    decay_days: int = DECAY_DAYS


@dataclass(frozen=True)
class Recommendation:
    """A depth, in one sentence why, and the event that has to be recorded, if any."""

    recommendation: str
    reason: str
    count: float
    rate: float
    re_activated: bool = False
    event: "Document | None" = field(default=None)

    @property
    def sufficient_data(self) -> bool:
        return self.count >= SUFFICIENT_COUNT


def category_of(finding: Mapping[str, object]) -> str:
    """The category of a finding by its present name."""
    name = str(finding.get("category", "")).strip().lower()
    return _FORMER.get(name, name)


def recommend(
    category: str, count: float, rate: float, situation: Situation, since: object = None
) -> Recommendation:
    """The first rule that applies decides.

    ``count`` and ``rate`` are effective ones, so old findings count little. ``since`` is when the
    category was first skipped; in time it is looked at again, lest a change go unnoticed.
    """

    def depth(name: str, reason: str, **more: object) -> Recommendation:
        return Recommendation(name, reason, count, rate, **more)  # type: ignore[arg-type]

    if situation.override:
        return depth(FULL, "full depth is set by hand")
    active = _active(category, situation)
    if active:
        return depth(FULL, f"re-activated until #{active}", re_activated=True)
    if _is_overdue(since, situation):
        reason = f"skipped for more than {situation.decay_days} days"
        return depth(LIGHT, reason, re_activated=True, event=_decay_event(category, situation))
    if count < SUFFICIENT_COUNT:
        return depth(FULL, "too few findings to judge")
    if rate < SKIP_BELOW and count >= SKIP_COUNT:
        return depth(SKIP, "hardly any finding is sustained")
    if rate < LIGHT_BELOW:
        return depth(LIGHT, "few findings are sustained")
    return depth(FULL, "findings are sustained")


def state_after(
    state: Mapping[str, object], found: Mapping[str, Recommendation], now_s: float
) -> Document:
    """Since when categories are skipped. Those of which nothing was found out stay as they are."""
    after = {name: value for name, value in state.items() if name not in found}
    for name, recommendation in found.items():
        if recommendation.recommendation == SKIP:
            old = state.get(name)
            kept = dict(old) if isinstance(old, Mapping) else {}
            if since_of(state, name) is None:
                kept[STAMP] = values.utc_text(now_s)
            after[name] = kept
    return after


def since_of(state: Mapping[str, object], category: str) -> str | None:
    """When the category was first skipped; ``None`` also for a stamp that is no time."""
    entry = state.get(category)
    stamp = entry.get(STAMP) if isinstance(entry, Mapping) else None
    return stamp if isinstance(stamp, str) and instant(stamp) is not None else None


def has_expired(event: object, max_pr: int) -> bool:
    """Whether an event has ended by ``max_pr``; one that names no end never does."""
    end = _end(event)
    return end is not None and end <= max_pr


def holds(event: object, max_pr: int) -> bool:
    """Whether an event still counts after ``max_pr``, which one that names no end never does."""
    end = _end(event)
    return end is not None and end > max_pr


def _active(category: str, situation: Situation) -> int:
    """Where the last event that holds for the category ends; 0 without any."""
    ends = [
        _end(event) or 0
        for event in situation.events
        if isinstance(event, Mapping) and category_of(event) == category
    ]
    last = max(ends, default=0)
    return last if last > situation.max_pr else 0


def _end(event: object) -> int | None:
    value = event.get("expires_at_pr") if isinstance(event, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_overdue(since: object, situation: Situation) -> bool:
    start = instant(since) if isinstance(since, str) else None
    return start is not None and situation.now_s - start > situation.decay_days * _DAY_S


def _decay_event(category: str, situation: Situation) -> Document:
    return {
        "category": category,
        "triggered_at_pr": situation.max_pr,
        "expires_at_pr": situation.max_pr + DECAY_EXPIRES,
        "trigger_source": TIME_DECAY,
        "created_at": values.utc_text(situation.now_s),
    }
