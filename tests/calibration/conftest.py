"""The command line in a clone whose GitHub is a fake one behind the real gh."""

from pathlib import Path

import pytest

from calibration_support import Cli
from fake_github import World, installed
from fake_github.fixtures import cli, clone, fence, fenced, found, session_memory
from support import Repository

__all__ = ["cli", "clone", "fence", "fenced"]


@pytest.fixture
def gh() -> Path:
    return found(next(iter(installed()), None))


@pytest.fixture
def world() -> World:
    """A stranger, and the account that gh uses."""
    world = World()
    world.account("stranger", "read", "NONE")
    world.repository()
    return world


@pytest.fixture
def local(clone: Repository) -> Cli:
    """Runs ``session-memory`` where GitHub is not needed."""
    return session_memory
