"""A person at a terminal: types, presses Enter, and looks at what happens, not at the screen."""

import os
import select
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from e2e.editors.process import LIMIT_S, client_process

# Seconds: between two keys, after an answer, and until a key must have had its effect.
_PATIENCE_S = 0.4
_SETTLED_S = 0.5
_EFFECT_S = 20.0

_ERASE_LINE = "\x15"

# What a terminal answers when it is asked what it is, and where its cursor stands.
_ANSWERS = {b"\x1b[c": b"\x1b[?62;22c", b"\x1b[6n": b"\x1b[1;1R"}


class Terminal:
    """The keyboard of a client that was started with :func:`at_terminal`."""

    def __init__(self, fd: int, process: subprocess.Popen[str]) -> None:
        self.screen = b""
        self._fd = fd
        self._process = process
        self._end = time.monotonic() + LIMIT_S

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def enter(self, text: str, happened: Callable[[], bool]) -> None:
        """Enter ``text`` until it has an effect: what is typed too early is lost."""
        self.wait(_SETTLED_S)
        while not happened():
            self.type(_ERASE_LINE + text)
            self.wait(_PATIENCE_S)
            self.type("\r")
            self.wait_for(happened, _EFFECT_S)

    def press_enter_until(self, happened: Callable[[], bool]) -> None:
        """Take what dialogs offer first, once they are there: trust in the folder, for one."""
        while not happened():
            self.wait_for(happened, _PATIENCE_S)
            self.type("\r")

    def wait_for(self, happened: Callable[[], bool], seconds: float = LIMIT_S) -> None:
        """Wait no longer than ``seconds``.

        Raises :class:`AssertionError` when the client has ended, or the time of the test has.
        """
        end = time.monotonic() + seconds
        while not happened() and time.monotonic() < end:
            assert self._process.poll() is None, "the client ended: " + self._shown()
            assert time.monotonic() < self._end, "nothing happened: " + self._shown()
            self.wait(0.05)

    def wait(self, seconds: float) -> None:
        """Read what the client draws, and answer what it asks of a terminal."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self._fd], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return
            try:
                drawn = os.read(self._fd, 1 << 16)
            except OSError:  # the client is gone
                return
            self.screen += drawn
            for question, answer in _ANSWERS.items():
                if question in drawn:
                    os.write(self._fd, answer)

    def _shown(self) -> str:
        return self.screen.decode("utf-8", "replace")[-3000:]


def at_terminal(
    command: list[str], cwd: Path, env: dict[str, str], work: Callable[[Terminal], None]
) -> str:
    """Let ``work`` use the client, then end it; what it drew."""
    # Neither exists on Windows, where the tests are collected all the same.
    import fcntl
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        with client_process(
            command, cwd, env, stdin=theirs, stdout=theirs, stderr=theirs
        ) as process:
            os.close(theirs)
            terminal = Terminal(ours, process)
            work(terminal)
            return terminal.screen.decode("utf-8", "replace")
    finally:
        os.close(ours)
