"""The real gh, asked by the check about a GitHub that stands in."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_github import Fault, Fence, World, installed
from fake_github.state import Repo
from startup_support import CONFLICTED, Clone, look

X = "claude/x"
FEATURE = "feature/issue-4-x"


@pytest.fixture(params=[pytest.param(path, id=path.parent.parent.name) for path in installed()])
def world(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """What GitHub knows, reached by each gh of this machine and by nothing else."""
    from fake_github.server import Server

    made = World()
    with Server(made) as server:
        for name in list(os.environ):
            if name.startswith(("GH_", "GITHUB_")) or name.upper().endswith("_PROXY"):
                monkeypatch.delenv(name)
        fence = Fence(tmp_path / "gh-home", server.socket)
        for name, value in fence.environment(Path(request.param)).items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def widgets(world: World, clone: Clone) -> Repo:
    clone.pretend_github()
    return world.repository("octo/widgets")


def _merge(repo: Repo, branch: str, commit: str, into: str = "main") -> None:
    pull = repo.open(pull_request=True)
    pull.merged_head, pull.merged_into = f"{branch}@{commit}", into


def test_merged_pull_request(clone: Clone, widgets: Repo) -> None:
    tip = clone.branch(X, CONFLICTED)
    _merge(widgets, "other", "0" * 40)
    _merge(widgets, X, tip)
    looked = look(clone.primary.root, network=True)
    assert "pull request 2 merged exactly this commit" in looked.text
    assert len(widgets.world.requests) == looked.run.gh == 1


def test_pull_request_into_another_branch_does_not_count(clone: Clone, widgets: Repo) -> None:
    _merge(widgets, X, clone.branch(X, CONFLICTED), into="release")
    assert look(clone.primary.root, network=True).reasons() == {X: "inconclusive"}


@pytest.mark.parametrize("closed", [True, False])
def test_issue(clone: Clone, widgets: Repo, closed: bool) -> None:
    clone.branch(FEATURE, unique=0)
    clone.follow(FEATURE, pruned=True)
    widgets.open(number=4).closed = closed
    expected = "" if closed else "issue-open:4"
    assert look(clone.primary.root, network=True).reasons() == {FEATURE: expected}


def test_issue_that_is_not_there(clone: Clone, widgets: Repo) -> None:
    clone.branch(FEATURE, unique=0)
    clone.follow(FEATURE, pruned=True)
    assert look(clone.primary.root, network=True).reasons() == {FEATURE: "gh-unavailable"}


def test_repository_that_is_not_there(clone: Clone, widgets: Repo) -> None:
    widgets.world.repositories.clear()
    clone.branch(X, CONFLICTED)
    assert look(clone.primary.root, network=True).reasons() == {X: "gh-unavailable"}


@pytest.mark.parametrize(
    "fault",
    [Fault("POST /graphql", status=500), Fault("POST /graphql", cut=True)],
    ids=["server-error", "connection-lost"],
)
def test_github_in_trouble(clone: Clone, widgets: Repo, fault: Fault) -> None:
    fault.times = 9
    widgets.world.faults.append(fault)
    clone.branch(X, CONFLICTED)
    assert look(clone.primary.root, network=True).reasons() == {X: "gh-unavailable"}


def test_github_that_is_slow(clone: Clone, widgets: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session_memory.startup.github.GH_S", 0.6)
    widgets.world.faults.append(Fault("POST /graphql", delay_s=3))
    clone.branch(X, CONFLICTED)
    assert look(clone.primary.root, network=True).reasons() == {X: "gh-timeout"}
