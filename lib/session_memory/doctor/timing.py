"""Programs timed side by side, so that a busy machine slows both alike."""

import subprocess
import time
from collections.abc import Mapping, Sequence
from statistics import median

LIMIT_S = 2.0

Command = Sequence[str]


def run(
    command: Command, env: Mapping[str, str], limit_s: float = LIMIT_S
) -> "subprocess.CompletedProcess[bytes] | None":
    """What ``command`` does without input; ``None`` when it cannot start or takes too long."""
    try:
        return subprocess.run(
            [*command],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def paired_ms(commands: Sequence[Command], env: Mapping[str, str], rounds: int) -> list[float]:
    """The median time of each command in milliseconds, taken in ``rounds`` rounds of all."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for command, taken in zip(commands, times):
            start = time.perf_counter()
            run(command, env)
            taken.append((time.perf_counter() - start) * 1000)
    return [median(taken) for taken in times]
