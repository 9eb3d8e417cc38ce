"""The command line in a clone whose GitHub is a fake one behind the real gh."""

from pathlib import Path

import pytest

from fake_github import Fence, Thread, World, installed
from fake_github.fixtures import (
    EVERY_GH,
    Cli,
    cli,
    clone,
    enter,
    fence,
    fenced,
    found,
    session_memory,
    world,
)
from support import Repository

__all__ = ["cli", "clone", "fence", "fenced", "world"]


@pytest.fixture
def gh() -> Path:
    """One gh, for tests that are about what is read."""
    return found(next(iter(installed()), None))


@pytest.fixture(params=EVERY_GH)
def every_gh(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine, for the tests that are about gh."""
    return found(request.param)


@pytest.fixture(
    params=[pytest.param(one, marks=[pytest.mark.slow] * bool(n)) for n, one in enumerate(EVERY_GH)]
)
def gh_of_walk(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine, where a run takes long: all but the first are slow tests."""
    return found(request.param.values[0])


@pytest.fixture
def issue(world: World) -> Thread:
    return world.repository().open(number=7)


@pytest.fixture
def pull_request(world: World) -> Thread:
    return world.repository().open(number=9, pull_request=True)


@pytest.fixture
def every_cli(
    fence: Fence, every_gh: Path, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> Cli:
    """Runs ``session-memory`` in the clone with each gh of this machine."""
    enter(fence, every_gh, monkeypatch)
    return session_memory
