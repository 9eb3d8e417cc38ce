"""The marker families as data: everything that tells one kind of comment from another."""

import re
from dataclasses import dataclass, field

PHASES = ("experience", "design", "plan", "orchestration", "review")
PORTS = ("experience", "design", "plan", "orchestration")

ISSUE = "issue"
PULL_REQUEST = "pull-request"
EITHER = "issue or pull-request"

POST_NEW = "post-new"
UPSERT = "upsert"
BLOCK = "block"
NOT_WRITTEN = "not written"

# GitHub counts issues and pull requests of a repository together; no repository needs more digits.
NUMBER_OF_DIGITS = 9
NUMBER = rf"[1-9][0-9]{{0,{NUMBER_OF_DIGITS - 1}}}"


@dataclass(frozen=True)
class Family:
    """One row of the registry.

    ``shape``: every write posts a new comment, or one comment is kept up to date, or the family is
    a block inside another body. ``order`` is the place within a burst. ``part`` names what stands
    between name and number in the marker. ``holds`` names the families that may lawfully start a
    line inside a body of this one.
    """

    name: str
    shape: str
    surface: str
    survival: str
    row: str = ""
    part: str = ""
    validator: str = ""
    order: int = 0
    writable: bool = False
    edit_sensitive: bool = False
    writer: str = ""
    readers: tuple[str, ...] = ()
    holds: tuple[str, ...] = field(default=())

    @property
    def template(self) -> str:
        """The marker with ``{phase}`` or ``{port}`` and ``{ID}`` or ``{PR}`` in their places."""
        if self.shape == BLOCK or not self.surface:
            return f"<!-- {self.name} -->"
        part = f"-{{{self.part}}}" if self.part else ""
        number = {ISSUE: "ID", PULL_REQUEST: "PR"}.get(self.surface, "N")
        return f"<!-- {self.name}{part}-{{{number}}} -->"

    def surface_of(self, part: str = "") -> str:
        """Where a marker of this family lives: the review phase belongs to the pull request."""
        return PULL_REQUEST if self.part == "phase" and part == "review" else self.surface

    @property
    def parts(self) -> tuple[str, ...]:
        """The lawful values of ``part``; none for a family whose marker has no part."""
        return {"phase": PHASES, "port": PORTS}.get(self.part, ())


@dataclass(frozen=True)
class Marker:
    """A marker: a family and the key that tells its comments apart."""

    family: Family
    number: int
    part: str = ""

    @property
    def literal(self) -> str:
        """The one spelling that is written, and that counts when it is read."""
        part = f"-{self.part}" if self.part else ""
        return f"<!-- {self.family.name}{part}-{self.number} -->"

    @property
    def surface(self) -> str:
        return self.family.surface_of(self.part)


def _plan_blocks() -> tuple[str, ...]:
    return (
        "phase-containment-ledger-ref",
        "phase-containment",
        "frame-spine",
        "goal-contract",
        "judge-rulings",
    )


_WRITABLE = (
    Family(
        "plan-issue", UPSERT, ISSUE, "durable", "SMC-08", order=2, writable=True,
        writer="planner; pause before implementation",
        readers=("orchestrator resume", "pause comparison", "credit harvest"),
        holds=_plan_blocks(),
    ),
    Family(
        "design-phase-complete", POST_NEW, ISSUE, "durable", "SMC-08", order=2, writable=True,
        validator="finding-dispositions", writer="designer",
        readers=("resume", "gate reconciliation", "credit harvest"), holds=("phase-containment",),
    ),
    Family(
        "experience-owner-complete", POST_NEW, ISSUE, "durable", "SMC-08", order=2, writable=True,
        writer="experience owner", readers=("resume", "credit harvest"),
    ),
    Family(
        "design-issue", UPSERT, ISSUE, "durable", "SMC-03", order=2, writable=True,
        writer="pause before implementation", readers=("design cache", "pause comparison"),
    ),
    Family(
        "review-judge-produced", POST_NEW, PULL_REQUEST, "durable", "SMC-16", order=1,
        writable=True, validator="sentinel", writer="judge",
        readers=("credit synthesis of the pull request",),
    ),
    Family(
        "engagement-record", POST_NEW, ISSUE, "durable", "SMC-20", part="phase", order=4,
        writable=True, validator="engagement-record", writer="agent that leaves the phase",
        readers=("same-decision resume", "gate reconciliation", "follow-up merge"),
    ),
    Family(
        "review-dispositions", POST_NEW, PULL_REQUEST, "durable", "SMC-23", order=3,
        writable=True, validator="review-dispositions", writer="judge",
        readers=("gate reconciliation", "external-review counts"),
    ),
    Family(
        "credit-input", POST_NEW, ISSUE, "durable", "SMC-17", part="port", order=5,
        writable=True, validator="credit-input", writer="agent that completed the port",
        readers=("credit harvest",),
    ),
    Family(
        "proposed-followups", UPSERT, EITHER, "durable", "SMC-24", order=6, writable=True,
        validator="followup-queue", writer="filing gate without a person at hand",
        readers=("next session that can ask",),
    ),
    Family(
        "pipeline-metrics", BLOCK, PULL_REQUEST, "durable", "SMC-06", order=6, writable=True,
        validator="pipeline-metrics", writer="pull request creation",
        readers=("review-state resume", "calibration backfill"),
    ),
)  # fmt: skip

# Known, so that no body can be mistaken for one of them; other tools write these.
_KNOWN = (
    Family("frame-slices", UPSERT, ISSUE, "durable", order=3, holds=("frame-slice",)),
    Family("open-for-work-affirmed", POST_NEW, ISSUE, "durable", order=2, edit_sensitive=True),
    Family("completion-account", UPSERT, ISSUE, "durable", order=6),
    Family("frame-credit-ledger", UPSERT, PULL_REQUEST, "durable"),
    Family(
        "phase-containment-ledger", UPSERT, ISSUE, "durable",
        holds=("judge-rulings", "phase-containment"),
    ),
    Family("phase-containment", BLOCK, "", "durable"),
    Family("phase-containment-ledger-ref", BLOCK, "", "durable"),
    Family("judge-rulings", BLOCK, "", "durable"),
    Family("frame-spine", BLOCK, "", "durable"),
    Family("frame-slice", BLOCK, "", "durable"),
    Family("goal-contract", BLOCK, "", "durable"),
    Family("cost-pattern-data", BLOCK, "", "durable"),
    Family("cost-pattern-data-degraded", UPSERT, PULL_REQUEST, "durable"),
    Family("pc-emission-check-report", BLOCK, "", "durable"),
    Family("goal-halt-report", POST_NEW, ISSUE, "durable"),
    Family("goal-run-inflight", POST_NEW, ISSUE, "durable"),
    Family("goal-run-stage", UPSERT, ISSUE, "durable"),
    Family("goal-run-restart-report", POST_NEW, ISSUE, "durable"),
    Family("goal-run-class", NOT_WRITTEN, "", "durable"),
    Family("goal-probe-findings", POST_NEW, ISSUE, "durable"),
    Family("code-review-complete", NOT_WRITTEN, PULL_REQUEST, "durable"),
    Family("subagent-env-handshake", NOT_WRITTEN, "", "per-dispatch", "SMC-14"),
    Family("refs-injected", NOT_WRITTEN, "", "within-conversation", "SMC-22"),
)  # fmt: skip

FAMILIES = {family.name: family for family in (*_WRITABLE, *_KNOWN)}

_MARKER = re.compile(rf"<!-- ([a-z-]+?)(?:-({'|'.join(PHASES)}))?-({NUMBER}) -->[ \t]*")
_RECORD = re.compile(rf"<!-- engagement-record-([a-z]+)-({NUMBER}) -->[ \t]*")


def marker(name: str, number: int, part: str = "") -> Marker:
    """The marker of a family for an issue or pull request, and a phase or port where it has one.

    Raises :class:`ValueError` for an unknown family, number or part.
    """
    family = FAMILIES.get(name)
    if family is None or not family.surface or family.shape == BLOCK:
        raise ValueError(f"unknown marker family {name[:80]}")
    if not re.fullmatch(NUMBER, str(number)):
        raise ValueError(f"{name} needs the number of an issue or pull request")
    if part not in (family.parts or ("",)):
        raise ValueError(f"{name} needs a {family.part} out of {', '.join(family.parts)}")
    return Marker(family, number, part)


def parse(line: str) -> Marker | None:
    """The marker that ``line`` is, exactly; ``None`` when it is none.

    An engagement record's phase may be any word, so that a reader can say what is wrong with it.
    """
    record = _RECORD.fullmatch(line)
    if record:
        return Marker(FAMILIES["engagement-record"], int(record[2]), record[1])
    match = _MARKER.fullmatch(line)
    family = FAMILIES.get(match[1]) if match else None
    if match is None or family is None or not family.surface or family.shape == BLOCK:
        return None
    part = match[2] or ""
    return Marker(family, int(match[3]), part) if part in (family.parts or ("",)) else None
