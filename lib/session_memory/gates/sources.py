"""Where reconciliation gets its two sides from: the gate-event log, and what GitHub records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from session_memory.gates.lines import MAX_LINE_BYTES
from session_memory.gates.reader import GateLog
from session_memory.gates.reconcile import Reconciliation, reconcile
from session_memory.gates.tail import Faults
from session_memory.markers.comment import Comment
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.records.recorded import Recorded, recorded
from session_memory.records.sources import Sources, Thread


@dataclass
class Log:
    """A stream of records, and what could not be read of it once it has been read to the end."""

    records: "Iterator[bytes | Mapping[str, object]]"
    faults: Faults = field(default_factory=Faults)

    @classmethod
    def of_worktree(cls, root: str) -> "Log":
        """The logs of every conversation below ``root``."""
        log = GateLog(root)
        return cls((entry.record for entry in log.read()), log.faults)

    @classmethod
    def of_file(cls, file: BinaryIO, name: str) -> "Log":
        """One log in its own order, held a line at a time."""
        faults = Faults()
        return cls(_lines(file, name, faults), faults)


@dataclass(frozen=True)
class Result:
    """A reconciliation, and what was left out of the records on the way."""

    reconciliation: Reconciliation
    warnings: tuple[Problem, ...] = ()


def run(log: Log, sources: Sources, target: Target) -> Result:
    """Reconcile the log with what the target's conversations record.

    Without the records nothing can be said to be missing from them: a conversation that could not
    be read leaves no findings and an incomplete result.
    """
    threads = sources.threads(target)
    unread = [thread.problem for thread in threads if thread.problem]
    known = Recorded()
    if not unread:
        known = recorded(_comments(threads), target, trusts=sources.trusts)
    result = reconcile(log.records, known.ids, target, failures=[*unread, *known.failures])
    if unread:
        result = replace(result, findings=())
    return Result(_with_faults(result, log.faults), known.warnings)


def _comments(threads: list[Thread]) -> list[Comment]:
    return [comment for thread in threads for comment in thread.comments]


def _with_faults(result: Reconciliation, faults: Faults) -> Reconciliation:
    """A file that cannot be read may hold anything; a bad line is one line."""
    problems = list(result.problems)
    if faults.lines:
        first = ", ".join(faults.first)
        problems.append(Problem("bad-lines", f"{faults.lines} unreadable lines, first {first}"))
    problems += [Problem("log-unreadable", text) for text in faults.files]
    return replace(
        result,
        bad_lines=result.bad_lines + faults.lines,
        problems=tuple(problems),
        failed=result.failed or bool(faults.files),
    )


def _lines(file: BinaryIO, name: str, faults: Faults) -> Iterator[bytes]:
    number, too_long = 1, False
    while part := file.readline(MAX_LINE_BYTES + 1):
        if len(part) > MAX_LINE_BYTES and not part.endswith(b"\n"):
            too_long = True
            continue
        if too_long:
            faults.bad_line(name, number)
        else:
            yield part
        number, too_long = number + 1, False
    if too_long:
        faults.bad_line(name, number)
