"""The ways in which hooks are started here: which bundle, by which interpreter."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import Registry
from session_memory.doctor.surroundings import Surroundings

# A machine with more bundles than this has other troubles; the checks run programs for each.
_MAX = 3


@dataclass(frozen=True)
class Launch:
    """``python`` is the interpreter that the command names, ``""`` when the launcher chooses.

    ``hooks`` is the folder of the entry points, ``data`` the one in which the launcher remembers
    its choice, ``pycache`` where the command keeps compiled modules if not beside the sources.
    """

    hooks: Path
    data: Path
    python: str = ""
    pycache: str = ""

    @property
    def root(self) -> Path:
        """The bundle's folder."""
        return self.hooks.parent

    @property
    def package(self) -> Path:
        """The package, which a clone has in ``lib`` and a wheel around the entry points."""
        wheel = (self.root / "core" / "guard.py").is_file()
        return self.root if wheel else self.root / "lib" / "session_memory"

    @property
    def library(self) -> str:
        """The source root as the entry points spell it, which a cache elsewhere is keyed by."""
        return str(self.root.parent) if self.package == self.root else f"{self.hooks}/../lib"

    @property
    def memory(self) -> Path:
        """The file in which the launcher remembers."""
        return self.data / "python"


def launches(registry: Registry) -> list[Launch]:
    """Every way that is registered; without any, that of the bundle ``doctor`` belongs to."""
    around = registry.around
    found = [launch for handler in registry.handlers for launch in _of(handler, around)]
    if not found and around.own_hooks:
        found = [Launch(around.own_hooks, around.cache)]
    return list(dict.fromkeys(found))[:_MAX]


def _of(handler: Handler, around: Surroundings) -> Iterator[Launch]:
    script = handler.expand(handler.script, around.project, around.home)
    hooks = handler.source.plugin / "hooks" if handler.source.plugin else None
    if "$" not in script and Path(script).is_absolute():
        hooks = Path(script).parent
    if hooks and hooks.is_dir():
        python = handler.expand(handler.interpreter, around.project, around.home)
        data = handler.source.data or around.cache
        yield Launch(hooks, data, python, handler.pycache)
