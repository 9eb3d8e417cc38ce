"""A settings file on disk: read with care, replaced in one step, with a way back."""

import errno
import hashlib
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.system import read_file
from session_memory.install.place import Place, Refused

MAX_BYTES = 4 << 20
# Backups of one settings file that are kept at most.
BACKUPS = 3
_NAME = ".before-session-memory-"
_DIGITS = 16


class Changed(OSError):
    """Somebody else wrote the file meanwhile."""


@dataclass(frozen=True)
class SettingsFile:
    """The real file behind a place, and its bytes; ``None`` when there is no such file.

    ``bounds`` are the real folders that stay, whatever becomes empty below them.
    """

    path: Path
    data: "bytes | None"
    bounds: tuple[Path, ...]

    @classmethod
    def read(cls, place: Place) -> "SettingsFile":
        """Read it; raises :class:`Refused` for what must not be edited."""
        bounds = tuple(Path(os.path.realpath(folder)) for folder in place.bounds)
        path = Path(os.path.realpath(place.path))
        # A link may lead to the user's own file, not out of the user's reach.
        if not any(path.is_relative_to(folder) for folder in bounds):
            raise Refused(f"{place.path} leads to {path}, outside {place.bounds[0]}")
        if place.root and _is_git_s(path.relative_to(bounds[0])):
            raise Refused(f"{place.path} leads to {path}, which belongs to git")
        return cls(path, _content(path), bounds)

    @property
    def text(self) -> str:
        """The content; raises :class:`Refused` when it is not UTF-8."""
        try:
            return (self.data or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise Refused(f"{self.path}: line {line}: not UTF-8") from None

    def replace(self, data: bytes, *, keep: "bytes | None") -> None:
        """Put ``data`` in its place, and keep ``keep`` as what to give back for it.

        Raises :class:`OSError`, and then the file is as it was; :class:`Changed` when it is no
        longer what was read.
        """
        self._check()
        backup = self._backup(data)
        made = _missing(self.path.parent)
        if keep is not None:
            replace(backup, keep)
        replace(self.path, data)
        if made:
            replace(self._note, "\n".join(map(str, made)).encode("utf-8", "surrogateescape"))
        for old in [path for path in self.backups() if path != backup][: 1 - BACKUPS]:
            old.unlink(missing_ok=True)

    def restore(self, data: "bytes | None") -> None:
        """Put back what stood here before the hooks, ``None`` for no file, and forget the rest."""
        self._check()
        if data is None:
            self.path.unlink()
        else:
            replace(self.path, data)
        self._forget()

    def strip(self, data: bytes) -> Path:
        """Put ``data`` in its place; where one backup of what is here now is kept."""
        self._check()
        backup = self._backup(self.data or b"")
        replace(backup, self.data or b"")
        replace(self.path, data)
        for old in self.backups():
            if old != backup:
                old.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
        return backup

    def original(self) -> "bytes | None":
        """What stood here before that was written which stands here now; ``None`` if unknown."""
        path = self._backup(self.data or b"")
        return _content(path) if path in self.backups() else None

    def backups(self) -> list[Path]:
        """All backups of this file, the oldest first."""
        ours = re.compile(re.escape(self.path.name + _NAME) + f"[0-9a-f]{{{_DIGITS}}}")
        try:
            entries = list(os.scandir(self.path.parent))
        except OSError:
            return []
        found = [e for e in entries if ours.fullmatch(e.name) and e.is_file(follow_symlinks=False)]
        found.sort(key=lambda entry: (entry.stat().st_mtime_ns, entry.name))
        return [Path(entry.path) for entry in found]

    def _check(self) -> None:
        if _content(self.path) != self.data:
            raise Changed(errno.EAGAIN, "changed meanwhile, try again", str(self.path))

    def _forget(self) -> None:
        for path in self.backups():
            path.unlink(missing_ok=True)
        made = (read_file(str(self._note), MAX_BYTES) or b"").decode("utf-8", "surrogateescape")
        self._note.unlink(missing_ok=True)
        for folder in self.path.parents:
            within = any(folder.is_relative_to(b) and folder != b for b in self.bounds)
            if within and str(folder) in made.split("\n"):
                _remove_if_empty(folder)

    @property
    def _note(self) -> Path:
        """Which folders were made for the file, so that only these go with it."""
        return self.path.with_name(f"{self.path.name}{_NAME}made")

    def _backup(self, written: bytes) -> Path:
        digest = hashlib.sha256(written).hexdigest()[:_DIGITS]
        return self.path.with_name(f"{self.path.name}{_NAME}{digest}")


def _content(path: Path) -> "bytes | None":
    try:
        facts = os.lstat(path)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise Refused(f"{path.parent} is not a folder") from None
    if not stat.S_ISREG(facts.st_mode):
        raise Refused(f"{path} is not a plain file")
    if facts.st_nlink > 1:
        raise Refused(f"{path} has other hard links, which a replacement would cut off")
    if hasattr(os, "getuid") and facts.st_uid != os.getuid():
        raise Refused(f"{path} belongs to another user")
    if facts.st_size > MAX_BYTES:
        raise Refused(f"{path} is larger than {MAX_BYTES} bytes")
    return path.read_bytes()


def replace(path: Path, data: bytes) -> None:
    """Write ``data`` in one step, with the mode of what stood there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Of the file itself; a backup has the mode of its original; a new file is the user's own."""
    for candidate in (path, path.with_name(path.name.partition(_NAME)[0])):
        try:
            return stat.S_IMODE(candidate.stat().st_mode)
        except FileNotFoundError:
            continue
    return 0o600


def _missing(folder: Path) -> list[Path]:
    """The folders that a file in ``folder`` needs and that are not there, the innermost first."""
    return [path for path in (folder, *folder.parents) if not os.path.lexists(path)]


def _is_git_s(relative: Path) -> bool:
    """Whether a path below a checkout's root is in git's own folder, on whatever file system."""
    return ".git" in [part.lower() for part in relative.parts]


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass
