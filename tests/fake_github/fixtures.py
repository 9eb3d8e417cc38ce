"""Fixtures for tests that talk to the fake GitHub through the real gh.

A room imports those that it needs into its ``conftest``, beside a ``gh`` of its own.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import Ran
from fake_github import Fence, World, installed
from session_memory.cli.main import main
from support import Repository

# Runs ``session-memory`` with these arguments and, as ``stdin``, this text.
Cli = Callable[..., Ran]

EVERY_GH = [pytest.param(path, id=path.parent.parent.name + "-gh") for path in installed()] or [
    pytest.param(None, id="no-gh")
]

_FOREIGN = ("GH_", "GITHUB_", "XDG_")


def found(path: "Path | None") -> Path:
    """``path``, or an end to the test: there is no gh here."""
    if path is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    return path


def enter(fence: Fence, gh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process, and what it starts, reach nothing but the fake GitHub."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    for name, value in fence.environment(gh).items():
        monkeypatch.setenv(name, value)


def session_memory(*arguments: object, stdin: str = "") -> Ran:
    """One run of the command, in this process."""
    given = [str(item) for item in arguments]
    done = CliRunner().invoke(main, given, input=stdin, catch_exceptions=False)
    return Ran(done.exit_code, done.stdout, done.stderr)


@pytest.fixture
def world() -> World:
    """A stranger, a member who may only read, a colleague, and the account that gh uses."""
    world = World()
    world.account("stranger", "read", "NONE")
    world.account("member", "read", "MEMBER")
    world.account("colleague", "write", "COLLABORATOR")
    return world


@pytest.fixture
def fence(world: World, tmp_path: Path) -> Iterator[Fence]:
    """A running fake GitHub."""
    # Python has no unix sockets on Windows.
    from fake_github.server import Server

    with Server(world) as server:
        yield Fence(tmp_path / "home", server.socket)


@pytest.fixture
def fenced(fence: Fence, gh: Path, monkeypatch: pytest.MonkeyPatch) -> Fence:
    """The same, entered with ``gh``."""
    enter(fence, gh, monkeypatch)
    return fence


@pytest.fixture
def clone(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The current folder: a clone of acme/widgets."""
    repo.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    monkeypatch.chdir(repo.root)
    return repo


@pytest.fixture
def cli(fenced: Fence, clone: Repository) -> Cli:
    """Runs ``session-memory`` in the clone."""
    return session_memory
