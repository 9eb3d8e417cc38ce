"""Reading files of a clone that the clone itself names.

An index is data of whoever may commit. What it names is read only when it is a plain file inside
the root once ``..`` and every link are resolved, and is no git's own, nested repositories included.
"""

import ntpath
import os
from os.path import realpath

from session_memory.core.system import (
    O_NOFOLLOW,
    READ_FLAGS,
    is_absolute,
    is_regular,
    native,
    read_fd,
)

# Resolving a name asks the disk for every component.
MAX_NAME = 1024
MAX_FOLDERS = 32


class Tree:
    """The files below ``root``."""

    def __init__(self, root: str) -> None:
        self.root = realpath(root)

    def resolve(self, name: str) -> str:
        """The real path of ``name``, given relative to the root; ``""`` when it leads outside."""
        if not name or is_absolute(name) or ntpath.splitdrive(name)[0]:
            return ""
        if len(name) > MAX_NAME or name.replace(os.sep, "/").count("/") > MAX_FOLDERS:
            return ""
        try:
            path = realpath(os.path.join(self.root, name))
        except (OSError, ValueError):  # too long, or a NUL
            return ""
        inside = self.root.rstrip(os.sep) + os.sep
        if not path.startswith(inside):
            return ""
        parts = path[len(inside) :].split(os.sep)
        return path if self.allows(parts) else ""

    def allows(self, parts: "list[str]") -> bool:
        """Whether the file with this real path, as its components below the root, is to be read."""
        return not any([part.lower() == ".git" for part in parts])

    def size(self, name: str) -> "int | None":
        """The size of the file ``name`` in bytes; ``None`` when it is not to be read."""
        return _size(self.resolve(name))

    def is_folder(self, name: str) -> bool:
        """Whether ``name`` is a folder inside the root."""
        path = self.resolve(name)
        return bool(path) and os.path.isdir(path)

    def read(self, name: str, limit: int) -> "bytes | None":
        """Up to ``limit`` bytes of the file ``name``; ``None`` when it is not to be read."""
        path = self.resolve(name)
        # Opening a device may do something, so the look comes first.
        if _size(path) is None:
            return None
        try:
            fd = native.open(path, READ_FLAGS | O_NOFOLLOW)
        except (OSError, ValueError):
            return None
        try:
            return read_fd(fd, limit) if is_regular(native.fstat(fd).st_mode) else None
        except OSError:
            return None
        finally:
            native.close(fd)


def _size(path: str) -> "int | None":
    try:
        facts = native.lstat(path) if path else None
    except (OSError, ValueError):
        return None
    return facts.st_size if facts and is_regular(facts.st_mode) else None
