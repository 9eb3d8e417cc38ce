"""The real gh, a fake GitHub, and a clock that does not make tests wait."""

from pathlib import Path

import pytest

from fake_github import Fence, World
from fake_github.fixtures import EVERY_GH, fence, fenced, found
from fake_github.watch import Connect, Watch
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository

__all__ = ["fence", "fenced"]


@pytest.fixture(params=EVERY_GH)
def gh(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine."""
    return found(request.param)


@pytest.fixture
def world() -> World:
    """Nobody but the account that gh uses."""
    return World()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def connect(fenced: Fence, watch: Watch) -> Connect:
    """Connects to a repository with limits of the test's choice."""

    def to(name: str = "acme/widgets", host: str = "github.com", **limits: float) -> GitHub:
        owner, _, repository = name.partition("/")
        return GitHub.connect(
            Repository(host, owner, repository),
            watch.messages.append,
            Limits(**limits),  # type: ignore[arg-type]
            watch.clock(),
        )

    return to


@pytest.fixture
def github(connect: Connect) -> GitHub:
    return connect()
