"""What GitHub decides, by a gh that plays a part; the real one has a file of its own."""

import os
from pathlib import Path
from typing import Any

import pytest

from session_memory.startup import github
from session_memory.startup.eligibility import NO_MATCH, TIMEOUT, UNAVAILABLE
from session_memory.startup.run import Run
from startup_support import CONFLICTED, UNMERGED, Clone, Programs, look

X = "claude/x"
FEATURE = "feature/issue-4-x"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting that would take seconds takes a moment."""
    monkeypatch.setattr(github, "GH_S", 0.5)


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
