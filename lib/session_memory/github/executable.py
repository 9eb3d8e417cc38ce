"""The ``gh`` program: where it is, and one bounded run of it."""

import os
import re
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from session_memory.core.system import WINDOWS
from session_memory.github.errors import GhMissing, GhTooOld

# The oldest version that the tests run; Debian 12 ships it.
OLDEST = (2, 23)

_MAX_ERRORS = 1 << 16
_SETTINGS = {
    "DO_NOT_TRACK": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_PROMPT_DISABLED": "1",
    "GH_TELEMETRY": "false",
    "NO_COLOR": "1",
}
# They colour the answer, page it, or print requests with their text and token.
_UNWANTED = frozenset({"CLICOLOR_FORCE", "DEBUG", "GH_DEBUG", "GH_FORCE_TTY", "GH_PAGER"})
_VERSION = re.compile(rb"gh version (\d+)\.(\d+)")


@dataclass(frozen=True)
class Finished:
    """A run that ended: exit code and output. ``code`` is negative for a run that was cut short."""

    code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    overflowed: bool = False


@dataclass(frozen=True)
class Executable:
    """A gh to run. ``path`` is absolute, so that no lookup depends on the current folder."""

    path: Path

    @classmethod
    def find(cls, environment: Mapping[str, str] | None = None) -> "Executable":
        """The first gh in an absolute folder of PATH; :class:`GhMissing` when there is none."""
        environment = os.environ if environment is None else environment
        folders = environment.get("PATH", "").split(os.pathsep)
        for folder in filter(os.path.isabs, folders):
            path = Path(folder, "gh.exe" if WINDOWS else "gh")
            if path.is_file() and os.access(path, os.X_OK):
                return cls(path)
        raise GhMissing("looking for gh", "not found on PATH")

    def run(
        self, arguments: Sequence[str], stdin: bytes, *,
        limit_s: float, max_output: int, settings: "Mapping[str, str] | None" = None,
    ) -> Finished:  # fmt: skip
        """Run gh without a shell or a terminal, for at most ``limit_s`` seconds.

        ``settings`` are variables of its environment.
        """
        try:
            process = subprocess.Popen(
                [str(self.path), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**_environment(), **(settings or {})},
                start_new_session=not WINDOWS,
            )
        except OSError as error:
            raise GhMissing("starting gh", error.strerror or "") from error
        return _Run(process, max_output).until_end(stdin, limit_s)

    def version(self) -> tuple[int, int]:
        """Major and minor version; :class:`GhTooOld` when it is unsuitable or not GitHub's gh."""
        done = self.run(["--version"], b"", limit_s=10, max_output=4096)
        match = _VERSION.match(done.stdout)
        if match is None:
            raise GhTooOld("asking gh for its version", "not GitHub's gh")
        version = (int(match[1]), int(match[2]))
        if version < OLDEST:
            raise GhTooOld("asking gh for its version", f"{version[0]}.{version[1]}")
        return version


# Seconds for a thread to see that the pipe it reads has ended.
_PATIENCE_S = 1.0


class _Run:
    """One child process and the threads that keep its three pipes from blocking each other."""

    def __init__(self, process: subprocess.Popen[bytes], max_output: int) -> None:
        self.stdin = cast("IO[bytes]", process.stdin)
        self.stdout = cast("IO[bytes]", process.stdout)
        self.stderr = cast("IO[bytes]", process.stderr)
        self.process = process
        self.max_output = max_output
        self.errors = b""
        self.timed_out = False

    def until_end(self, stdin: bytes, limit_s: float) -> Finished:
        timer = threading.Timer(limit_s, self._expire)
        feeder = threading.Thread(target=self._feed, args=(stdin,), daemon=True)
        listener = threading.Thread(target=self._listen, daemon=True)
        with self.process:
            try:
                for thread in (timer, feeder, listener):
                    thread.start()
                output = self.stdout.read(self.max_output + 1)
                overflowed = len(output) > self.max_output
                if overflowed:
                    self._kill()
                listener.join()
                feeder.join()
                code = self.process.wait()
            finally:
                timer.cancel()
                self._kill()
                # Whatever ended the wait, nobody may still read a pipe that is about to be closed.
                for thread in (feeder, listener):
                    if thread.is_alive():
                        thread.join(_PATIENCE_S)
        return Finished(code, output, self.errors, self.timed_out, overflowed)

    def _feed(self, data: bytes) -> None:
        for step in (lambda: self.stdin.write(data), self.stdin.close):
            try:
                step()
            except OSError:
                # gh ended before it had read everything; its exit code tells why.
                pass

    def _listen(self) -> None:
        self.errors = self.stderr.read(_MAX_ERRORS)
        while self.stderr.read(_MAX_ERRORS):
            pass

    def _expire(self) -> None:
        self.timed_out = True
        self._kill()

    def _kill(self) -> None:
        if self.process.returncode is not None:
            # Its number may be another process's by now.
            return
        if WINDOWS:
            self.process.kill()
        else:
            # The whole group: a child that survives its parent would keep the pipes open.
            os.killpg(self.process.pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    return {**kept, **_SETTINGS}
