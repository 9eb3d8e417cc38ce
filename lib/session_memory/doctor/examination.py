"""All checks, in an order in which a cause comes before what follows from it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from session_memory.doctor import (
    agent_files,
    bundle,
    bytecode,
    calibration,
    clock,
    command_faults,
    diagnostics_log,
    doubles,
    entry_points,
    github_cli,
    interpreter,
    references,
    registrations,
    settings,
    state,
    state_files,
    switches,
    trust,
)
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.launches import Launch, launches, untried
from session_memory.doctor.registrations import Registered, Registry
from session_memory.editors.surroundings import Surroundings


@dataclass(frozen=True)
class Examination:
    """What was found, worst first."""

    around: Surroundings
    active: list[Registered]
    findings: list[Finding]
    seconds: float

    @property
    def worst(self) -> Level:
        """The worst level of all findings."""
        return max((finding.level for finding in self.findings), default=Level.OK)


def examine(around: Surroundings, trials: bool = True, github: bool = False) -> Examination:
    """Run every check; without ``trials``, none for which a hook or its interpreter is started.

    ``github`` adds the check that uses the network.

    Nothing in the repository or in the home is changed.
    """
    start = time.monotonic()
    registry = Registry(around)
    found = dict.fromkeys(_all(around, registry, trials))
    if github:
        from session_memory.doctor import write_access

        found |= dict.fromkeys(write_access.check(around))
    ordered = sorted(found, key=lambda finding: -finding.level)
    return Examination(around, registry.active, ordered, time.monotonic() - start)


def _all(around: Surroundings, registry: Registry, trials: bool) -> Iterator[Finding]:
    yield from registrations.broken(registry)
    yield from switches.check(around, registry.off, registry.claude)
    yield from registrations.check(registry)
    yield from doubles.check(registry)
    yield from trust.check(registry)
    yield from command_faults.check(registry)
    yield from settings.check(around)
    starts = launches(registry)
    yield from untried(registry)
    for launch in starts if trials else ():
        yield from _launch(launch, around)
    yield from state.check(around)
    yield from state_files.check(around)
    yield from calibration.check(around)
    yield from agent_files.check(around)
    yield from references.check(around)
    yield from github_cli.check(around)
    yield from clock.check()
    yield from diagnostics_log.check(around, starts)


def _launch(launch: Launch, around: Surroundings) -> Iterator[Finding]:
    whole = list(bundle.check(launch))
    yield from whole
    environ = {**around.environ, **dict(launch.variables)}
    choice = interpreter.choose(launch, environ)
    yield from interpreter.check(launch, choice, environ)
    if choice.python and not any(finding.level == Level.FAULT for finding in whole):
        verdict = bytecode.judge(launch, choice.python, environ)
        yield bytecode.check(launch, choice.python, verdict)
        if not verdict.torn:
            yield from entry_points.check(launch, choice.python, environ, verdict.passes)
