"""Child processes under one deadline: side by side, bounded in time and output, ended as a tree.

Their input and output are files of a scratch folder, so no pipe can fill up, and what a child left
behind cannot keep a reader waiting.
"""

import os
import subprocess
import time

from session_memory.core.system import WINDOWS, join, read_file
from session_memory.startup.limits import WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_OUTPUT = 16 << 20

# Seconds between two looks at children: the first ones end within milliseconds.
_SHORTEST_S = 0.0005
_LONGEST_S = 0.02


class Child:
    """One run of a program. ``code`` is ``None`` until it has ended by itself.

    ``output`` is then what it printed; nothing is kept of a child that was ended.
    """

    def __init__(self, command: "Sequence[str]", stdin: bytes = b"") -> None:
        self.command = command
        self.stdin = stdin
        self.code: int | None = None
        self.output = b""
        self.timed_out = False
        self._process: subprocess.Popen[bytes] | None = None
        self._out = ""

    @property
    def succeeded(self) -> bool:
        """Whether it ended, and well."""
        return self.code == 0

    def start(self, folder: str, environment: "Mapping[str, str]", name: str) -> None:
        """Run in ``folder``; files named after ``name`` are made there. A failure is an end."""
        self._out = join(folder, f"{name}.out")
        source = join(folder, f"{name}.in")
        try:
            with open(source, "wb") as given:
                given.write(self.stdin)
            with open(source, "rb") as stdin, open(self._out, "wb") as stdout:
                self._process = subprocess.Popen(
                    self.command,
                    cwd=folder,
                    env=environment,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
        except (OSError, ValueError):
            self.code = 127

    def poll(self) -> bool:
        """Whether it is over."""
        if self._process is None:
            return True
        code = self._process.poll()
        if code is None:
            return self._is_too_much()
        self._process = None
        self.code = code
        self.output = read_file(self._out, MAX_OUTPUT) or b""
        return True

    def end(self) -> None:
        """End it and whatever it has started, if it still runs."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        self.timed_out = True
        try:
            if WINDOWS:  # pragma: no cover
                process.kill()
            else:
                os.killpg(process.pid, 9)
            process.wait(0.5)
        except (OSError, subprocess.TimeoutExpired):
            pass

    def _is_too_much(self) -> bool:
        try:
            if os.stat(self._out).st_size <= MAX_OUTPUT:
                return False
        except OSError:
            pass
        self.end()
        return True


def wait(children: "Sequence[Child]", end: float) -> None:
    """Wait for all that were started, until ``end`` of the monotonic clock; then end the rest."""
    pause = _SHORTEST_S
    try:
        while not all([child.poll() for child in children]):
            left = end - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST_S)
    finally:
        for child in children:
            child.end()


def run_all(
    children: "Sequence[Child]", folder: str, environment: "Mapping[str, str]", end: float
) -> int:
    """Run all, a few at a time, until ``end``; how many were started."""
    waiting = list(enumerate(children))
    running: list[Child] = []
    pause = _SHORTEST_S
    try:
        while (waiting or running) and time.monotonic() < end:
            before = len(running)
            running = [child for child in running if not child.poll()]
            pause = _SHORTEST_S if len(running) < before else min(2 * pause, _LONGEST_S)
            while waiting and len(running) < WIDTH:
                index, child = waiting.pop(0)
                child.start(folder, environment, str(index))
                running.append(child)
            time.sleep(max(0.0, min(pause, end - time.monotonic())))
    finally:
        for child in running:
            child.end()
    return len(children) - len(waiting)
