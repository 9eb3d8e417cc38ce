"""Asking the remote and GitHub: only when allowed, once, within limits, and failing open."""

import os
import time
from pathlib import Path

import pytest

from session_memory.core.hosts import CLAUDE
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.events import session_start
from session_memory.startup import github, limits, remote
from startup.looks import Start
from startup_support import UNMERGED, Clone, Programs, look
from support import Repository

X = "claude/x"
FEATURE = "feature/issue-4-x"
HANGS = 'case "$*" in *ls-remote*) exec sleep 60;; esac'


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting that would take seconds takes a moment."""
    monkeypatch.setattr(remote, "GIT_NETWORK_S", 0.3)
    monkeypatch.setattr(github, "GH_S", 0.5)


def _deleted(clone: Clone, name: str = FEATURE) -> None:
    """Merged, and deleted on the remote after the last fetch."""
    clone.branch(name)
    clone.follow(name)
    clone.remote.git("update-ref", "-d", f"refs/heads/{name}")


def test_remote_is_not_asked_unless_allowed(clone: Clone) -> None:
    _deleted(clone)
    looked = look(clone.primary.root)
    assert (looked.text, looked.run.ls_remote) == ("", 0)


def test_remote_tells_which_branches_are_gone_now(clone: Clone) -> None:
    _deleted(clone)
    looked = look(clone.primary.root, network=True)
    assert looked.names == {"orphan"}
    assert "of remote and GitHub as of now" in looked.text
    assert looked.run.ls_remote == 1
    assert clone.primary.git("rev-parse", "--verify", f"refs/remotes/origin/{FEATURE}")


def test_remote_tells_that_a_branch_is_there_again(clone: Clone) -> None:
    clone.branch(FEATURE)
    clone.follow(FEATURE, pruned=True)
    assert look(clone.primary.root).names == {"orphan"}
    clone.primary.git("push", "--quiet", str(clone.remote.root), FEATURE)
    assert look(clone.primary.root, network=True).text == ""


def test_remote_is_not_asked_about_branches_that_nobody_pushes(clone: Clone) -> None:
    clone.branch(X)
    assert look(clone.primary.root, network=True).run.ls_remote == 0


def test_branches_of_another_remote_are_judged_by_local_refs(clone: Clone, tmp_path: Path) -> None:
    Repository.create(tmp_path / "fork.git", "--bare")
    clone.primary.git("remote", "add", "fork", str(tmp_path / "fork.git"))
    clone.branch(FEATURE)
    clone.primary.git("push", "--quiet", "--set-upstream", "fork", FEATURE)
    _deleted(clone, "feature/issue-5-x")
    looked = look(clone.primary.root, network=True)
    assert [each.name for each in looked.found.candidates] == ["feature/issue-5-x"]


@pytest.mark.usefixtures("impatient")
def test_unreachable_remote(clone: Clone, tmp_path: Path) -> None:
    clone.branch(FEATURE)
    clone.follow(FEATURE, pruned=True)
    _deleted(clone, "feature/issue-5-x")
    with Programs.first(tmp_path / "bin", git=HANGS):
        looked = look(clone.primary.root, network=True)
    assert [each.name for each in looked.found.candidates] == [FEATURE]
    assert "The remote did not answer in time" in looked.text


@pytest.mark.usefixtures("impatient")
def test_unreachable_remote_of_a_tidy_clone_is_not_mentioned(clone: Clone, tmp_path: Path) -> None:
    clone.branch(FEATURE, UNMERGED)
    clone.follow(FEATURE)
    with Programs.first(tmp_path / "bin", git=HANGS):
        assert look(clone.primary.root, network=True).text == ""


@pytest.mark.slow
def test_hook_with_an_unreachable_remote_ends_in_its_time(
    clone: Clone, start: Start, tmp_path: Path
) -> None:
    for index in range(30):
        clone.branch(f"feature/issue-{index + 1}-x")
        clone.follow(f"feature/issue-{index + 1}-x", missing=True)
    clone.branch(X)
    with Programs.first(tmp_path / "bin", git=HANGS, gh={"delay": 60}):
        began = time.monotonic()
        env = {"SESSION_MEMORY_NETWORK": "1", "PATH": os.environ["PATH"]}
        done = start({"env": env}, cwd=str(clone.primary.root))
    assert time.monotonic() - began < limits.RUN_S + 1
    assert (done.code, done.stderr) == (0, b"")
    assert "`claude/x` is merged" in done.context
    assert "did not answer in time" in done.context


@pytest.mark.parametrize(
    ("remotes", "chosen"),
    [
        (["fork", "origin", "fork"], "origin"),
        (["b", "a", "b"], "b"),
        (["b", "a"], "a"),
        ([".", "", "-x"], ""),
        ([], ""),
    ],
)
def test_one_remote_is_asked(remotes: list[str], chosen: str) -> None:
    from session_memory.startup.refs import Branch

    followed = [Branch(str(index), "0", "u", name, "r") for index, name in enumerate(remotes)]
    assert remote.choose(followed) == chosen


def test_no_question_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "1")
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -x")
    made = remote.environment()
    assert "GIT_DIR" not in made
    assert (made["GIT_TERMINAL_PROMPT"], made["GIT_SSH_COMMAND"]) == ("0", "ssh -x")
    assert (made["GIT_ASKPASS"], made["GCM_INTERACTIVE"]) == ("echo", "Never")


def test_remote_that_is_a_command_is_not_run(clone: Clone, tmp_path: Path) -> None:
    _deleted(clone)
    clone.primary.git("config", "remote.origin.url", f"ext::touch {tmp_path}/owned")
    clone.primary.git("config", "protocol.ext.allow", "always")
    look(clone.primary.root, network=True)
    assert not (tmp_path / "owned").exists()


def test_start_in_process_takes_the_same_way(clone: Clone) -> None:
    clone.branch(X)
    session = Session(Event({"session_id": "in", "cwd": str(clone.primary.root)}, CLAUDE))
    session_start.handle(session)
    assert session.context == look(clone.primary.root).text
