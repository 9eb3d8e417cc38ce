"""Session memory of a clone whose GitHub is a fake one behind the real gh."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import Ran
from fake_github import Fence, Thread, World, installed
from session_memory.cli.main import main
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.memory.caches import Caches
from support import Repository

Cli = Callable[..., Ran]


def _run(*arguments: object, stdin: str = "") -> Ran:
    given = ["memory", *[str(item) for item in arguments]]
    done = CliRunner().invoke(main, given, input=stdin, catch_exceptions=False)
    return Ran(done.exit_code, done.stdout, done.stderr)


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
def world() -> World:
    world = World()
    world.account("stranger", "read", "NONE")
    world.account("colleague", "write", "COLLABORATOR")
    return world


@pytest.fixture
def issue(world: World) -> Thread:
    return world.repository().open(number=7, body="What it is about.")


@pytest.fixture
def pull_request(world: World) -> Thread:
    return world.repository().open(number=9, pull_request=True)


@pytest.fixture
def cli(
    world: World, issue: Thread, here: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cli]:
    """Runs ``session-memory memory`` in a clone of acme/widgets."""
    from fake_github.server import Server

    gh = next(iter(installed()), None)
    if gh is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    here.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    for name in list(os.environ):
        if name.startswith(("GH_", "GITHUB_", "XDG_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    with Server(world) as server:
        for name, value in Fence(tmp_path / "home", server.socket).environment(gh).items():
            monkeypatch.setenv(name, value)
        yield _run
