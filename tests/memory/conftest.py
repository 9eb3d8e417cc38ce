"""Session memory of a clone whose GitHub is a fake one behind the real gh."""

from pathlib import Path

import pytest

from command_line import Ran
from fake_github import Fence, Thread, World, installed
from fake_github.fixtures import Cli, fence, fenced, found, session_memory, world
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.memory.caches import Caches
from support import Repository

__all__ = ["fence", "fenced", "world"]


def _run(*arguments: object, stdin: str = "") -> Ran:
    return session_memory("memory", *arguments, stdin=stdin)


@pytest.fixture
def gh() -> Path:
    return found(next(iter(installed()), None))


@pytest.fixture
def here(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The current folder: a checkout on a branch for issue 7, without any remote."""
    repo.git("checkout", "--quiet", "-b", "feature/issue-7-cache")
    monkeypatch.chdir(repo.root)
    return repo


@pytest.fixture
def caches(here: Repository) -> Caches:
    return Caches.of(Session(Event({"cwd": str(here.root)}, "command-line")))


@pytest.fixture
def local(here: Repository) -> Cli:
    """Runs ``session-memory memory``; there is no repository on GitHub."""
    return _run


@pytest.fixture
def issue(world: World) -> Thread:
    return world.repository().open(number=7, body="What it is about.")


@pytest.fixture
def pull_request(world: World) -> Thread:
    return world.repository().open(number=9, pull_request=True)


@pytest.fixture
def cli(issue: Thread, here: Repository, fenced: Fence) -> Cli:
    """Runs ``session-memory memory`` in a clone of acme/widgets."""
    here.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    return _run
