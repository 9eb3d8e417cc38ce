"""Wall time of whole processes, from the spawn to the wait, in shuffled rounds."""

import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """A command to time. ``payload`` makes the standard input of the run with that number."""

    name: str
    argv: list[str]
    payload: Callable[[int], bytes]
    env: dict[str, str]
    goal: float | None = None
    quiet: bool = False


@dataclass
class Times:
    """Milliseconds of a case, one a round, and their ratios to the floor of the same round."""

    case: Case
    ms: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def median_ms(self) -> float:
        return statistics.median(self.ms)

    @property
    def p90_ms(self) -> float:
        return sorted(self.ms)[int(len(self.ms) * 0.9)]

    @property
    def ratio(self) -> float:
        """The median of the ratios: noise that hits a whole round cancels out."""
        return statistics.median(self.ratios)


class CaseFailed(Exception):
    """A command did not do what it was to be timed for."""


def measure(cases: Sequence[Case], runs: int, folder: Path) -> list[Times]:
    """Time all ``cases`` in ``runs`` rounds; the first is the floor. Raises :class:`CaseFailed`."""
    times = [Times(case) for case in cases]
    for number in range(runs):
        for each in random.sample(times, len(times)):
            each.ms.append(_run(each.case, number, folder))
        for each in times:
            each.ratios.append(each.ms[-1] / times[0].ms[-1])
    return times


def rehearse(case: Case) -> None:
    """Run ``case`` twice, which also compiles its modules, and look at what the second run did.

    Raises :class:`CaseFailed`.
    """
    for number in (-2, -1):
        done = subprocess.run(
            case.argv, input=case.payload(number), env=case.env, capture_output=True, check=False
        )
    if done.returncode or done.stderr or (case.quiet and done.stdout):
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise CaseFailed(f"{case.name}: exit code {done.returncode}: {said[:300]}")


def _run(case: Case, number: int, folder: Path) -> float:
    source = folder / "stdin"
    source.write_bytes(case.payload(number))
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(source), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    started = time.perf_counter()
    pid = os.posix_spawn(case.argv[0], case.argv, case.env, file_actions=actions)
    _, status, _ = os.wait4(pid, 0)
    elapsed = time.perf_counter() - started
    if status:
        raise CaseFailed(f"{case.name}: exit code {os.waitstatus_to_exitcode(status)}")
    return elapsed * 1000
