"""Fixtures that every room of the tests shares."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from support import Hook, Repository, clean_environment


@pytest.fixture(autouse=True)
def _no_host_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests may themselves run inside an editor or a git hook."""
    for name in set(os.environ) - set(clean_environment(tmp_path)):
        if name.startswith(("CLAUDE", "COPILOT", "GIT_", "SESSION_MEMORY_", "PLUGIN_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """A job in the background is started deaf to Ctrl-C, and so would be all that it starts."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A repository with one commit on ``main``."""
    return Repository.create(tmp_path / "repo")


@pytest.fixture
def hook(tmp_path: Path) -> Callable[..., Hook]:
    """Runs an entry point as a real process: bytes in, everything out."""

    def run(entry: str, payload: object, **options: object) -> Hook:
        return Hook.run(entry, payload, home=tmp_path / "home", **options)  # type: ignore[arg-type]

    return run
