"""The ways in which hooks are started here: which bundle, by which interpreter."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory import library
from session_memory.doctor import switches
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.claude_settings import Setting
from session_memory.editors.locations import CLAUDE
from session_memory.library import Library

# A machine with more bundles than this has other troubles; the checks run programs for each.
_MAX = 3


@dataclass(frozen=True)
class Launch:
    """``python`` is the interpreter that the command names, ``""`` when the launcher chooses.

    ``hooks`` is the folder of the entry points, ``data`` the one in which the launcher remembers
    its choice, ``pycache`` where the command keeps compiled modules if not beside the sources,
    ``variables`` what the editor adds to its own environment, and ``named_in`` the settings that
    add an interpreter.
    """

    hooks: Path
    data: Path
    python: str = ""
    pycache: str = ""
    variables: tuple[tuple[str, str], ...] = ()
    named_in: "Path | None" = None

    @property
    def root(self) -> Path:
        """The bundle's folder."""
        return self.hooks.parent

    @property
    def library(self) -> Library:
        """The bundle."""
        return Library.at(self.hooks)

    @property
    def package(self) -> Path:
        """Its package."""
        return self.library.package

    @property
    def memory(self) -> Path:
        """The file in which the launcher remembers."""
        return self.data / "python"


def launches(registry: Registry) -> list[Launch]:
    """Every way that may be tried; without any, that of the bundle ``doctor`` belongs to."""
    found = [launch for one, launch in _registered(registry) if _is_trusted(one, launch, registry)]
    if not found:
        own = library.locate()
        # A wheel has no launcher: what is registered from it names its interpreter.
        python = sys.executable if own.is_wheel else ""
        found = [Launch(own.hooks, registry.around.cache, python)]
    return list(dict.fromkeys(found))[:_MAX]


def untried(registry: Registry) -> Iterator[Finding]:
    """Registrations that came with a clone, and name programs that nobody has vouched for."""
    for path in dict.fromkeys(
        handler.source.path
        for handler, launch in _registered(registry)
        if not _is_trusted(handler, launch, registry)
    ):
        what = "Hooks that the repository registers were not tried."
        why = "They run programs that came with it, which doctor does not start."
        yield Finding(CHECK, Level.NOTE, what, why, where=str(path))


def _registered(registry: Registry) -> list[tuple[Handler, Launch]]:
    return [(handler, launch) for handler in registry.handlers for launch in _of(handler, registry)]


def _vouched(registry: Registry) -> set[Path]:
    """The bundles that the user has installed, or has this command from."""
    found = {one.hooks for handler, one in _registered(registry) if not handler.source.shared}
    return {*found, library.locate().hooks}


def _is_trusted(handler: Handler, launch: Launch, registry: Registry) -> bool:
    """Whether all that would run lies outside the clone, or was installed by the user."""
    if not handler.source.shared:
        return True
    inside = str(registry.around.project) + os.sep
    named = [path for path in (launch.python, launch.pycache) if os.sep in path]
    paths = [*map(os.path.abspath, named), *map(os.path.realpath, named)]
    return launch.hooks in _vouched(registry) and not any(p.startswith(inside) for p in paths)


def _of(handler: Handler, registry: Registry) -> Iterator[Launch]:
    around = registry.around
    script = handler.expand(handler.script, around.project, around.home)
    hooks = handler.source.plugin / "hooks" if handler.source.plugin else None
    if "$" not in script and Path(script).is_absolute():
        hooks = Path(script).parent
    if hooks and os.path.isdir(hooks):
        python = handler.expand(handler.interpreter, around.project, around.home)
        data = handler.source.data or around.cache
        given = _given(registry) if CLAUDE in handler.source.readers else {}
        variables = tuple((name, str(setting.value)) for name, setting in given.items())
        named = given.get(switches.INTERPRETER)
        named_in = named.path if named else None
        yield Launch(hooks, data, python, handler.pycache, variables, named_in)


def _given(registry: Registry) -> dict[str, Setting]:
    """What the user's own settings, not those of a clone, have Claude Code give to hooks."""
    return {
        name: setting
        for name, setting in switches.variables(registry.claude).items()
        if setting.source and not setting.source.shared
    }
