"""The payload of an engagement record (SMC-20, SMC-23): its versions, fields and rules."""

import re
from collections.abc import Iterator, Mapping

from session_memory.gates.decision_ids import is_slug, is_stable_key
from session_memory.markers.families import PHASES
from session_memory.markers.problem import ECHO_MESSAGE, Problem, echo
from session_memory.records.values import is_among, version_number

VERSIONS = (1, 2, 3, 4)
# The oldest version that may carry a phase.
SINCE = {"experience": 1, "design": 1, "plan": 2, "orchestration": 3, "review": 4}
# What writers put down today.
CURRENT = {"experience": 2, "design": 2, "plan": 2, "orchestration": 3, "review": 4}

REQUIRED = ("schema_version", "phase", "capture_session")
CLASSIFICATIONS = ("load-bearing", "routine")
ENUMS = {
    "classification": CLASSIFICATIONS,
    "articulation_status": ("pending", "complete", "incomplete"),
    "recommendation_shift_trigger": (
        "engineer-pushback",
        "new-evidence",
        "classification-re-audit",
        "classification-re-audit-routine",
    ),
}
FREE_TEXT = (
    "audit_rationale",
    "engineer_choice",
    "teaching_paragraph_excerpt",
    "articulation_text",
)

_ID_RULE = (
    "an id has 2 to 64 characters, only lower-case ASCII letters, digits and hyphens, begins with a"
    " letter and ends with a letter or a digit; in a review record it may also be a stable finding"
    " key such as gh-123456789 or src/app.py:10:0a1b2c3d"
)

_CAPTURE = re.compile(rf"(normal|manual|replay)-({'|'.join(PHASES)})-v[0-9]+(\.[0-9]+)?")


def missing_fields(payload: Mapping[str, object]) -> list[str]:
    """The required fields that are absent or null; an empty text is there."""
    return [name for name in REQUIRED if payload.get(name) is None]


def known_version(payload: Mapping[str, object]) -> int | None:
    """The payload's version if it is one of ours."""
    version = version_number(payload.get("schema_version"))
    return version if version in VERSIONS else None


def phase_of(payload: Mapping[str, object]) -> str:
    """The payload's phase in lower case."""
    return str(payload.get("phase") or "").lower()


def decisions_of(payload: Mapping[str, object]) -> list[dict[str, object]]:
    """The decisions as they stand there; none when the list is missing or null."""
    listed = payload.get("load_bearing_decisions")
    items = listed if isinstance(listed, list) else []
    return [dict(item) for item in items if isinstance(item, dict)]


def check(payload: Mapping[str, object], marker_phase: str) -> list[Problem]:
    """What is wrong with a payload that has its required fields and a known version."""
    version = known_version(payload) or 0
    phase = phase_of(payload)
    if phase not in PHASES:
        return [Problem("bad-phase", f"no phase is called {echo(payload.get('phase'))}")]
    if version < SINCE[phase]:
        sentence = f"phase {phase} needs schema_version {SINCE[phase]} or later, not {version}"
        return [Problem("phase-version", sentence)]
    if phase != marker_phase:
        sentence = f"the payload's phase is {phase}, the marker's {echo(marker_phase)}"
        return [Problem("phase-mismatch", sentence)]
    return list(_decisions(payload, version, phase))


def follows_convention(capture_session: object) -> bool:
    """Whether it is ``{trigger}-{phase}-v{major}[.{minor}]``; readers never reject another."""
    return isinstance(capture_session, str) and _CAPTURE.fullmatch(capture_session) is not None


def _decisions(payload: Mapping[str, object], version: int, phase: str) -> Iterator[Problem]:
    listed = payload.get("load_bearing_decisions")
    if listed is None:
        return
    if not isinstance(listed, list):
        yield Problem("bad-decisions", "load_bearing_decisions is not a list")
        return
    for number, decision in enumerate(listed, 1):
        if isinstance(decision, dict):
            yield from _decision(decision, number, version, phase)
        else:
            yield Problem("bad-decision", f"decision {number} is not a mapping")


def _decision(
    decision: Mapping[str, object], number: int, version: int, phase: str
) -> Iterator[Problem]:
    identity = decision.get("decision_id")
    lawful = is_slug(identity) or (phase == "review" and is_stable_key(identity))
    if version >= 2 and not lawful:
        sentence = f"decision {number} has an unlawful decision_id: {identity}: {_ID_RULE}"
        yield Problem("bad-slug", echo(sentence, ECHO_MESSAGE))
    for name, allowed in ENUMS.items():
        value = decision.get(name)
        if value is not None and not is_among(value, allowed):
            sentence = f"decision {number}: {name} is {echo(value)}, not {', '.join(allowed)}"
            yield Problem(f"bad-enum:{name}", sentence)
