"""The prosecution depth of a review by category of finding, for one dispatch (SMC-09)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CATEGORIES = (
    "architecture",
    "security",
    "performance",
    "pattern",
    "implementation-clarity",
    "script-automation",
    "documentation-audit",
)
FULL = "full"
_ALL_FULL = dict.fromkeys(CATEGORIES, FULL)
DEPTHS = (FULL, "light", "skip")


@dataclass(frozen=True)
class Snapshot:
    """A depth for every category; ``reason`` says why all are full, if they had to be."""

    depths: dict[str, str] = field(default_factory=lambda: dict(_ALL_FULL))
    reason: str = ""


def snapshot(aggregate: Mapping[str, object] | None, failure: str = "") -> Snapshot:
    """The depths that the aggregate of past reviews recommends.

    Looking too closely costs time, looking too little costs findings: whatever is wrong with the
    aggregate, every category is then looked at in full.
    """
    recommended = aggregate.get("prosecution_depth") if aggregate else None
    if not isinstance(recommended, Mapping):
        return Snapshot(reason=failure or "the aggregate names no prosecution_depth")
    depths = {name: _depth(recommended.get(name)) for name in CATEGORIES}
    unknown = [name for name, depth in depths.items() if depth not in DEPTHS]
    if unknown:
        return Snapshot(reason=f"unknown depth for {', '.join(unknown)}")
    return Snapshot(depths)


def _depth(value: object) -> str:
    """A recommendation is a word, or a mapping that says it as ``recommendation``."""
    if isinstance(value, Mapping):
        value = value.get("recommendation")
    return FULL if value is None else str(value)
