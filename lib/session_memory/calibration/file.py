"""``.copilot-tracking/calibration/review-data.json``: read strictly, changed under a lock (SMC-10).

A file that is no calibration data is left as it is, to the byte: what was collected there may still
be mended by hand. Only who says so has it set aside.
"""

import errno
from collections.abc import Callable

from session_memory.calibration import strict_json
from session_memory.calibration.writing import Document, check_shape
from session_memory.core import document, lock
from session_memory.core.checkout import Checkout
from session_memory.core.folder import Folder, NotOurs
from session_memory.core.store import Store
from session_memory.core.system import is_directory, join, native

PLACE = (".copilot-tracking", "calibration")
NAME = "review-data.json"
MAX_BYTES = 16 << 20

# Each writer holds the lock for some milliseconds; so long a wait meets one that is stuck.
WAIT_S = 20.0

_LOCK = NAME + ".lock"
_IGNORE = ".gitignore"
_OURS = f"{_IGNORE}\n{NAME}.*\n".encode()
# What opening gives for a link, a folder, a socket.
_NOT_A_FILE = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.ENXIO, errno.EMLINK)

Change = Callable[["Document | None"], "Document | None"]


class Unusable(Exception):
    """The file cannot be used as it is; nothing was written."""

    def __init__(self, path: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class Blocked(Unusable):
    """A link, or something that is no folder, stands where the file's folder belongs."""


class Corrupt(Unusable):
    """What it holds is no calibration data, so that it may be set aside."""


class CalibrationFile(Store):
    """The file of one checkout. ``set_aside`` is where a change has put a corrupt one."""

    def __init__(self, checkout: Checkout) -> None:
        super().__init__(checkout.root, (PLACE,), checkout.common_dir if checkout.ours else "")
        self.path = join(join(self.root, "/".join(PLACE)), NAME)
        self.set_aside = ""

    def load(self) -> "Document | None":
        """What the file holds; ``None`` when it is absent or empty.

        Raises :class:`Unusable`, and :class:`OSError` when it cannot be read.
        """
        try:
            folder = Folder(self.root, PLACE, create=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._explained(error) from None
        try:
            return self._read(folder)
        finally:
            folder.close()

    def change(self, change: Change, set_aside: bool = False) -> None:
        """Replace the document by what ``change`` makes of it; ``None`` leaves it.

        Readers see the old document or the new one, and so does the next start after a power
        failure. Raises :class:`Unusable` and :class:`OSError`; the file is then as it was. With
        ``set_aside`` a corrupt one is renamed, and ``change`` gets ``None``.
        """

        def apply(folder: Folder, _name: str) -> None:
            guard = folder.open(_LOCK, native.O_RDWR | native.O_CREAT)
            try:
                if lock.acquire(guard, WAIT_S) == lock.BUSY:
                    raise lock.Busy(f"{self.path}: another process has kept it locked")
                _remove_temporaries(folder)
                current, aside = self._current(folder, set_aside)
                changed = change(current)
                if changed is not None:
                    self._write(folder, changed, aside)
                elif aside:
                    folder.replace(NAME, aside)
                self.set_aside = join(folder.path, aside) if aside else ""
            finally:
                native.close(guard)

        try:
            self._first(NAME, apply, beside=_LOCK)
        except OSError as error:
            raise self._explained(error) from None

    def _current(self, folder: Folder, set_aside: bool) -> "tuple[Document | None, str]":
        """What is there, and the name that it has to be set aside under, or ``""``."""
        try:
            return self._read(folder), ""
        except Corrupt:
            if not set_aside:
                raise
        return None, document.aside_name(NAME)

    def _read(self, folder: Folder) -> "Document | None":
        try:
            data = folder.read(NAME, MAX_BYTES + 1)
        except OSError as error:
            raise self._explained(error) from None
        if data and len(data) > MAX_BYTES:
            raise Unusable(self.path, f"more than {MAX_BYTES} bytes")
        if not data or not data.strip():
            return None
        try:
            found = strict_json.parse_object(data)
        except ValueError as error:
            raise Corrupt(self.path, str(error)) from None
        problems = check_shape(found)
        if problems:
            kind = Unusable if problems[0].code == "unknown-version" else Corrupt
            raise kind(self.path, str(problems[0]))
        return found

    def _write(self, folder: Folder, changed: Document, aside: str) -> None:
        data = strict_json.format_object(changed)
        if len(data) > MAX_BYTES:
            raise Unusable(self.path, f"it would grow beyond {MAX_BYTES} bytes")
        if strict_json.parse_object(data) != changed:
            raise Unusable(self.path, "it could not be read back as it was written")
        document.replace(folder, NAME, data, flush=True, aside=aside)

    def _explained(self, error: OSError) -> Exception:
        """A link or a folder in the file's place as what it is, anything else as it came."""
        if isinstance(error, NotOurs):
            return Unusable(self.path, str(error))
        if error.errno in _NOT_A_FILE:
            obstacle = self._obstacle()
            if obstacle:
                return Blocked(self.path, f"{obstacle} is a link or no folder")
            return Unusable(self.path, "it is a link or no plain file")
        if not isinstance(error, lock.Busy):
            error.filename = self.path  # rather than none, or a name below an open folder
        return error

    def _obstacle(self) -> str:
        """The first part of the way that is no folder, relative to the root."""
        ways = ["/".join(PLACE[:depth]) for depth in range(1, len(PLACE) + 1)]
        for way in ways:
            path = join(self.root, way)
            try:
                if not is_directory(native.lstat(path).st_mode):
                    return way
            except OSError:
                break
        return ""

    def _keep_out_of_git(self, folder: Folder, place: "tuple[str, ...]") -> None:
        """A folder that somebody else made may be theirs to commit, but not our lock."""
        if not folder.created and folder.identity(_IGNORE) is None:
            try:
                document.replace(folder, _IGNORE, _OURS)
            except OSError:  # an untidy git status is better than a lost record
                pass
        elif folder.created:
            super()._keep_out_of_git(folder, place)


def _remove_temporaries(folder: Folder) -> None:
    """What a killed writer left. Nobody else writes one, since the lock is held."""
    for name in folder.names():
        if name.startswith(NAME + ".") and name.endswith(".tmp"):
            folder.remove(name)
