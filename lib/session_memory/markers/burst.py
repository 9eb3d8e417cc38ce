"""Several writes in a row: all checked before the first is sent, and halted at the first failure.

Running the same burst again converges: what is there already is found equal and not written twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from session_memory.github.client import PASSING
from session_memory.github.errors import InvalidAnswer
from session_memory.markers import burst_order
from session_memory.markers.candidate import Candidate
from session_memory.markers.outcome import (
    NotDelivered,
    Outcome,
    PostStepFailed,
    Refused,
    Unverified,
    WriteFailed,
)
from session_memory.markers.plan import Plan
from session_memory.markers.problem import ECHO_MESSAGE, Problem, echo
from session_memory.markers.writer import Writer

LANDED = "landed"
FAILED = "failed"
POST_STEP_FAILED = "landed-postfix-failed"
NOT_ATTEMPTED = "not-attempted"
UNKNOWN = "unknown"


@dataclass
class Report:
    """What became of every entry. ``failure`` is the one that ended the burst."""

    states: list[str]
    outcomes: list[Outcome] = field(default_factory=list)
    failure: WriteFailed | None = None
    reason: str = ""

    @property
    def success(self) -> bool:
        return self.failure is None

    @property
    def halted(self) -> bool:
        """Whether it ended with something on GitHub that was not there before, or may not be."""
        written = any(state in (LANDED, POST_STEP_FAILED) for state in self.states)
        return not self.success and (written or isinstance(self.failure, Unverified))

    @property
    def artifacts(self) -> str:
        """The state of every entry, in one line."""
        return ", ".join(f"entry-{n}={state}" for n, state in enumerate(self.states, 1))


class Interrupted(KeyboardInterrupt):
    """Somebody ended the burst; the entry that was being written may have landed."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report


def write(
    writer: Writer, candidates: Sequence[Candidate], progress: Callable[[str], None] | None = None
) -> Report:
    """Write ``candidates`` in their order. Failures are in the report; none is raised.

    Only an interruption is passed on, as :class:`Interrupted`.
    """
    report = Report([NOT_ATTEMPTED] * len(candidates))
    try:
        preflight(writer, candidates)
    except WriteFailed as failure:
        report.failure, report.reason = failure, str(failure)
        return report
    for index, candidate in enumerate(candidates):
        if progress:
            progress(f"entry {index + 1} of {len(candidates)}: {candidate.marker.family.name}")
        report.states[index] = UNKNOWN
        try:
            _write_one(writer, candidate, report, index)
        except KeyboardInterrupt:
            raise Interrupted(report) from None
        if report.failure:
            break
    return report


def preflight(writer: Writer, candidates: Sequence[Candidate]) -> list[Plan]:
    """The plans of all entries as things are now. Nothing is written.

    Raises the refusal of the first entry that has one. A failure that may pass is none: the write
    asks again, and by then it may be gone.
    """
    _check_all(candidates)
    plans = []
    for index, candidate in enumerate(candidates):
        try:
            plans.append(writer.plan(candidate))
        except Refused as refused:
            raise _refusal(candidates, index, refused.problems) from refused
        except NotDelivered as failure:
            if not isinstance(failure.__cause__, (*PASSING, InvalidAnswer)):
                raise
    return plans


def _check_all(candidates: Sequence[Candidate]) -> None:
    if not candidates:
        raise Refused("burst", "manifest", 0, [Problem("empty", "the burst has zero entries")])
    for index, candidate in enumerate(candidates):
        try:
            candidate.check()
        except Refused as refused:
            raise _refusal(candidates, index, refused.problems) from None
    disorder = burst_order.check(candidates)
    if disorder:
        raise _refusal(candidates, disorder[0], [disorder[1]])


class RefusedBurst(Refused):
    """An entry must not be written, so nothing was."""

    def __init__(self, line: str, problems: list[Problem]) -> None:
        super().__init__("burst", "manifest", 0, problems)
        self._line = line


def _refusal(candidates: Sequence[Candidate], index: int, problems: list[Problem]) -> RefusedBurst:
    family = candidates[index].marker.family.name
    where = f"burst preflight, entry {index + 1} of {len(candidates)}, family '{family}'"
    detail = echo("; ".join(map(str, problems)), ECHO_MESSAGE)
    return RefusedBurst(f"persist-marker: REFUSED ({where}): {detail}", problems)


def _write_one(writer: Writer, candidate: Candidate, report: Report, index: int) -> None:
    state = FAILED
    try:
        report.outcomes.append(writer.write(candidate))
        state = LANDED
    except PostStepFailed as failure:
        report.outcomes.append(failure.outcome)
        report.failure, state = failure, POST_STEP_FAILED
    except WriteFailed as failure:
        report.failure = failure
    report.states[index] = state
    if report.failure:
        family = candidate.marker.family.name
        where = f"entry {index + 1} of {len(report.states)}, family '{family}'"
        report.reason = f"persist-marker: burst halted at {where}: {report.failure.reason}"
