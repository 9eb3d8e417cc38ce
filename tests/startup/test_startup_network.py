"""Asking the remote and GitHub: only when allowed, once, within limits, and failing open."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import settings
from session_memory.core.hosts import CLAUDE
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.core.settings import NETWORK
from session_memory.events import session_start
from session_memory.startup import github, limits, permission, remote
from session_memory.startup.eligibility import NO_MATCH, TIMEOUT, UNAVAILABLE
from session_memory.startup.run import Run
from startup.looks import Start
from startup_support import CONFLICTED, UNMERGED, Clone, Programs, look
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


def _github(clone: Clone, tmp_path: Path, **known: Any) -> Any:
    clone.pretend_github()
    return Programs.first(tmp_path / "bin", gh=known)


def test_merged_pull_request_decides(clone: Clone, tmp_path: Path) -> None:
    tip = clone.branch(X, CONFLICTED)
    with _github(clone, tmp_path, pulls=[{"number": 9, "headRefOid": tip}]) as programs:
        looked = look(clone.primary.root, network=True)
    assert "`claude/x` is merged: pull request 9 merged exactly this commit." in looked.text
    (call,) = programs.calls("gh")
    assert call.startswith("pr list --repo github.com/octo/widgets --state merged --base=main ")


def test_pull_request_of_another_commit_decides_nothing(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X, CONFLICTED)
    pulls = [{"number": 9, "headRefOid": "0" * 40, "headRefName": X}]
    with _github(clone, tmp_path, pulls=pulls):
        assert look(clone.primary.root, network=True).reasons() == {X: "inconclusive"}


def test_one_list_serves_all_branches(clone: Clone, tmp_path: Path) -> None:
    tips = [clone.branch(f"claude/{index}", CONFLICTED) for index in range(5)]
    pulls = [{"number": index + 1, "headRefOid": tip} for index, tip in enumerate(tips)]
    with _github(clone, tmp_path, pulls=pulls) as programs:
        assert len(look(clone.primary.root, network=True).report.fence) == 5
    assert len(programs.calls("gh")) == 1


def test_github_is_not_asked_about_what_is_clear(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X)
    with _github(clone, tmp_path) as programs:
        look(clone.primary.root, network=True)
    assert programs.calls("gh") == []


@pytest.mark.parametrize(
    ("state", "text"),
    [("CLOSED", "and issue 4 is closed"), ("OPEN", "and issue 4 is open")],
)
def test_issue_decides_about_a_branch_without_commits(
    clone: Clone, tmp_path: Path, state: str, text: str
) -> None:
    clone.branch(FEATURE, unique=0)
    clone.follow(FEATURE, pruned=True)
    with _github(clone, tmp_path, issues={4: state}) as programs:
        looked = look(clone.primary.root, network=True)
    assert text in looked.text
    assert bool(looked.report.fence) is (state == "CLOSED")
    assert "issue view --repo github.com/octo/widgets --json state -- 4" in programs.calls("gh")


def test_number_in_a_name_of_an_agent_is_no_link(clone: Clone, tmp_path: Path) -> None:
    clone.branch("claude/report-2026-abcdef", unique=0)
    with _github(clone, tmp_path, issues={2026: "CLOSED"}):
        looked = look(clone.primary.root, network=True)
    assert looked.reasons() == {"claude/report-2026-abcdef": "no-issue-id"}


@pytest.mark.parametrize(
    ("known", "reason"),
    [({"code": 4}, "gh-unavailable"), ({"delay": 9}, "gh-timeout")],
    ids=["not-signed-in", "silence"],
)
@pytest.mark.usefixtures("impatient")
def test_github_that_gives_no_answer(
    clone: Clone, tmp_path: Path, known: dict[str, int], reason: str
) -> None:
    clone.branch(X, CONFLICTED)
    clone.branch("claude/live", UNMERGED)
    with _github(clone, tmp_path, **known):
        looked = look(clone.primary.root, network=True)
    assert looked.reasons() == {X: reason, "claude/live": "unmerged-commits"}
    assert "`claude/live`" not in looked.text


def test_without_gh(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X, CONFLICTED)
    clone.pretend_github()
    with Programs.first(tmp_path / "bin"):
        assert look(clone.primary.root, network=True).reasons() == {X: "gh-unavailable"}


def test_remote_elsewhere(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X, CONFLICTED)
    clone.primary.git("config", "remote.origin.url", "https://gitlab.example/o/r.git")
    with Programs.first(tmp_path / "bin", gh={}) as programs:
        assert look(clone.primary.root, network=True).reasons() == {X: "gh-unavailable"}
    assert programs.calls("gh") == []


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("[", UNAVAILABLE),
        ("{}", UNAVAILABLE),
        ("null", UNAVAILABLE),
        ("[" * 100_000, UNAVAILABLE),
        ("[[]]", NO_MATCH),
        ('[{"number": "1", "headRefOid": "0"}]', NO_MATCH),
    ],
    ids=["cut", "object", "null", "deep", "list-in-list", "text-for-number"],
)
def test_answer_that_is_no_list_of_pull_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, outcome: str
) -> None:
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    (tmp_path / "answer").write_text(answer)
    program.write_text(f"#!/bin/sh\nexec cat {tmp_path}/answer\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    asked = github.GitHub("github.com/o/r", str(tmp_path), Run(lambda: True))
    asked.list_merged("main")
    assert asked.pull_request("0") == outcome
    assert asked.issue_states([4]) == {4: UNAVAILABLE}
    asked.close()


@pytest.mark.usefixtures("impatient")
def test_issue_that_takes_too_long(tmp_path: Path) -> None:
    with Programs.first(tmp_path / "bin", gh={"delay": 9}):
        asked = github.GitHub("github.com/o/r", str(tmp_path), Run(lambda: True))
        assert asked.issue_states([4, 5]) == {4: TIMEOUT, 5: TIMEOUT}


ADDRESSES = {
    "https://github.com/o/r.git": "github.com/o/r",
    "https://github.com/o/r": "github.com/o/r",
    "https://github.com/o/r/": "github.com/o/r",
    "https://user:word@github.com:443/o/r.git": "github.com/o/r",
    "ssh://git@ssh.github.com:443/o/r.git": "github.com/o/r",
    "git@github.com:o/r.git": "github.com/o/r",
    "github.com:o/r.x-y_z": "github.com/o/r.x-y_z",
    "git@ghe.example:o/r.git": "ghe.example/o/r",
    "https://gitlab.com/o/r.git": "",
    "https://github.com.evil.example/o/r": "",
    "https://github.com/o/r/x": "",
    "https://github.com/o": "",
    "https://github.com/../r": "",
    "https://github.com/-o/r": "",
    "https://github.com/o/r%20x": "",
    "ext::sh -c x% github.com:o/r": "",
    "/srv/github.com/o/r": "",
    "file://github.com/o/r": "",
    "": "",
}


@pytest.mark.parametrize(("address", "repository"), ADDRESSES.items())
def test_repository_of_an_address(
    address: str, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GH_HOST", "ghe.example")
    assert github.parse_address(address) == repository


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


SETTINGS = [
    ("", None, False, ""),
    ("[startup]\nnetwork = true\n", None, True, ""),
    ("[startup]\nnetwork = false\n", None, False, ""),
    ("[startup]\nnetwork = 1\n", None, False, "startup.network is neither true nor false"),
    ("startup = true\n", None, False, "startup is not a table"),
    ("[startup]\nnetwork = true\n", "0", False, ""),
    ("", "1", True, ""),
    ("", "TRUE", True, ""),
    ("[startup]\nnetwork = true\n", "perhaps", False, "SESSION_MEMORY_NETWORK is neither"),
]


@pytest.mark.parametrize("case", SETTINGS, ids=str)
def test_permission(
    repo: Repository,
    monkeypatch: pytest.MonkeyPatch,
    case: "tuple[str, str | None, bool, str]",
) -> None:
    text, variable, allowed, loss = case
    if text:
        repo.write(".session-memory.toml", text)

    def read(root: str, lose: Any) -> "dict[str, object]":
        return settings.read_settings(root, lose, lambda name: (variable or "") * (name == NETWORK))

    monkeypatch.setattr(permission, "read_settings", read)
    losses: list[str] = []
    assert permission.network_allowed(str(repo.root), losses.append) is allowed
    assert bool(losses) is bool(loss)
    assert loss in "".join(losses)


def test_hook_heeds_the_settings(
    clone: Clone, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    _deleted(clone)
    clone.primary.write(".git/info/exclude", ".session-memory.toml\n")
    clone.primary.write(".session-memory.toml", "[startup]\nnetwork = true\n")
    assert FEATURE in start(cwd=str(clone.primary.root)).context


def test_wrong_value_is_told_once_it_matters(clone: Clone, start: Start) -> None:
    clone.primary.write(".session-memory.toml", "[startup]\nnetwork = 'yes'\n")
    start(cwd=str(clone.primary.root)).assert_quiet()
    clone.branch(X, CONFLICTED)
    done = start(cwd=str(clone.primary.root), session_id="two")
    assert b"startup.network is neither true nor false" in done.stderr


def test_start_in_process_takes_the_same_way(clone: Clone) -> None:
    clone.branch(X)
    session = Session(Event({"session_id": "in", "cwd": str(clone.primary.root)}, CLAUDE))
    session_start.handle(session)
    assert session.context == look(clone.primary.root).text
