"""The command line in a clone whose GitHub is a fake one behind the real gh."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration_support import Cli
from command_line import Ran
from fake_github import Fence, World, installed
from session_memory.cli.main import main
from support import Repository


@pytest.fixture
def world() -> World:
    """A stranger, and the account that gh uses."""
    world = World()
    world.account("stranger", "read", "NONE")
    world.repository()
    return world


@pytest.fixture
def clone(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The current folder: a clone of acme/widgets."""
    repo.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    monkeypatch.chdir(repo.root)
    return repo


@pytest.fixture
def local(clone: Repository) -> Cli:
    """Runs ``session-memory`` where GitHub is not needed."""

    def run(*arguments: object, stdin: str = "") -> Ran:
        given = [str(item) for item in arguments]
        done = CliRunner().invoke(main, given, input=stdin, catch_exceptions=False)
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def fence(world: World, tmp_path: Path) -> Iterator[Fence]:
    from fake_github.server import Server

    with Server(world) as server:
        yield Fence(tmp_path / "home", server.socket)


@pytest.fixture
def cli(fence: Fence, local: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs ``session-memory`` with the real gh in front of ``world``."""
    gh = next(iter(installed()), None)
    if gh is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    for name in list(os.environ):
        if name.startswith(("GH_", "GITHUB_", "XDG_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    for name, value in fence.environment(gh).items():
        monkeypatch.setenv(name, value)
    return local
