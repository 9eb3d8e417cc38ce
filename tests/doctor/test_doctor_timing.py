"""Programs that the doctor tries: what they say, and that none of them outlives its time."""

import os
import sys
import time
from pathlib import Path

import pytest

from session_memory.doctor import timing


def test_what_a_program_does_is_told() -> None:
    done = timing.run([sys.executable, "-c", "print('hello'); exit(3)"], os.environ)
    assert done
    assert (done.returncode, done.stdout.strip(), done.stderr) == (3, b"hello", b"")


@pytest.mark.parametrize("command", [["/no/such/program"], ["a\0b"]])
def test_a_program_that_cannot_start_is_none(command: list[str]) -> None:
    assert timing.run(command, os.environ) is None


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_children_end_with_a_program_that_takes_too_long(tmp_path: Path) -> None:
    noted = tmp_path / "child"
    script = f"sleep 60 & echo $! >{noted}; wait"
    assert timing.run(["/bin/sh", "-c", script], os.environ, limit_s=0.5) is None
    child = int(noted.read_text())
    end = time.monotonic() + 10
    while _is_alive(child) and time.monotonic() < end:
        time.sleep(0.01)
    assert not _is_alive(child)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that nobody has waited for is dead all the same.
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
