"""A store for looking: what a hook would do, without doing it."""

import time

from session_memory.core import journal
from session_memory.core.folder import Folder
from session_memory.core.places import first_usable, paths, peek
from session_memory.core.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.document import Change
    from session_memory.core.journal import Seen
    from session_memory.core.places import Place


class DryStore(Store):
    """A store that only tells what it would do, in ``notes``.

    As in a real one, :class:`OSError` is raised when no place would take a write.
    """

    def __init__(self, root: str, places: "tuple[Place, ...]", common_dir: str) -> None:
        super().__init__(root, places, common_dir)
        self.notes: list[str] = []

    def append(
        self, name: str, record: bytes, seen: "Seen | None" = None, fallback: str = ""
    ) -> bool:
        index = self._usable()
        actual = (fallback or name) if index else name
        if seen and self._holds(index, actual, seen):
            self._note("find recorded in", actual)
            return False
        self._note(f"append {len(record) + 1} bytes to", actual)
        return True

    def claim(self, name: str) -> bool:
        free = peek(self.root, self.places, name) is None
        self._note("claim" if free else "find claimed", name)
        return free

    def complete(self, name: str, record: bytes) -> None:
        self._note("complete", name)

    def remove_stale(self, prefixes: "tuple[str, ...]", now: float) -> None:
        """Leave everything; what is stale is no part of the decision."""

    def update(self, name: str, change: "Change") -> None:
        if change(self.read(name)) is not None:
            self._note("update", name)

    def _note(self, action: str, name: str) -> None:
        path = paths(self.root, self.places, name)[self._usable()]
        self.notes.append(f"{action} {path}")

    def _usable(self) -> int:
        index = first_usable(self.root, self.places)
        if index < 0:
            raise OSError("no place for state")
        return index

    def _holds(self, index: int, name: str, seen: "Seen") -> bool:
        try:
            folder = Folder(self.root, self.places[index], create=False)
        except FileNotFoundError:
            return False
        try:
            log = folder.read(name, 2 * journal.MAX_BYTES) or b""
            age_s = time.time() - (folder.modified(name) or 0)
        finally:
            folder.close()
        return bool(log) and seen(log[-journal.TAIL_BYTES :], age_s)
