"""Where state lies, and the few things that are done with it there.

A store knows an ordered list of places below one root. The first that works is used; only when all
fail is the first failure raised.
"""

from session_memory.core.folder import Folder
from session_memory.core.lock import Busy
from session_memory.core.system import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, TypeVar

    from session_memory.core.document import Change, Edit
    from session_memory.core.journal import Seen
    from session_memory.core.places import Place

    Result = TypeVar("Result")


class Store:
    """State below ``root``. Every method raises :class:`OSError` when no place works.

    ``last_path`` is the file that the last write went to.
    """

    def __init__(self, root: str, places: "tuple[Place, ...]", common_dir: str) -> None:
        self.root = root
        self.places = places
        self.common_dir = common_dir
        self.last_path = ""

    def append(
        self, name: str, record: bytes, seen: "Seen | None" = None, fallback: str = ""
    ) -> bool:
        """Add a line to a log, which is called ``fallback`` anywhere but in the first place."""
        from session_memory.core import journal

        def add(folder: Folder, actual: str) -> bool:
            return journal.append(folder, actual, record, seen)

        return self._first(name, add, fallback or name)

    def claim(self, name: str, valid_s: "float | None" = None) -> bool:
        """Claim a run-once marker, which counts for ``valid_s`` seconds, or for ever."""
        from session_memory.core import runonce

        def take(folder: Folder, actual: str) -> bool:
            return runonce.claim(folder, actual, valid_s)

        return self._first(name, take)

    def complete(self, name: str, record: bytes) -> None:
        """Fill a run-once marker."""
        from session_memory.core import runonce

        def fill(folder: Folder, actual: str) -> None:
            runonce.complete(folder, actual, record)

        self._first(name, fill)

    def remove_stale(self, now: float) -> None:
        """Remove what is old and of no use any more in every place, a bounded number a run."""
        from session_memory.core import stale

        for place in self.places:
            try:
                folder = Folder(self.root, place, create=False)
            except OSError:
                continue
            try:
                stale.remove(folder, now)
            finally:
                folder.close()

    def update(self, name: str, change: "Change") -> None:
        """Change a state document under its lock."""
        from session_memory.core import document

        def apply(folder: Folder, actual: str) -> None:
            document.update(folder, actual, change)

        self._first(name, apply, beside=name + ".lock")

    def edit(self, name: str, change: "Edit") -> str:
        """Change a file of any form under its lock; the name of what was set aside, or ``""``."""
        from session_memory.core import document

        def apply(folder: Folder, actual: str) -> str:
            return document.edit(folder, actual, change)

        return self._first(name, apply, beside=name + ".lock")

    def read_bytes(self, name: str, limit: int) -> "bytes | None":
        """Up to ``limit`` bytes of a file, ``None`` when no place has it.

        Unlike :meth:`read`, it raises :class:`OSError` for what is there and cannot be read.
        """
        for place in self.places:
            try:
                folder = Folder(self.root, place, create=False)
            except FileNotFoundError:
                continue
            try:
                data = folder.read(name, limit)
            finally:
                folder.close()
            if data is not None:
                return data
        return None

    def read(self, name: str) -> "dict[str, object] | None":
        """A state document; ``None`` when it is absent or cannot be read."""
        from session_memory.core import document

        for place in self.places:
            try:
                folder = Folder(self.root, place, create=False)
            except OSError:
                continue
            try:
                found = document.read(folder, name)
            except (OSError, ValueError):
                return None
            finally:
                folder.close()
            if found is not None:
                return found
        return None

    def _first(
        self,
        name: str,
        action: "Callable[[Folder, str], Result]",
        fallback: str = "",
        beside: str = "",
    ) -> "Result":
        failure: OSError | None = None
        for place in self.places:
            try:
                return self._in(place, name, action, beside)
            except Busy:
                raise
            except OSError as error:
                failure = failure or error
            name = fallback or name
        raise failure or OSError("no place for state")

    def _in(
        self, place: "Place", name: str, action: "Callable[[Folder, str], Result]", beside: str
    ) -> "Result":
        folder = Folder(self.root, place, create=True)
        try:
            if folder.created or _is_missing(folder, name) or _is_missing(folder, beside):
                self._keep_out_of_git(folder, place)
            done = action(folder, name)
            self.last_path = join(folder.path, name)
            return done
        finally:
            folder.close()

    def _keep_out_of_git(self, folder: Folder, place: "Place") -> None:
        from session_memory.core import ignore

        try:
            if folder.created:
                ignore.hide(folder)
            else:
                ignore.cover(folder, self.root, place, self.common_dir)
        except OSError:
            # An untidy git status is better than a lost record.
            pass


def _is_missing(folder: Folder, name: str) -> bool:
    return bool(name) and folder.identity(name) is None
