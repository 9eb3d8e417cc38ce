"""The prosecution depth of a review by category of finding, for one dispatch (SMC-09)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from session_memory.calibration.depth import CATEGORIES, FULL, LIGHT, SKIP

DEPTHS = (FULL, LIGHT, SKIP)
_ALL_FULL = dict.fromkeys(CATEGORIES, FULL)


@dataclass(frozen=True)
class Snapshot:
    """A depth for every category; ``reason`` says why all are full, if they had to be."""

    depths: dict[str, str] = field(default_factory=lambda: dict(_ALL_FULL))
    reason: str = ""
    override: bool = False

    def at(self, depth: str) -> list[str]:
        """The categories that are looked at in this way."""
        return [name for name, found in self.depths.items() if found == depth]

    @property
    def excluded(self) -> dict[str, list[str]]:
        """What each pass leaves out. After a fix, all is looked at."""
        skipped = self.at(SKIP)
        later = [name for name, depth in self.depths.items() if depth != FULL]
        return {"pass_1": skipped, "passes_2_to_5": later, "post_fix": []}

    @property
    def metrics(self) -> dict[str, object]:
        """The fields of ``pipeline-metrics`` that make the decision durable."""
        return {
            "prosecution_depth_light": self.at(LIGHT),
            "prosecution_depth_skip": self.at(SKIP),
            "prosecution_depth_override": self.override,
            "prosecution_depth_reactivations": 0,
        }


def snapshot(aggregate: Mapping[str, object] | None, failure: str = "") -> Snapshot:
    """The depths that the aggregate of past reviews recommends.

    Looking too closely costs time, looking too little costs findings: whatever is wrong with the
    aggregate, every category is then looked at in full.
    """
    recommended = aggregate.get("prosecution_depth") if aggregate else None
    override = bool(aggregate and aggregate.get("prosecution_depth_override") is True)
    if not isinstance(recommended, Mapping):
        reason = failure or "the aggregate names no prosecution_depth"
        return Snapshot(reason=reason, override=override)
    depths = {name: _depth(recommended.get(name)) for name in CATEGORIES}
    unknown = [name for name, depth in depths.items() if depth not in DEPTHS]
    if unknown:
        return Snapshot(reason=f"unknown depth for {', '.join(unknown)}", override=override)
    return Snapshot(depths, override=override)


def _depth(value: object) -> str:
    """A recommendation is a word, or a mapping that says it as ``recommendation``."""
    if isinstance(value, Mapping):
        value = value.get("recommendation")
    return FULL if value is None else str(value)
