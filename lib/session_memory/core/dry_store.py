"""A store for looking: what a hook would do, without doing it."""

import time

from session_memory.core import journal
from session_memory.core.folder import Folder
from session_memory.core.places import first_usable, paths, peek
from session_memory.core.runonce import is_older
from session_memory.core.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.document import Change, Edit
    from session_memory.core.journal import Seen
    from session_memory.core.places import Place


class DryStore(Store):
    """A store that only tells what it would do: writes in ``notes``, the rest in ``skipped``.

    As in a real one, :class:`OSError` is raised when no place would take a write.
    """

    def __init__(self, root: str, places: "tuple[Place, ...]", common_dir: str) -> None:
        super().__init__(root, places, common_dir)
        self.notes: list[str] = []
        self.skipped: list[str] = []

    def append(
        self, name: str, record: bytes, seen: "Seen | None" = None, fallback: str = ""
    ) -> bool:
        index = self._usable()
        actual = (fallback or name) if index else name
        if seen and self._holds(index, actual, seen):
            self.skipped.append("already recorded in " + self._path(actual))
            return False
        self.notes.append(f"append {len(record) + 1} bytes to {self._path(actual)}")
        return True

    def claim(self, name: str, valid_s: "float | None" = None) -> bool:
        facts = peek(self.root, self.places, name)
        free = facts is None or (valid_s is not None and is_older(facts.st_mtime, valid_s))
        if free:
            self.notes.append("claim " + self._path(name))
        else:
            self.skipped.append("already claimed " + self._path(name))
        return free

    def complete(self, name: str, record: bytes) -> None:
        path = self._path(name)
        claims = [note for note in self.notes if note == "claim " + path]
        self.notes = [note for note in self.notes if note not in claims]
        self.notes.append(f"claim and complete {path}" if claims else f"complete {path}")

    def remove_stale(self, now: float) -> None:
        """Leave everything; what is stale is no part of the decision."""

    def update(self, name: str, change: "Change") -> None:
        if change(self.read(name)) is not None:
            self.notes.append("update " + self._path(name))

    def edit(self, name: str, change: "Edit") -> str:
        self.notes.append("update " + self._path(name))
        return ""

    def _path(self, name: str) -> str:
        return paths(self.root, self.places, name)[self._usable()]

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
