"""Child processes under one deadline: side by side, bounded in time and output, ended as a tree.

Their input and output are files of a scratch folder, so no pipe can fill up, and what a child left
behind cannot keep a reader waiting.
"""

import time

from session_memory.core.system import WINDOWS, join, native, read_file, write_all
from session_memory.startup.limits import WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from typing import Union

    Environment = Union[Mapping[str, str], Mapping[bytes, bytes]]

MAX_OUTPUT = 16 << 20

# Seconds between two looks at children: the first ones end within milliseconds.
_SHORTEST_S = 0.0005
_LONGEST_S = 0.02

_NEW_FILE = native.O_WRONLY | native.O_CREAT | native.O_EXCL
_KILL = 9
# The exit code of a shell for a program that is not there.
_NOT_FOUND = 127


class Child:
    """One run of a program. ``code`` is ``None`` until it has ended by itself.

    ``output`` is then what it printed; nothing is kept of a child that was ended.
    """

    def __init__(self, command: "list[str]", stdin: bytes = b"") -> None:
        self.command = command
        self.stdin = stdin
        self.code: int | None = None
        self.output = b""
        self.timed_out = False
        self._process: _Process | subprocess.Popen[bytes] | None = None
        self._out = ""

    @property
    def succeeded(self) -> bool:
        """Whether it ended, and well."""
        return self.code == 0

    def start(self, folder: str, environment: "Environment", name: str) -> None:
        """Run; files named after ``name`` are made in ``folder``. A failure is an end."""
        self._out = join(folder, f"{name}.out")
        source = join(folder, f"{name}.in")
        try:
            fd = native.open(source, _NEW_FILE, 0o600)
            try:
                write_all(fd, self.stdin)
            finally:
                native.close(fd)
            self._process = _launch(self.command, environment, source, self._out)
        except (OSError, ValueError):
            self.code = _NOT_FOUND

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
        if process is not None and process.poll() is None:
            self.timed_out = True
            process.kill()

    def _is_too_much(self) -> bool:
        try:
            if native.stat(self._out).st_size <= MAX_OUTPUT:
                return False
        except OSError:
            pass
        self.end()
        return True


class _Process:
    """A process that leads a group of its own and has no terminal to ask questions on."""

    def __init__(
        self, command: "list[str]", environment: "Environment", source: str, sink: str
    ) -> None:
        # Not subprocess: its import costs more than a question to git.
        actions = [
            (native.POSIX_SPAWN_OPEN, 0, source, native.O_RDONLY, 0),
            (native.POSIX_SPAWN_OPEN, 1, sink, _NEW_FILE, 0o600),
            (native.POSIX_SPAWN_OPEN, 2, "/dev/null", native.O_WRONLY, 0),
        ]
        spawn = native.posix_spawnp
        try:
            self._pid = spawn(command[0], command, environment, file_actions=actions, setsid=True)
        except NotImplementedError:  # pragma: no cover - a C library without it
            self._pid = spawn(command[0], command, environment, file_actions=actions, setpgroup=0)
        self._code: int | None = None

    def poll(self) -> "int | None":
        """The exit code, negative for a signal; ``None`` while it runs."""
        if self._code is None:
            pid, status = native.waitpid(self._pid, native.WNOHANG)
            if pid:
                self._code = status >> 8 if status & 0x7F == 0 else -(status & 0x7F)
        return self._code

    def kill(self) -> None:
        """End it and its children."""
        try:
            native.killpg(self._pid, _KILL)
        except OSError:  # pragma: no cover - not yet the leader of its group
            native.kill(self._pid, _KILL)
        native.waitpid(self._pid, 0)


def _launch(
    command: "list[str]", environment: "Environment", source: str, sink: str
) -> "_Process | subprocess.Popen[bytes]":
    if not WINDOWS:
        return _Process(command, environment, source, sink)
    import subprocess  # pragma: no cover

    with open(source, "rb") as stdin, open(sink, "wb") as stdout:  # pragma: no cover
        null = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=null, env=environment)


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
    children: "Sequence[Child]", folder: str, environment: "Environment", end: float
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
            if running:
                time.sleep(max(0.0, min(pause, end - time.monotonic())))
    finally:
        for child in running:
            child.end()
    return len(children) - len(waiting)
