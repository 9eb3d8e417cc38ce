"""Which files the editors read for hooks, and who reads them.

Claude Code 2.1, Copilot CLI 1.0 and VS Code's documentation of 2026. Copilot CLI runs what Claude's
project settings hold; VS Code does so only when it is told to, which is not counted here.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.editors.surroundings import Surroundings

CLAUDE = "claude"
COPILOT = "copilot"
VSCODE = "vscode"
HOSTS = {CLAUDE: "Claude Code", COPILOT: "Copilot CLI", VSCODE: "VS Code"}

# For whom a file holds: everybody on the machine, one user, all of a project's people, or one.
MANAGED = "managed"
USER = "user"
PROJECT = "project"

SETTINGS = "settings.json"
LOCAL_SETTINGS = "settings.local.json"

_PROJECT = (
    ((CLAUDE, COPILOT), f".claude/{SETTINGS}"),
    ((CLAUDE, COPILOT), f".claude/{LOCAL_SETTINGS}"),
    ((COPILOT,), f".github/copilot/{SETTINGS}"),
    ((COPILOT,), f".github/copilot/{LOCAL_SETTINGS}"),
)
_MANAGED = {
    "darwin": "Library/Application Support/ClaudeCode",
    "win32": "Program Files/ClaudeCode",
}
_MAX_FILES = 200


@dataclass(frozen=True)
class Source:
    """A file that may register hooks.

    Whoever reads it takes ``comments``, and commas that close a list, or passes over the whole
    file. ``plugin`` is the root of the plugin that it belongs to, ``data`` that plugin's own
    folder, and ``name`` what its host calls it.
    """

    readers: tuple[str, ...]
    path: Path
    scope: str = USER
    comments: bool = False
    plugin: "Path | None" = None
    data: "Path | None" = None
    name: str = ""

    @property
    def shared(self) -> bool:
        """Whether it came with a clone: what it names is data, not to be run on trial."""
        return self.scope == PROJECT and not self.plugin


def claude_home(around: Surroundings) -> Path:
    """Claude Code's folder."""
    return around.folder("CLAUDE_CONFIG_DIR", ".claude")


def copilot_home(around: Surroundings) -> Path:
    """Copilot CLI's folder."""
    return around.folder("COPILOT_HOME", ".copilot")


def user_hooks(around: Surroundings, host: str) -> Path:
    """The folder of hook files that Copilot CLI and VS Code have for a user.

    VS Code's documentation does not name the variable that moves it for Copilot CLI.
    """
    return (copilot_home(around) if host == COPILOT else around.home / ".copilot") / "hooks"


def project_hooks(around: Surroundings) -> Path:
    """The folder of hook files that Copilot CLI and VS Code read in a repository."""
    return around.project / ".github" / "hooks"


def claude_settings(around: Surroundings) -> list[Source]:
    """The files of Claude Code's settings; a later one goes before an earlier one."""
    project = around.project / ".claude"
    both = (CLAUDE, COPILOT)
    files = [
        Source((CLAUDE,), claude_home(around) / SETTINGS),
        *(Source(both, project / name, PROJECT) for name in (SETTINGS, LOCAL_SETTINGS)),
        *(Source((CLAUDE,), path, MANAGED) for path in _managed(around)),
    ]
    # A home that is itself a repository has the same file twice.
    return list({source.path: source for source in reversed(files)}.values())[::-1]


def settings_files(around: Surroundings) -> Iterator[Source]:
    """Every file outside plugins, whether it exists or not."""
    own = list(_of_user(around))
    yield from own
    known = {source.path for source in own}
    yield from (source for source in _of_project(around) if source.path not in known)


def read_by(around: Surroundings, host: str) -> list[Source]:
    """Every file outside plugins that ``host`` reads here."""
    return [source for source in settings_files(around) if host in source.readers]


def repository_settings(around: Surroundings) -> list[list[Source]]:
    """The settings of a repository that Copilot CLI reads; within each list, the last prevails."""
    found = [Source(readers, around.project / name, PROJECT) for readers, name in _PROJECT]
    return [found[:2], found[2:]]


def reads(around: Surroundings, host: str, path: Path) -> bool:
    """Whether ``host`` reads ``path``, or would if there were such a file."""
    folders = [user_hooks(around, host), project_hooks(around)] if host != CLAUDE else []
    return path.parent in folders or path in [source.path for source in read_by(around, host)]


def _of_user(around: Surroundings) -> Iterator[Source]:
    yield from (Source((CLAUDE,), path, MANAGED) for path in _managed(around))
    yield Source((CLAUDE,), claude_home(around) / SETTINGS)
    yield Source((COPILOT,), copilot_home(around) / SETTINGS, comments=True)
    readers: dict[Path, tuple[str, ...]] = {}
    for host in (COPILOT, VSCODE):
        folder = user_hooks(around, host)
        readers[folder] = (*readers.get(folder, ()), host)
    for folder, hosts in readers.items():
        yield from (Source(hosts, path) for path in _sorted(folder, "*.json"))


def _of_project(around: Surroundings) -> Iterator[Source]:
    for readers, name in _PROJECT:
        yield Source(readers, around.project / name, PROJECT)
    folder = project_hooks(around)
    for path in _sorted(folder, "**/*.json"):
        # Copilot CLI looks into sub-folders, VS Code does not.
        readers = (COPILOT, VSCODE) if path.parent == folder else (COPILOT,)
        yield Source(readers, path, PROJECT)


def _managed(around: Surroundings) -> list[Path]:
    """What an administrator has laid down, the files of the folder after the single one."""
    folder = around.system / _MANAGED.get(sys.platform, "etc/claude-code")
    return [folder / "managed-settings.json", *_sorted(folder / "managed-settings.d", "*.json")]


def _sorted(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))[:_MAX_FILES]
    except OSError:
        return []
