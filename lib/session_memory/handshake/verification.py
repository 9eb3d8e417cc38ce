"""Whether a subagent sees the tree that its parent saw, and what follows from it."""

from dataclasses import dataclass

from session_memory.core.quoting import quoted
from session_memory.handshake.block import (
    CONTENT_FIELD,
    SHARED,
    TREE_FIELDS,
    Environment,
    Handshake,
)

MATCH = "match"
MISMATCH = "mismatch"
ERROR = "error"
MISSING = "missing-handshake"
OUTCOMES = (MATCH, MISMATCH, ERROR, MISSING)

# Why the outcome is an error.
CAPTURE_FAILED = "capture-failed"
MODE_RESERVED = "mode-reserved"
NOT_OBSERVED = "not-observed"

# What findings that depend on the tree carry when nothing could be compared.
TAG = "environment-unverified"

# What became of the comparison of contents.
SAME = "same"
DIFFERENT = "different"
NOT_COMPARED = "not-compared"

HEADING = "## Finding: environment-divergence (halting)"
_CONCLUSION = (
    "This subagent looks at another tree than its parent did. It has stopped before the work of its"
    " role and says nothing about the tree. Once the parent has brought the two together, it can"
    " dispatch again, with a new handshake."
)
_MAX_SHOWN = 300

_MEANING = {
    MATCH: "the tree is the one that the parent saw.",
    MISSING: "the prompt carries no usable block.",
    CAPTURE_FAILED: "the environment here could not be looked at.",
    MODE_RESERVED: "the block names a workspace mode that version 1 does not support.",
    NOT_OBSERVED: "nothing was observed to compare the block with.",
}
_UNVERIFIED = f" Work goes on; findings that depend on the tree carry the tag {TAG}."


@dataclass(frozen=True)
class Verdict:
    """``reason`` is set for an error, ``diverged`` for a mismatch, in the order of the block."""

    outcome: str
    reason: str = ""
    diverged: tuple[str, ...] = ()
    expected: Environment | None = None
    observed: Environment | None = None

    @property
    def tag(self) -> str:
        """What findings that depend on the tree carry; mostly ``""``."""
        return TAG if self.outcome in (ERROR, MISSING) else ""

    @property
    def content(self) -> str:
        """Whether the contents of changed files were compared, and with what result."""
        if not (self.expected and self.observed):
            return NOT_COMPARED
        return _compare_content(self.expected, self.observed)

    @property
    def text(self) -> str:
        """What the outcome means, in one line; for a mismatch the finding that is to be emitted."""
        if self.expected and self.observed and self.diverged:
            return finding(self.expected, self.observed, self.diverged)
        name = f"{self.outcome} ({self.reason})" if self.reason else self.outcome
        meaning = _MEANING[self.reason or self.outcome]
        return f"{name}: {meaning}{_UNVERIFIED if self.tag else ''}"


def verify(handshake: Handshake | None, observed: Environment | None, failed: bool) -> Verdict:
    """The verdict on a block, and on what is ``observed``; ``failed`` tells that git failed."""
    if handshake is None:
        return Verdict(MISSING)
    expected = handshake.environment
    if failed:
        return Verdict(ERROR, CAPTURE_FAILED, expected=expected)
    if handshake.mode != SHARED:
        return Verdict(ERROR, MODE_RESERVED, expected=expected, observed=observed)
    if observed is None:
        return Verdict(ERROR, NOT_OBSERVED, expected=expected)
    diverged = _diverged(expected, observed)
    return Verdict(MISMATCH if diverged else MATCH, "", diverged, expected, observed)


def finding(expected: Environment, observed: Environment, diverged: tuple[str, ...]) -> str:
    """The one finding of a subagent that stops, as Markdown."""
    with_content = CONTENT_FIELD in diverged
    parts = [
        HEADING,
        "Expected:\n" + _listed(expected, with_content),
        "Observed:\n" + _listed(observed, with_content),
        "Diverged fields: " + ", ".join(diverged),
        _CONCLUSION,
    ]
    return "\n\n".join(parts)


def _diverged(expected: Environment, observed: Environment) -> tuple[str, ...]:
    before, now = expected.tree(), observed.tree()
    fields = [name for name in TREE_FIELDS if before[name] != now[name]]
    if _compare_content(expected, observed) == DIFFERENT:
        fields.append(CONTENT_FIELD)
    return tuple(fields)


def _compare_content(expected: Environment, observed: Environment) -> str:
    if not (expected.content and observed.content):
        return NOT_COMPARED
    return SAME if expected.content == observed.content else DIFFERENT


def _listed(environment: Environment, with_content: bool) -> str:
    values = environment.tree()
    if with_content:
        values[CONTENT_FIELD] = environment.content
    return "\n".join([f"- {name}: {quoted(value, _MAX_SHOWN)}" for name, value in values.items()])
