"""A writer in front of a fake GitHub, behind the real gh, with a clock that makes nobody wait."""

from pathlib import Path

import pytest

from fake_github import Fence, Thread, World, installed
from fake_github.fixtures import cli, clone, fence, fenced, found, world
from fake_github.watch import Watch
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository as Place
from session_memory.markers.trust import WriteAccess
from session_memory.markers.writer import Writer

__all__ = ["cli", "clone", "fence", "fenced", "world"]

PLACE = Place("github.com", "acme", "widgets")


@pytest.fixture
def gh(request: pytest.FixtureRequest) -> Path:
    """The oldest gh here; each of them for a test that names :data:`writer_support.EVERY_GH`."""
    return found(getattr(request, "param", None) or next(iter(installed()), None))


@pytest.fixture
def thread(world: World) -> Thread:
    """Issue 7."""
    return world.repository().open(number=7)


@pytest.fixture
def pull(world: World) -> Thread:
    """Pull request 9."""
    return world.repository().open(number=9, pull_request=True, body="What it does.\r\n")


@pytest.fixture
def writer(fenced: Fence) -> Writer:
    github = GitHub.connect(PLACE, None, Limits(attempts=3), Watch().clock())
    return Writer(github, WriteAccess(github.permission))
