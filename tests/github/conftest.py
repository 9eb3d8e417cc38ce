"""The real gh, a fake GitHub, and a clock that does not make tests wait."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_github import Fence, World, installed
from fake_github.watch import Connect, Watch
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository

_EXECUTABLES = installed()
_ONES = [pytest.param(path, id=path.parent.parent.name + "-gh") for path in _EXECUTABLES] or [
    pytest.param(None, id="no-gh")
]


@pytest.fixture(params=_ONES)
def gh(request: pytest.FixtureRequest) -> Path:
    """Each gh of this machine."""
    if request.param is None:
        pytest.skip("no gh found; install the test extra, or name one in SESSION_MEMORY_TEST_GH")
    return Path(request.param)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def fenced(
    gh: Path, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Fence]:
    """A running fake GitHub, and an environment in which gh can reach nothing else."""
    from fake_github.server import Server

    with Server(world) as server:
        fence = Fence(tmp_path / "home", server.socket)
        for name in list(os.environ):
            if name.startswith(("GH_", "GITHUB_")) or name.upper().endswith("_PROXY"):
                monkeypatch.delenv(name)
        for name, value in fence.environment(gh).items():
            monkeypatch.setenv(name, value)
        yield fence


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
