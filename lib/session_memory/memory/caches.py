"""The files themselves: read within bounds, written in one step, never through a link."""

import errno
from collections.abc import Callable
from dataclasses import dataclass

from session_memory.core import git
from session_memory.core.folder import Folder
from session_memory.core.places import MEMORY, paths
from session_memory.core.session import Session
from session_memory.core.store import Store
from session_memory.memory import names
from session_memory.memory.sources import ABSENT, FAILED, FOUND, SESSION, Source

# A GitHub comment holds a quarter of it; a plan that is larger is something else.
MAX_BYTES = 256 << 10
_MAX_NAMES = 2000

NOWHERE = "there is no repository here, and so no session memory"


class Unwritable(OSError):
    """Session memory takes no write here; the message says why."""


@dataclass(frozen=True)
class Entry:
    """A file of ours in the folder, by its name."""

    file: str
    shape: names.Shape
    identity: str
    modified: float


class Caches:
    """``/memories/session/`` of one checkout, which lies at ``<root>/memories/session/``."""

    def __init__(self, root: str, store: Store | None) -> None:
        self.root = root
        self.store = store

    @classmethod
    def of(cls, session: Session) -> "Caches":
        """Those of a conversation."""
        root = session.root
        return cls(root, session.store_at(root, MEMORY, session.checkout) if root else None)

    def path(self, file: str) -> str:
        """Where ``file`` is or would be; ``""`` outside a repository."""
        return paths(self.root, MEMORY, file)[0] if self.root else ""

    def read(self, file: str, name: str = SESSION) -> Source:
        """The file as a source called ``name``."""
        where = self.path(file)
        if self.store is None:
            return Source(name, FAILED, NOWHERE)
        try:
            data = self.store.read_bytes(file, MAX_BYTES + 1)
        except OSError as error:
            return Source(name, FAILED, f"it cannot be read: {reason(error)}", where)
        if data is None:
            return Source(name, ABSENT, "there is no such file", where)
        if len(data) > MAX_BYTES:
            return Source(name, FAILED, f"it is larger than {MAX_BYTES} bytes", where)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            return Source(name, FAILED, f"it is not UTF-8 at byte {error.start}", where)
        if not text.strip():
            return Source(name, ABSENT, "the file is empty", where)
        return Source(name, FOUND, where=where, text=text)

    def write(self, file: str, text: str, before: "Source | None" = None) -> str:
        """Replace the file by ``text``; the name that an unreadable one was set aside under.

        Raises :class:`Unwritable` when it was not written, as it is if the file is not what it was
        when it was read as ``before``.
        """
        new = (text.rstrip("\n") + "\n").encode("utf-8")

        def change(old: bytes | None) -> bytes | None:
            present = "" if old is None else decoded(old)
            if before is not None and present.strip() != before.text.strip():
                raise Unwritable(f"{self.path(file)} has been changed meanwhile")
            return None if old == new else new

        return self.edit(file, change)

    def edit(self, file: str, change: Callable[[bytes | None], bytes | None]) -> str:
        """Change the file under its lock, as :meth:`.Store.edit` does."""
        if self.store is None:
            raise Unwritable(NOWHERE)
        try:
            return self.store.edit(file, change)
        except Unwritable:
            raise
        except OSError as error:
            raise Unwritable(f"{self.path(file)}: {reason(error)}") from error

    def came_with_git(self, file: str) -> bool:
        """Whether a branch may have brought the file: it is tracked, or git does not tell."""
        path = "/".join([*MEMORY[0], file])
        return git.run(self.root, "ls-files", "--", f":(icase){path}") != b""

    def entries(self) -> list[Entry]:
        """The files of ours, by name; :class:`OSError` when the folder cannot be read."""
        try:
            folder = Folder(self.root, MEMORY[0], create=False) if self.root else None
        except FileNotFoundError:
            return []
        if folder is None:
            return []
        try:
            found = [(file, names.recognise(file)) for file in sorted(folder.names())]
            ours = [(file, known) for file, known in found if known][:_MAX_NAMES]
            return [Entry(file, *known, folder.modified(file) or 0.0) for file, known in ours]
        finally:
            folder.close()

    def bundles_with(self, issue: int) -> list[names.Bundle]:
        """The bundles that ``issue`` is part of, the last written first."""
        found = sorted(
            (entry for entry in self.entries() if entry.shape.name == "plan-bundle"),
            key=lambda entry: -entry.modified,
        )
        bundles = [names.Bundle(tuple(map(int, e.identity.split("-")))) for e in found]
        return [bundle for bundle in bundles if issue in bundle.issues]


def decoded(data: bytes) -> str:
    """``data`` as text; :class:`ValueError` for what no reader here would take."""
    if len(data) > MAX_BYTES:
        raise ValueError("too large")
    return data.decode("utf-8")


def reason(error: OSError) -> str:
    """Why a file or the folder could not be used, in a few words."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "a link or another file is in the way, and links are not followed"
    return error.strerror or str(error) or type(error).__name__
