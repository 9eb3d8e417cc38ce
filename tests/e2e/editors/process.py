"""Running a client in a process group that ends when its time is up."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Far more than any scenario takes, even on a busy machine.
LIMIT_S = 90.0


@contextmanager
def client_process(
    command: list[str], cwd: Path, env: dict[str, str], **streams: int
) -> Iterator["subprocess.Popen[str]"]:
    """A client at work; it and all that it has started are gone afterwards."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        text=True,
        start_new_session=True,
        **streams,  # type: ignore[call-overload]
    )
    watchdog = threading.Timer(LIMIT_S, end_group, [process.pid])
    watchdog.daemon = True
    watchdog.start()
    try:
        yield process
    finally:
        watchdog.cancel()
        end_group(process.pid)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe and not pipe.closed:
                pipe.close()


def end_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
