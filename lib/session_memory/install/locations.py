"""Where each editor keeps hooks, in which shape, and which of these places it reads beside."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core import checkout

HOSTS = ("claude", "copilot", "vscode")
SCOPES = ("user", "project")
# The two shapes of an event's list: groups with a matcher and handlers, or handlers themselves.
GROUPED = "grouped"
FLAT = "flat"

TITLES = {"claude": "Claude Code", "copilot": "Copilot CLI", "vscode": "VS Code"}


class Refused(ValueError):
    """It cannot be done; nothing was written."""


@dataclass(frozen=True)
class Place:
    """A settings file. ``bounds`` are the folders that a link from it may lead into."""

    host: str
    scope: str
    path: Path
    shape: str
    bounds: tuple[Path, ...]
    root: "Path | None" = None


@dataclass(frozen=True)
class Surroundings:
    """What decides the places: the environment, and the repository that holds the folder."""

    env: Mapping[str, str]
    cwd: Path

    @property
    def home(self) -> Path:
        """The user's folder; raises :class:`Refused` when there is none."""
        named = self.env.get("HOME") or self.env.get("USERPROFILE") or os.path.expanduser("~")
        if not os.path.isabs(named):
            raise Refused("HOME is not set to an absolute path")
        return Path(named)

    @property
    def root(self) -> Path:
        """The root of the repository, or the folder itself outside any."""
        found = checkout.locate(str(self.cwd))
        return Path(found.root) if found else self.cwd

    def folder(self, variable: str, name: str) -> Path:
        """The configuration folder that ``variable`` may move."""
        named = self.env.get(variable, "")
        return self.cwd / named if named else self.home / name

    @property
    def claude(self) -> Path:
        return self.folder("CLAUDE_CONFIG_DIR", ".claude")

    @property
    def copilot(self) -> Path:
        return self.folder("COPILOT_HOME", ".copilot")


def place(around: Surroundings, host: str, scope: str) -> Place:
    """Where the hooks of ``host`` are registered for ``scope``."""
    if scope == "project":
        return _project(around, host)
    if host == "claude":
        return _user(around, host, around.claude, "settings.json", GROUPED)
    # VS Code's documentation names ~/.copilot only, not the variable that moves it.
    base = around.copilot if host == "copilot" else around.home / ".copilot"
    return _user(around, host, base, "hooks/session-memory.json", FLAT)


def read_by(around: Surroundings, host: str) -> Iterator[Place]:
    """All the settings files in which ``host`` would find hooks of ours here."""
    for scope in SCOPES:
        yield place(around, host, scope)
    if host == "vscode":
        return  # reads files of Claude Code only when it is told to
    for name in ("settings.json", "settings.local.json"):
        path = around.root / ".claude" / name
        if host == "copilot" or name == "settings.json":
            yield Place("claude", "project", path, GROUPED, (around.root,), around.root)


def _user(around: Surroundings, host: str, base: Path, name: str, shape: str) -> Place:
    return Place(host, "user", base / name, shape, (around.home, base))


def _project(around: Surroundings, host: str) -> Place:
    # An interpreter's path holds for one machine, so of Claude's two files it is the local one.
    # Copilot and VS Code have one place in common, which is kept out of commits in another way.
    name = (
        ".claude/settings.local.json" if host == "claude" else ".github/hooks/session-memory.json"
    )
    root = around.root
    shape = GROUPED if host == "claude" else FLAT
    return Place(host, "project", root / name, shape, (root,), root)
