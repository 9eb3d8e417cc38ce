"""When a subagent call is rate limited: how to tell, how long to wait, what to offer (SMC-15)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

RATE_LIMIT = "rate-limit"
OTHER = "other"

WAIT, OFFER, ELSEWHERE = "wait", "offer", "other-path"
DEFER, SKIP_LOW = "defer", "skip-low"
LOW = "low"
SEVERITIES = ("critical", "high", "medium", LOW)

# Calls altogether, the first one included; fewer when nothing at all ever came back.
MAX_ATTEMPTS = 3
MAX_EMPTY_ATTEMPTS = 2
_UNIT_S = 30
_MAX_DOUBLINGS = 10

_SURE = re.compile(
    r"rate[ _-]?limit|throttl|too many requests|(?<![0-9.])(?:429|529)(?![0-9.])", re.IGNORECASE
)
_LIKELY = re.compile(r"\bcapacity\b|\bquotas?\b|\boverloaded", re.IGNORECASE)
# Words that come from tools, parsers and the machine, where quota and capacity mean other things.
_OF_TOOLS = re.compile(
    r"disk quota|no space left|pars(?:e|er|ing)\b|\bjson|\byaml|syntax ?error|permission denied"
    r"|no such file|not found|traceback|E(?:NOENT|ACCES|NOSPC|DQUOT)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Attempt:
    """What came of a call. ``repeats`` counts equal failures in a row without a tool's cause."""

    error: str = ""
    output: str = ""
    repeats: int = 1


@dataclass(frozen=True)
class Advice:
    """The next step: wait ``wait_s`` seconds and call again, offer ``options``, or neither."""

    step: str
    wait_s: int = 0
    options: tuple[str, ...] = ()
    reason: str = ""


def classify(attempt: Attempt) -> str:
    """Whether a failure is one of rate limits. Failures of other kinds are never waited out."""
    told = attempt.error.strip()
    if _SURE.search(told):
        return RATE_LIMIT
    if _OF_TOOLS.search(told):
        return OTHER
    if _LIKELY.search(told):
        return RATE_LIMIT
    if not told and not attempt.output.strip():
        return RATE_LIMIT
    return RATE_LIMIT if told and attempt.repeats >= 2 else OTHER


def wait_seconds(attempt: int) -> int:
    """How long to wait after the failure of attempt 1, 2, …: 60 s, 120 s, doubling."""
    return _UNIT_S << min(max(attempt, 1), _MAX_DOUBLINGS)


def options(pending: Sequence[str]) -> tuple[str, ...]:
    """What to offer for pending items of these severities, the recommended choice first.

    Skipping is only for low ones: a severity that is not known counts as serious.
    """
    all_low = bool(pending) and all(severity == LOW for severity in pending)
    return (DEFER, SKIP_LOW) if all_low else (DEFER,)


def advise(failures: Sequence[Attempt], pending: Sequence[str] = ()) -> Advice:
    """What to do after ``failures``, the last one being the newest.

    Between waits a model of another class may be tried first; that is the caller's choice.
    """
    if classify(failures[-1]) == OTHER:
        return Advice(ELSEWHERE, reason="not a rate limit: mend it, do not wait")
    silent = all(not one.error.strip() and not one.output.strip() for one in failures)
    allowed = MAX_EMPTY_ATTEMPTS if silent else MAX_ATTEMPTS
    if len(failures) < allowed:
        return Advice(WAIT, wait_seconds(len(failures)), reason=f"attempt {len(failures)} failed")
    return Advice(OFFER, options=options(pending), reason=f"{len(failures)} attempts failed")
