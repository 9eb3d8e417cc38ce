"""Programs timed side by side, so that a busy machine slows both alike."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from statistics import median

from session_memory.core.system import WINDOWS

LIMIT_S = 2.0

Command = Sequence[str]


def run(
    command: Command, env: Mapping[str, str], limit_s: float = LIMIT_S
) -> "subprocess.CompletedProcess[bytes] | None":
    """What ``command`` does without input; ``None`` when it cannot start or takes too long.

    In that case its children are ended with it: they would go on in a folder that is removed.
    """
    try:
        process = subprocess.Popen(
            [*command],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    with process:
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _end(process)
            return None
    return subprocess.CompletedProcess([*command], process.returncode, out, err)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if WINDOWS:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def paired_ms(commands: Sequence[Command], env: Mapping[str, str], rounds: int) -> list[float]:
    """The median time of each command in milliseconds, taken in ``rounds`` rounds of all."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for command, taken in zip(commands, times):
            start = time.perf_counter()
            run(command, env)
            taken.append((time.perf_counter() - start) * 1000)
    return [median(taken) for taken in times]
