"""Writing files that belong to the user's repository: in one step, and never outside of it."""

import os
from contextlib import suppress
from pathlib import Path

from session_memory.references.tree import Tree


class Unwritable(Exception):
    """A file is not touched, because its folder leads out of the repository."""


def write_file(tree: Tree, name: str, text: str) -> bool:
    """Make ``name`` hold ``text`` in UTF-8; ``False`` when it does already.

    The file gets the modes that the user's umask gives, unlike our own state. A link in its place
    is replaced, never followed. Raises :class:`Unwritable` and :class:`OSError`.
    """
    data = text.encode()
    path = _place(tree, name)
    if not path.is_symlink() and tree.read(name, len(data) + 1) == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    return True


def remove_file(tree: Tree, name: str) -> None:
    """Remove the file ``name`` if it exists. Raises :class:`Unwritable` and :class:`OSError`."""
    _place(tree, name).unlink(missing_ok=True)


def _place(tree: Tree, name: str) -> Path:
    """``name`` in its real folder, its own last component as it is."""
    folder, _, last = name.rpartition("/")
    parent = tree.resolve(folder) if folder else tree.root
    if not parent or name[:1] == "/" or last in ("", ".", ".."):
        raise Unwritable(f"{name}: its folder leads out of the repository")
    return Path(parent, last)
