"""What follows from all reviews: depths, and the state that is kept about them (SMC-11)."""

from collections.abc import Mapping
from dataclasses import dataclass

from session_memory.calibration import complexity, depth, proposals, reactivation, values
from session_memory.calibration.depth import CATEGORIES, Recommendation, Situation
from session_memory.calibration.evidence import Evidence
from session_memory.calibration.tally import SUFFICIENT_REVIEWS, Tally, tally
from session_memory.calibration.writing import Document


@dataclass(frozen=True)
class Complexity:
    """The agent files that a report found over the ceiling, and when to speak of it."""

    over: tuple[str, ...]
    threshold: int = complexity.PERSISTENT


@dataclass(frozen=True)
class Aggregate:
    """``document`` is the cache with the new state, or ``None`` when nothing changed.

    ``depths`` is empty, and nothing is proposed, as long as there are too few reviews.
    """

    evidence: Evidence
    tally: Tally
    depths: dict[str, Recommendation]
    proposed: tuple[Document, ...]
    consolidated: tuple[Document, ...]
    persistent: tuple[tuple[str, int], ...]
    document: "Document | None"

    @property
    def shortage(self) -> str:
        """Why there are no depths; ``""`` when there are."""
        if self.depths:
            return ""
        return f"only {self.tally.size:.1f} of {SUFFICIENT_REVIEWS:.0f} effective reviews"


def writes_back(*, changed: bool, file_exists: bool, read_only: bool) -> bool:
    """Whether the state is written: a look changes nothing, and no file is made for it."""
    return changed and file_exists and not read_only


def aggregate(
    document: "Document | None",
    evidence: Evidence,
    now_s: float,
    report: "Complexity | None" = None,
) -> Aggregate:
    """Depth by category, new proposals and the history of complexity, as of ``now_s``."""
    after: Document = dict(document or {})
    counted = tally(evidence.reviews, now_s)
    observed = _observe(after, evidence, values.utc_text(now_s), report)
    history = after.get("complexity_over_ceiling_history")
    threshold = report.threshold if report else complexity.PERSISTENT
    depths: dict[str, Recommendation] = {}
    proposed: list[Document] = []
    if counted.is_sufficient:
        depths = _recommend(after, evidence, counted, now_s)
        proposed = _propose(after, evidence, values.utc_text(now_s))
    changed = document is not None and after != document
    return Aggregate(
        evidence,
        counted,
        depths,
        tuple(proposed),
        observed,
        tuple(complexity.persistent(_mapping(history), threshold)),
        after if changed else None,
    )


def _observe(
    after: Document, evidence: Evidence, now: str, report: "Complexity | None"
) -> tuple[Document, ...]:
    if report is None:
        return ()
    history = _mapping(after.get("complexity_over_ceiling_history"))
    observed = complexity.observe(history, report.over, evidence.max_pr, now)
    if observed.changed:
        after["complexity_over_ceiling_history"] = observed.history
    if observed.consolidated:
        events = [*_list(after.get("consolidation_events")), *observed.consolidated]
        after["consolidation_events"] = events
    return observed.consolidated


def _recommend(
    after: Document, evidence: Evidence, counted: Tally, now_s: float
) -> dict[str, Recommendation]:
    events = _list(after.get("re_activation_events"))
    situation = Situation(now_s, evidence.max_pr, is_overridden(after), events, decay_days(after))
    state = _mapping(after.get("prosecution_depth_state"))
    found = {}
    for category in CATEGORIES:
        figures, since = counted.figures(category), depth.since_of(state, category)
        found[category] = depth.recommend(
            category, figures.count, figures.rate, situation, since
        )  # fmt: skip
    _set(after, "prosecution_depth_state", depth.state_after(state, found, now_s))
    new = [one.event for one in found.values() if one.event]
    _set(after, "re_activation_events", reactivation.pruned([*events, *new], evidence.max_pr))
    return found


def _propose(after: Document, evidence: Evidence, now: str) -> list[Document]:
    known = proposals.with_merged_fixes(_list(after.get("proposals_emitted")), evidence.pulls)
    new = proposals.added(proposals.patterns(evidence.local), known, now)
    _set(after, "proposals_emitted", [*known, *new])
    return new


def is_overridden(document: Mapping[str, object]) -> bool:
    """Whether full depth is set by hand."""
    return str(document.get("prosecution_depth_override")).strip().lower() == depth.FULL


def decay_days(document: Mapping[str, object]) -> int:
    """Days after which a skipped category is looked at again; what makes no sense is ignored."""
    value = document.get("time_decay_days")
    sensible = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 20
    return value if sensible else depth.DECAY_DAYS  # type: ignore[return-value]


def _set(after: Document, name: str, value: object) -> None:
    """Set a member, unless that would only add an empty one."""
    if value or after.get(name):
        after[name] = value


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
