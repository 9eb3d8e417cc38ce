"""Each test gets a real client in a fresh home, and a scripted model behind it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from e2e.clients import CLAUDE_NEW, CLAUDE_OLD, CLIENTS, COPILOT, INSTALL, Client
from e2e.editors.claude_code import ClaudeCode
from e2e.editors.copilot_cli import CopilotCli
from e2e.editors.editor import Editor
from e2e.servers.anthropic import Messages
from e2e.servers.loopback import ModelServer
from e2e.servers.openai import ChatCompletions
from e2e.workspace import Workspace, copy_bundle


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs a client is not for every run of all tests: together it takes minutes."""
    asked_for = "e2e" in config.option.markexpr
    for item in items:
        if isinstance(item, pytest.Function) and "start" in item.fixturenames:
            item.add_marker(pytest.mark.e2e)
            if not asked_for:
                item.add_marker(pytest.mark.skip(reason="runs with: pytest -m e2e"))


@pytest.fixture(scope="session")
def bundle() -> Iterator[Path]:
    """The plugin as a user has it."""
    with tempfile.TemporaryDirectory(prefix="sm-bundle-") as folder:
        yield copy_bundle(Path(folder).resolve() / "session-memory-hooks")


@pytest.fixture(scope="session")
def template() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory(prefix="sm-template-") as folder:
        yield Workspace.make(Path(folder))


@pytest.fixture
def workspace(template: Workspace) -> Iterator[Workspace]:
    # Not pytest's own: a socket's path must be short, and clients make some below their home.
    folder = Path(tempfile.mkdtemp(prefix="sm-"))
    yield template.copy(folder / "w")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def start(workspace: Workspace, bundle: Path) -> Iterator[Callable[[Client], Editor]]:
    """Makes an editor of a client that is installed."""
    with ExitStack() as servers:

        def make(client: Client) -> Editor:
            if client is COPILOT:
                model = servers.enter_context(ModelServer(ChatCompletions))
                return CopilotCli(client, workspace, model, bundle)
            model = servers.enter_context(ModelServer(Messages))
            return ClaudeCode(client, workspace, model, bundle)

        yield make


def _any_of(*clients: Client) -> list[object]:
    return [
        pytest.param(
            client,
            id=client.label,
            marks=pytest.mark.skipif(
                not client.command, reason=f"{client.label} is not installed: {INSTALL}"
            ),
        )
        for client in clients
    ]


@pytest.fixture(params=_any_of(*CLIENTS))
def editor(request: pytest.FixtureRequest, start: Callable[[Client], Editor]) -> Editor:
    """Every client in turn."""
    return start(request.param)


@pytest.fixture(params=_any_of(CLAUDE_OLD, CLAUDE_NEW))
def claude(request: pytest.FixtureRequest, start: Callable[[Client], Editor]) -> Editor:
    return start(request.param)


@pytest.fixture(params=_any_of(CLAUDE_NEW, COPILOT))
def newest(request: pytest.FixtureRequest, start: Callable[[Client], Editor]) -> Editor:
    """One client a host, for what does not depend on its version."""
    return start(request.param)


@pytest.fixture(params=_any_of(CLAUDE_NEW))
def newest_claude(request: pytest.FixtureRequest, start: Callable[[Client], Editor]) -> Editor:
    return start(request.param)


@pytest.fixture(params=_any_of(COPILOT))
def copilot(request: pytest.FixtureRequest, start: Callable[[Client], Editor]) -> Editor:
    return start(request.param)
