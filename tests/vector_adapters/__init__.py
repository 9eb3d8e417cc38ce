"""One module an area group: how a vector's ``given`` becomes a call, and its answer a comparison.

An adapter is called with the whole row and a workspace; it asserts that the row holds. The key
``(area, "*")`` serves every ``when`` of an area.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import Repository


@dataclass(frozen=True)
class Workspace:
    """An empty folder, and repositories on request."""

    folder: Path

    def repository(self, name: str = "repo") -> Repository:
        return Repository.create(self.folder / name)


Operation = Callable[[dict[str, Any], Workspace], None]

OPERATIONS: dict[tuple[str, str], Operation] = {}
for _module in pkgutil.iter_modules(__path__):
    OPERATIONS |= importlib.import_module(f"{__name__}.{_module.name}").OPERATIONS
