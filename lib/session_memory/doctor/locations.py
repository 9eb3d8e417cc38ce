"""Which files the editors read for hooks, and who reads them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.doctor.surroundings import Surroundings

CLAUDE = "claude"
COPILOT = "copilot"
VSCODE = "vscode"
HOSTS = {CLAUDE: "Claude Code", COPILOT: "Copilot CLI", VSCODE: "VS Code"}

# Claude Code 2.1, Copilot CLI 1.0 and VS Code's documentation of 2026. Copilot runs what Claude's
# project settings hold; VS Code does so only when it is told to, which is not counted here.
_SETTINGS = (
    ((CLAUDE,), "CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    ((COPILOT,), "COPILOT_HOME", ".copilot", "settings.json"),
)
_PROJECT = (
    ((CLAUDE, COPILOT), ".claude/settings.json"),
    ((CLAUDE, COPILOT), ".claude/settings.local.json"),
    ((COPILOT,), ".github/copilot/settings.json"),
    ((COPILOT,), ".github/copilot/settings.local.json"),
)
_MAX_FILES = 200


@dataclass(frozen=True)
class Source:
    """A file that may register hooks.

    ``plugin`` is the root of the plugin that it belongs to and ``data`` that plugin's own folder.
    A file that is ``shared`` came with a clone: what it names is data, not to be run on trial.
    """

    readers: tuple[str, ...]
    path: Path
    plugin: "Path | None" = None
    data: "Path | None" = None
    name: str = ""
    shared: bool = False


def claude_home(around: Surroundings) -> Path:
    """Claude Code's folder."""
    return around.folder("CLAUDE_CONFIG_DIR", ".claude")


def copilot_home(around: Surroundings) -> Path:
    """Copilot CLI's folder."""
    return around.folder("COPILOT_HOME", ".copilot")


def settings_files(around: Surroundings) -> Iterator[Source]:
    """Every file outside plugins, whether it exists or not."""
    own = list(_of_user(around))
    yield from own
    # A home that is itself a repository has the same file twice.
    known = {source.path for source in own}
    yield from (source for source in _of_project(around) if source.path not in known)


def _of_user(around: Surroundings) -> Iterator[Source]:
    for readers, variable, folder, name in _SETTINGS:
        yield Source(readers, around.folder(variable, folder) / name)
    for path in _sorted(copilot_home(around) / "hooks", "*.json"):
        yield Source((COPILOT, VSCODE), path)


def _of_project(around: Surroundings) -> Iterator[Source]:
    for readers, name in _PROJECT:
        yield Source(readers, around.project / name, shared=True)
    folder = around.project / ".github" / "hooks"
    for path in _sorted(folder, "**/*.json"):
        # Copilot CLI looks into sub-folders, VS Code does not.
        readers = (COPILOT, VSCODE) if path.parent == folder else (COPILOT,)
        yield Source(readers, path, shared=True)


def _sorted(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))[:_MAX_FILES]
    except OSError:
        return []
