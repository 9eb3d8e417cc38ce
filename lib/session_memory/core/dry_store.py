"""A store for looking: what a hook would do, without doing it."""

from session_memory.core.places import paths, peek
from session_memory.core.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.document import Change
    from session_memory.core.journal import Seen
    from session_memory.core.places import Place


class DryStore(Store):
    """A store that only tells what it would do."""

    def __init__(self, root: str, places: "tuple[Place, ...]", common_dir: str) -> None:
        super().__init__(root, places, common_dir)
        self.notes: list[str] = []

    def append(
        self, name: str, record: bytes, seen: "Seen | None" = None, fallback: str = ""
    ) -> bool:
        self._note("append", name)
        return True

    def claim(self, name: str) -> bool:
        free = peek(self.root, self.places, name) is None
        self._note("claim" if free else "find claimed", name)
        return free

    def complete(self, name: str, record: bytes) -> None:
        self._note("complete", name)

    def remove_stale(self, prefixes: "tuple[str, ...]", now: float) -> None:
        pass

    def update(self, name: str, change: "Change") -> None:
        change(self.read(name))
        self._note("update", name)

    def _note(self, action: str, name: str) -> None:
        self.notes.append(f"{action} {paths(self.root, self.places, name)[0]}")
