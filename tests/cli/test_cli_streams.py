"""Commands whose caller has closed a stream, or stands in a folder that is gone."""

import os
import subprocess
from pathlib import Path

import pytest

from command_line import COMMAND, environment
from support import Repository

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


def sh(script: str, cwd: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run ``script`` with the command and ``arguments`` as its own."""
    return subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, *arguments],
        cwd=cwd,
        env=environment(cwd.parent / "home"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_closed_input_is_empty(repo: Repository) -> None:
    done = sh('exec "$@" <&-', repo.root, "handshake", "verify")
    assert (done.returncode, done.stderr) == (11, "")
    assert done.stdout.startswith("missing-handshake: ")


def test_closed_output_is_no_fault(repo: Repository) -> None:
    done = sh('exec "$@" >&-', repo.root, "handshake", "create")
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_errors_leave_the_exit_code(repo: Repository) -> None:
    done = sh('exec "$@" 2>&-', repo.root, "memory", "path", "plan")
    assert (done.returncode, done.stdout) == (64, "")


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    done = sh(script, tmp_path, "tracking", "list")
    assert (done.returncode, done.stdout) == (3, "")
    assert "the working directory is gone" in done.stderr
