"""L2: whether every load-bearing decision that somebody was asked for is recorded (SMC-21).

The log is streamed. Memory holds only what is still open: decisions that were asked for and are not
recorded, and questions that no question event has confirmed yet.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from session_memory.gates.corroboration import Corroboration
from session_memory.gates.log_record import Asked, parse_record, text_of
from session_memory.markers.problem import Problem, echo
from session_memory.markers.target import Target

LAWFUL_SKIPS = frozenset({"gate-fails", "declined", "same-decision-resume", "greenfield-defer"})
ASKED = "asked"

CLEAN = "clean"
FINDINGS = "findings"
INCOMPLETE = "incomplete"
NOTHING = "nothing-to-check"

# Decisions held open at once; more than this is a broken log, not a long session.
MAX_OPEN = 10_000
_MAX_UNKNOWN = 20


@dataclass(frozen=True)
class Reconciliation:
    """What was found. It warns; whether a finding fails a build is the caller's choice.

    ``findings`` were asked for and never recorded. ``uncorroborated`` were logged as asked, and no
    question event says so: a lower level, because not every surface fires such events.
    ``problems`` are sources that failed, and lines that could not be read.
    """

    findings: tuple[Asked, ...]
    uncorroborated: tuple[Asked, ...]
    token_count: int
    recorded_count: int
    lawful_skips: int
    bad_lines: int
    unknown_outcomes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    failed: bool = False

    @property
    def status(self) -> str:
        """``clean`` proves something only because there were tokens and every source answered."""
        if self.findings:
            return FINDINGS
        if self.failed:
            return INCOMPLETE
        return CLEAN if self.token_count else NOTHING


def reconcile(
    log: Iterable[bytes | str | Mapping[str, object]],
    recorded: Collection[str],
    target: Target,
    *,
    failures: Sequence[Problem] = (),
) -> Reconciliation:
    """Reconciles the log, in the order of time, with the ids that are recorded (in lower case).

    Of several tokens for one decision the last one counts. With a pull request only its tokens are
    looked at; with an issue its tokens and those, of old logs, that name none. ``failures`` are
    sources of records that could not be read.
    """
    run = _Run(recorded, target)
    for line in log:
        run.take(line)
    return run.result(failures)


@dataclass
class _Run:
    recorded: Collection[str]
    target: Target
    tokens: int = 0
    skips: int = 0
    bad_lines: int = 0
    overflow: bool = False
    unknown: set[str] = field(default_factory=set)
    open: dict[tuple[str, str, str], Asked] = field(default_factory=dict)
    corroboration: Corroboration = field(default_factory=Corroboration)

    def take(self, line: bytes | str | Mapping[str, object]) -> None:
        try:
            record = parse_record(line)
        except ValueError:
            self.bad_lines += 1
            return
        if record is None:
            return
        if not record.get("decision_id"):
            self.corroboration.event(record)
            return
        asked = Asked.of(record)
        binding = record.get("classification") == "load-bearing"
        concerned = self._concerns(asked)
        if record.get("outcome") == ASKED:
            self.corroboration.asked(asked, report=concerned and binding)
        if concerned:
            self._token(asked, text_of(record, "outcome"), binding)

    def _concerns(self, asked: Asked) -> bool:
        phase = self.target.phase
        if phase and asked.phase.lower() != phase.lower():
            return False
        if self.target.pull_request > 0:
            return asked.pull_request_number == str(self.target.pull_request)
        if self.target.issue <= 0:
            return True
        # A token of a pull request names no issue either, and is not from an old log.
        return asked.issue_number == str(self.target.issue) or not asked.number

    def _token(self, asked: Asked, outcome: str, binding: bool) -> None:
        self.tokens += 1
        if outcome == ASKED:
            self._settle(asked, is_open=binding)
        elif outcome in LAWFUL_SKIPS:
            self.skips += 1
            self._settle(asked, is_open=False)
        elif len(self.unknown) < _MAX_UNKNOWN:
            self.unknown.add(echo(outcome))

    def _settle(self, asked: Asked, *, is_open: bool) -> None:
        """Let the token take the place of an earlier one for the same decision."""
        decision = asked.decision_id.lower()
        key = (decision, asked.phase.lower(), asked.number or str(self.target.issue))
        before = self.open.get(key)
        if before and asked.timestamp < before.timestamp:
            return
        if not is_open or decision in self.recorded:
            self.open.pop(key, None)
        elif before or len(self.open) < MAX_OPEN:
            self.open[key] = asked.again(before)
        else:
            self.overflow = True

    def result(self, failures: Sequence[Problem]) -> Reconciliation:
        problems = list(failures)
        if self.bad_lines:
            sentence = f"lines of the log that are no JSON: {self.bad_lines}"
            problems.append(Problem("bad-lines", sentence))
        if self.unknown:
            named = ", ".join(sorted(self.unknown)[:5])
            problems.append(Problem("unknown-outcome", f"tokens with an unknown outcome: {named}"))
        if self.overflow:
            sentence = f"more than {MAX_OPEN} open decisions; the rest was not looked at"
            problems.append(Problem("too-many-open", sentence))
        return Reconciliation(
            tuple(self.open.values()),
            self.corroboration.missing(),
            self.tokens,
            len(self.recorded),
            self.skips,
            self.bad_lines,
            tuple(sorted(self.unknown)),
            tuple(problems),
            failed=bool(failures) or self.overflow,
        )
