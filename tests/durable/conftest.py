"""The command line in a clone whose GitHub is a fake one behind the real gh."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import Ran
from durable_support import Cli
from fake_github import Fence, Thread, World, installed
from session_memory.cli.main import main
from support import Repository

_ONES = [pytest.param(path, id=path.parent.parent.name + "-gh") for path in installed()] or [
    pytest.param(None, id="no-gh")
]


@pytest.fixture(params=_ONES)
def every_gh(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine, for the tests that are about gh."""
    return _found(request.param)


@pytest.fixture(
    params=[pytest.param(one, marks=[pytest.mark.slow] * bool(n)) for n, one in enumerate(_ONES)]
)
def gh_of_walk(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine, where a run takes long: all but the first are slow tests."""
    return _found(request.param.values[0])


@pytest.fixture
def gh() -> Path:
    """One gh, for tests that are about what is read."""
    return _found(next(iter(installed()), None))


def _found(path: "Path | None") -> Path:
    if path is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    return path


@pytest.fixture
def world() -> World:
    """A stranger, a colleague with write access, and the account that gh uses."""
    world = World()
    world.account("stranger", "read", "NONE")
    world.account("member", "read", "MEMBER")
    world.account("colleague", "write", "COLLABORATOR")
    return world


@pytest.fixture
def issue(world: World) -> Thread:
    return world.repository().open(number=7)


@pytest.fixture
def pull_request(world: World) -> Thread:
    return world.repository().open(number=9, pull_request=True)


@pytest.fixture
def fence(world: World, tmp_path: Path) -> Iterator[Fence]:
    from fake_github.server import Server

    with Server(world) as server:
        yield Fence(tmp_path / "home", server.socket)


@pytest.fixture
def clone(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The current folder: a clone of acme/widgets."""
    repo.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    monkeypatch.chdir(repo.root)
    return repo


def _enter(fence: Fence, gh: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    for name in list(os.environ):
        if name.startswith(("GH_", "GITHUB_", "XDG_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    for name, value in fence.environment(gh).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: object, stdin: str = "") -> Ran:
        given = [str(item) for item in arguments]
        done = CliRunner().invoke(main, given, input=stdin, catch_exceptions=False)
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def cli(fence: Fence, gh: Path, clone: Repository, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs ``session-memory``."""
    return _enter(fence, gh, monkeypatch)


@pytest.fixture
def every_cli(
    fence: Fence, every_gh: Path, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> Cli:
    """The same with each gh of this machine."""
    return _enter(fence, every_gh, monkeypatch)
