"""The published clients that the tests drive: pinned versions, and where they are installed."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

_CLONE = Path(__file__).resolve().parents[2]
INSTALL = "python3 tests/e2e/install_clients.py"


# The folder that holds the clients.
CACHE = Path(os.environ.get("SESSION_MEMORY_CLIENTS") or _CLONE / ".cache" / "clients")
# Where Copilot CLI unpacks itself, 235 MB: shared, since the home of every test is a fresh one.
COPILOT_CACHE = CACHE / "copilot-unpacked"


@dataclass(frozen=True)
class Client:
    """A release of an editor on the npm registry.

    ``program`` is a pattern below its ``node_modules``: the name of the folder tells the platform.
    """

    name: str
    package: str
    version: str
    program: str
    needs_node: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}-{self.version}"

    @property
    def folder(self) -> Path:
        return CACHE / self.label

    @property
    def command(self) -> list[str]:
        """How to start it; empty when it is not installed."""
        programs = sorted((self.folder / "node_modules").glob(self.program))
        node = shutil.which("node") if self.needs_node else ""
        if not programs or node is None:
            return []
        return [*([node] if node else []), str(programs[0])]


# The last release in plain JavaScript rejects what newer ones forgive; the other is the newest.
CLAUDE_OLD = Client(
    "claude", "@anthropic-ai/claude-code", "2.1.112", "@anthropic-ai/claude-code/cli.js", True
)
CLAUDE_NEW = Client(
    "claude", "@anthropic-ai/claude-code", "2.1.332", "@anthropic-ai/claude-code-*/claude"
)
COPILOT = Client("copilot", "@github/copilot", "1.0.102", "@github/copilot-*/copilot")

CLIENTS = (CLAUDE_OLD, CLAUDE_NEW, COPILOT)
