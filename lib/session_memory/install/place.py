"""The settings files that an installation writes: one for each host and scope."""

from dataclasses import dataclass
from pathlib import Path

from session_memory.editors import locations
from session_memory.editors.locations import CLAUDE, LOCAL_SETTINGS, PROJECT, SETTINGS, USER, Source
from session_memory.editors.surroundings import Surroundings

SCOPES = (USER, PROJECT)
# The two shapes of an event's list: groups with a matcher and handlers, or handlers themselves.
GROUPED = "grouped"
FLAT = "flat"

_NAME = "session-memory.json"


class Refused(ValueError):
    """It cannot be done; nothing was written."""


@dataclass(frozen=True)
class Place:
    """A settings file. ``bounds`` are the folders that a link from it may lead into.

    ``root`` is that of the repository, for the scope of a project.
    """

    host: str
    scope: str
    path: Path
    shape: str
    bounds: tuple[Path, ...]
    root: "Path | None" = None


def place(around: Surroundings, host: str, scope: str) -> Place:
    """Where the hooks of ``host`` are registered for ``scope``."""
    shape = GROUPED if host == CLAUDE else FLAT
    if scope == PROJECT:
        # An interpreter's path holds for one machine, so of Claude's two files it is the local
        # one. Copilot and VS Code have one place in common, which is kept out of commits otherwise.
        hooks = locations.project_hooks(around)
        local = around.project / ".claude" / LOCAL_SETTINGS
        path = local if host == CLAUDE else hooks / _NAME
        return Place(host, scope, path, shape, (around.project,), around.project)
    if host == CLAUDE:
        base = locations.claude_home(around)
        return Place(host, scope, base / SETTINGS, shape, (around.home, base))
    hooks = locations.user_hooks(around, host)
    return Place(host, scope, hooks / _NAME, shape, (around.home, hooks.parent))


def others(around: Surroundings, host: str, own: Place) -> list[Place]:
    """The other settings files in which ``host`` would find hooks of ours."""
    found = [_as_place(source, host, around) for source in locations.read_by(around, host)]
    return [other for other in found if other.path != own.path]


def _as_place(source: Source, host: str, around: Surroundings) -> Place:
    root = around.project if source.scope == PROJECT else None
    bounds = (around.project,) if root else (around.home, source.path.parent)
    shape = GROUPED if source.path.name in (SETTINGS, LOCAL_SETTINGS) else FLAT
    return Place(host, source.scope, source.path, shape, bounds, root)
