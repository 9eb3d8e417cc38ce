"""The one place that runs git."""

import hashlib
import os
import signal
import time
from pathlib import Path

import pytest

from session_memory.core import deadline, git
from support import Repository


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Another git, first on PATH."""
    path = tmp_path / "bin" / "git"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o700)
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")


def test_an_answer(repo: Repository) -> None:
    assert (
        git.run(str(repo.root), "rev-parse", "HEAD")
        == f"{repo.git('rev-parse', 'HEAD')}\n".encode()
    )
    assert git.first_line(str(repo.root), "branch", "--show-current") == "main"


def test_input(repo: Repository) -> None:
    blob = git.run(str(repo.root), "hash-object", "--stdin", stdin=b"text")
    assert blob == hashlib.sha1(b"blob 4\0text").hexdigest().encode() + b"\n"


def test_a_failure_is_no_answer(repo: Repository, tmp_path: Path) -> None:
    assert git.run(str(repo.root), "rev-parse", "nothing") is None
    assert git.run(str(tmp_path / "absent"), "status") is None
    assert git.run("/\0", "status") is None


def test_no_git_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    before = os.listdir("/proc/self/fd")
    assert git.run(str(tmp_path), "status") is None
    assert os.listdir("/proc/self/fd") == before


def test_the_callers_repository_is_not_inherited(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, 'env | grep ^GIT_ | sort\n[ -n "$HOME" ]\n')
    answer = git.run(str(tmp_path), "anything") or b""
    names = [line.partition(b"=")[0].decode() for line in answer.splitlines()]
    assert names == sorted(name for name in git._SETTINGS if name.startswith("GIT_"))


def test_descriptors_are_closed(repo: Repository) -> None:
    before = os.listdir("/proc/self/fd")
    git.run(str(repo.root), "status")
    assert os.listdir("/proc/self/fd") == before


def test_a_git_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "exec sleep 30\n")
    monkeypatch.setattr(git, "LIMIT_S", 0.2)
    monkeypatch.setattr(deadline, "_end", None)
    deadline.start(30)
    started = time.monotonic()
    try:
        assert git.run(str(tmp_path), "status") is None
    finally:
        stop()
    assert time.monotonic() - started < 2
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_git_that_hangs_is_killed_without_a_countdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "exec sleep 30\n")
    monkeypatch.setattr(git, "LIMIT_S", 0.2)
    started = time.monotonic()
    assert git.run(str(tmp_path), "status") is None
    assert time.monotonic() - started < 2


def test_the_deadline_ends_git_and_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "exec sleep 30\n")
    monkeypatch.setattr(deadline, "_end", None)
    deadline.start(0.2)
    try:
        with pytest.raises(deadline.OutOfTime):
            git.run(str(tmp_path), "status")
    finally:
        stop()


def stop() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
