"""Writing files that belong to the user's repository: in one step, and never outside of it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from session_memory.references.tree import Tree


class Unwritable(Exception):
    """A file is not touched: it is not ours, or its folder leads out of the repository."""


def write_file(tree: Tree, name: str, text: str) -> bool:
    """Make ``name`` hold ``text``; ``False`` when it does already. See :func:`write_files`."""
    return bool(write_files(tree, {name: text}))


def write_files(tree: Tree, texts: Mapping[str, str]) -> list[str]:
    """Make each file hold its text in UTF-8; the names of those that did not.

    Every text is on the disk before the first file is replaced, so that a fault leaves all of them
    as they were. The files get the modes that the user's umask gives, unlike our own state. A link
    in the place of a file is replaced, never followed. Raises :class:`Unwritable` and
    :class:`OSError`.
    """
    places = {name: _place(tree, name) for name in texts}
    changed = [name for name in texts if not _holds(tree, name, places[name], texts[name])]
    staged: dict[str, Path] = {}
    try:
        for name in changed:
            _refuse_folder(name, places[name])
            staged[name] = _temporary(places[name])
            _stage(staged[name], texts[name])
        for name in changed:
            staged.pop(name).replace(places[name])
    finally:
        for path in staged.values():
            with suppress(OSError):
                path.unlink()
    return changed


def remove_file(tree: Tree, name: str) -> None:
    """Remove the file ``name`` if it exists. Raises :class:`Unwritable` and :class:`OSError`."""
    _place(tree, name).unlink(missing_ok=True)


def _holds(tree: Tree, name: str, path: Path, text: str) -> bool:
    data = text.encode()
    return not path.is_symlink() and tree.read(name, len(data) + 1) == data


def _refuse_folder(name: str, path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        raise Unwritable(f"{name} is a folder")


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _stage(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(text.encode())


def _place(tree: Tree, name: str) -> Path:
    """``name`` in its real folder, its own last component as it is."""
    folder, _, last = name.rpartition("/")
    parent = tree.resolve(folder) if folder else tree.root
    if not parent or name[:1] == "/" or last in ("", ".", ".."):
        raise Unwritable(f"{name}: its folder leads out of the repository")
    return Path(parent, last)
