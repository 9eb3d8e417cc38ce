"""One module an area group: how a vector's ``given`` becomes a call, and its answer a comparison.

An adapter is called with the whole row and a workspace; it asserts that the row holds. The key
``(area, "*")`` serves every ``when`` of an area.
"""

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

from vector_adapters import gates, hygiene, keys, registrations, startup  # noqa: E402 - adapters import the names above

OPERATIONS: dict[tuple[str, str], Operation] = {
    **gates.OPERATIONS,
    **hygiene.OPERATIONS,
    **keys.OPERATIONS,
    **registrations.OPERATIONS,
    **startup.OPERATIONS,
}
