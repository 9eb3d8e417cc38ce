"""A writer in front of a fake GitHub, behind the real gh, with a clock that makes nobody wait."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import Ran
from fake_github import Fence, Thread, World, installed
from fake_github.watch import Watch
from session_memory.cli.main import main
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository as Place
from session_memory.markers.trust import WriteAccess
from session_memory.markers.writer import Writer
from support import Repository

PLACE = Place("github.com", "acme", "widgets")


@pytest.fixture
def gh(request: pytest.FixtureRequest) -> Path:
    """The oldest gh here; each of them for a test that names :data:`writer_support.EVERY_GH`."""
    path = getattr(request, "param", None) or next(iter(installed()), None)
    if path is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    return Path(path)


@pytest.fixture
def world() -> World:
    world = World()
    world.account("colleague", "write", "COLLABORATOR")
    return world


@pytest.fixture
def thread(world: World) -> Thread:
    """Issue 7."""
    return world.repository().open(number=7)


@pytest.fixture
def pull(world: World) -> Thread:
    """Pull request 9."""
    return world.repository().open(number=9, pull_request=True, body="What it does.\r\n")


@pytest.fixture
def fenced(
    gh: Path, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Fence]:
    from fake_github.server import Server

    with Server(world) as server:
        fence = Fence(tmp_path / "home", server.socket)
        for name in list(os.environ):
            if name.startswith(("GH_", "GITHUB_", "XDG_")) or name.upper().endswith("_PROXY"):
                monkeypatch.delenv(name)
        for name, value in fence.environment(gh).items():
            monkeypatch.setenv(name, value)
        yield fence


@pytest.fixture
def writer(fenced: Fence) -> Writer:
    github = GitHub.connect(PLACE, None, Limits(attempts=3), Watch().clock())
    return Writer(github, WriteAccess(github.permission))


@pytest.fixture
def clone(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The current folder: a clone of acme/widgets."""
    repo.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    monkeypatch.chdir(repo.root)
    return repo


@pytest.fixture
def cli(fenced: Fence, clone: Repository) -> Callable[..., Ran]:
    """Runs ``session-memory`` in the clone."""

    def run(*arguments: object, stdin: str = "") -> Ran:
        done = CliRunner().invoke(main, [str(item) for item in arguments], input=stdin)
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run
