"""A folder of ours below a root, entered without following a link.

Everything in a clone is data: a link planted where state belongs must not lead a write out of the
root. On POSIX each step is taken relative to the folder before it, so there is no moment between
the check and the use. On Windows the paths are checked first.
"""

from session_memory.core.system import (
    O_BINARY,
    O_CLOEXEC,
    O_DIRECTORY,
    O_NOFOLLOW,
    O_NONBLOCK,
    WINDOWS,
    is_link,
    is_regular,
    join,
    native,
    read_fd,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

FILE_MODE = 0o600
FOLDER_MODE = 0o700

# A folder that may be entered but not listed is good enough, where the system can say so.
_ENTER = getattr(native, "O_PATH", native.O_RDONLY) | O_CLOEXEC | O_DIRECTORY
_FILE = O_CLOEXEC | O_BINARY | O_NOFOLLOW | O_NONBLOCK

_REPARSE_POINT = 0x400


class NotOurs(OSError):
    """Something else stands where a file of ours belongs: a link, a FIFO, a second hard link."""


class Folder:
    """An open folder. ``created`` tells that its last component was made just now."""

    def __init__(self, root: str, parts: "tuple[str, ...]", create: bool) -> None:
        """Enter ``root/part/…``; raises :class:`OSError` when that is not possible."""
        self.path = root
        self.created = False
        self._at: dict[str, int] = {} if WINDOWS else {"dir_fd": native.open(root, _ENTER)}
        try:
            for part in parts:
                self._enter(part, create)
        except OSError:
            self.close()
            raise

    def _enter(self, part: str, create: bool) -> None:
        try:
            self._step(part)
        except FileNotFoundError:
            if not create:
                raise
            self._make(part)
            self._step(part)
        self.path = join(self.path, part)

    def _make(self, part: str) -> None:
        try:
            native.mkdir(self._name(part), FOLDER_MODE, **self._at)
            self.created = True
        except FileExistsError:  # another hook was faster
            pass

    def _step(self, part: str) -> None:
        if WINDOWS:  # pragma: no cover
            self._refuse_link(part)
            return
        inner = native.open(part, _ENTER | O_NOFOLLOW, **self._at)
        native.close(self._at["dir_fd"])
        self._at["dir_fd"] = inner

    def _refuse_link(self, name: str) -> None:  # pragma: no cover - Windows has no O_NOFOLLOW
        facts = native.lstat(self._name(name))
        # A junction is a reparse point that does not look like a link.
        if is_link(facts.st_mode) or getattr(facts, "st_file_attributes", 0) & _REPARSE_POINT:
            raise NotOurs(f"{name} is a link")

    def _name(self, name: str) -> str:
        return join(self.path, name) if WINDOWS else name

    def open(self, name: str, flags: int) -> int:
        """A descriptor of the plain file ``name``, made with mode 0600 if ``flags`` say so.

        Raises :class:`NotOurs` for anything that is not a plain file with a single name.
        """
        if WINDOWS and self.identity(name) is not None:  # pragma: no cover
            self._refuse_link(name)
        fd = native.open(self._name(name), flags | _FILE, FILE_MODE, **self._at)
        facts = native.fstat(fd)
        if is_regular(facts.st_mode) and facts.st_nlink <= 1:
            return fd
        native.close(fd)
        raise NotOurs(f"{name} is not a plain file")

    def read(self, name: str, limit: int) -> "bytes | None":
        """Up to ``limit`` bytes of ``name``, or ``None`` when it does not exist."""
        try:
            fd = self.open(name, native.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            return read_fd(fd, limit)
        finally:
            native.close(fd)

    def facts(self, name: str) -> "os.stat_result | None":
        """Facts about ``name`` itself, a link not followed; ``None`` when it is absent."""
        try:
            return native.stat(self._name(name), follow_symlinks=False, **self._at)
        except FileNotFoundError:
            return None

    def modified(self, name: str) -> "float | None":
        """When ``name`` was last written, in seconds since 1970; ``None`` when it is absent."""
        facts = self.facts(name)
        return facts.st_mtime if facts else None

    def touch(self, name: str) -> None:
        """Give ``name`` the present time as that of its last change."""
        if WINDOWS:  # pragma: no cover
            native.utime(self._name(name))
        else:
            native.utime(name, dir_fd=self._at["dir_fd"], follow_symlinks=False)

    def identity(self, name: str) -> "tuple[int, int] | None":
        """Device and inode that ``name`` stands for now; ``None`` when it is absent."""
        facts = self.facts(name)
        return (facts.st_dev, facts.st_ino) if facts else None

    def replace(self, name: str, other: str) -> None:
        """Rename ``name`` to ``other``, which it replaces."""
        self.move(name, self, other)

    def move(self, name: str, target: "Folder", other: str) -> None:
        """Rename ``name`` to ``other`` in the folder ``target``, where it replaces a file."""
        keywords = (
            {}
            if WINDOWS
            else {"src_dir_fd": self._at["dir_fd"], "dst_dir_fd": target._at["dir_fd"]}
        )
        native.replace(self._name(name), target._name(other), **keywords)

    def remove(self, name: str) -> None:
        """Remove ``name``."""
        native.unlink(self._name(name), **self._at)

    def remove_folder(self, name: str) -> None:
        """Remove the folder ``name``; raises :class:`OSError` unless it is empty."""
        native.rmdir(self._name(name), **self._at)

    def names(self) -> "list[str]":
        """What lies in the folder."""
        if WINDOWS:  # pragma: no cover
            return native.listdir(self.path)
        fd = native.open(".", native.O_RDONLY | O_CLOEXEC | O_DIRECTORY, **self._at)
        try:
            return native.listdir(fd)
        finally:
            native.close(fd)

    def close(self) -> None:
        """Release the folder; a second call does nothing."""
        fd = self._at.pop("dir_fd", -1)
        if fd >= 0:
            native.close(fd)
