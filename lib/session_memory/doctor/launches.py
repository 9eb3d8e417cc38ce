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

    ``data`` is the folder in which the launcher remembers its choice.
    """

    root: Path
    data: Path
    python: str = ""

    @property
    def hooks(self) -> Path:
        """The folder of the entry points."""
        return self.root / "hooks"

    @property
    def library(self) -> str:
        """The source root, spelled as the entry points spell it: caches depend on that."""
        return f"{self.hooks}/../lib"

    @property
    def memory(self) -> Path:
        """The file in which the launcher remembers."""
        return self.data / "python"


def launches(registry: Registry) -> list[Launch]:
    """Every way that is registered; without any, that of the bundle ``doctor`` belongs to."""
    around = registry.around
    found = [launch for handler in registry.handlers for launch in _of(handler, around)]
    if not found and around.own_bundle:
        found = [Launch(around.own_bundle, around.cache)]
    return list(dict.fromkeys(found))[:_MAX]


def _of(handler: Handler, around: Surroundings) -> Iterator[Launch]:
    script = handler.expand(handler.script, around.project, around.home)
    root = handler.source.plugin
    if "$" not in script and Path(script).is_absolute():
        root = Path(script).parent.parent
    if root and (root / "hooks").is_dir():
        python = handler.expand(handler.interpreter, around.project, around.home)
        yield Launch(root, handler.source.data or around.cache, python)
