"""The documents and sidecars of a repository."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from session_memory.core.json_text import well_formed
from session_memory.references.globs import glob_matches
from session_memory.references.sidecar import SUFFIX, InvalidSidecar, Sidecar, parse_sidecar
from session_memory.references.tree import Tree

# The generated list of documents is not a document that needs a sidecar.
LIST_PATH = "Documents/INDEX.md"

_MARKDOWN = (".md", ".markdown")
_SKIPPED = frozenset((".git", "node_modules"))
_MAX_SIDECAR = 1 << 20


@dataclass
class Sidecars:
    """The sidecars that can be used, and what is wrong with the others."""

    usable: list[Sidecar] = field(default_factory=list)
    invalid: list[InvalidSidecar] = field(default_factory=list)


def list_files(root: str) -> list[str]:
    """All files below ``root``, relative and sorted, with ``/``.

    Left out are folders behind links, folders with a ``.git`` of their own, which are other
    repositories or other worktrees of this one, and names that are not Unicode.
    """
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_foreign(Path(folder, name)))
        inside = Path(folder).relative_to(root)
        found += [(inside / name).as_posix() for name in names]
    return sorted(path for path in found if _is_unicode(path))


def _is_unicode(path: str) -> bool:
    return well_formed(path) == path


def _is_foreign(folder: Path) -> bool:
    return folder.name in _SKIPPED or (folder / ".git").exists()


def markdown_documents(tree: Tree, files: Iterable[str], roots: Iterable[str]) -> list[str]:
    """The Markdown files among ``files`` that lie under the declared ``roots``.

    Hidden files and folders count only under a root that names them.
    """
    patterns = list(roots)
    return [
        path
        for path in files
        if path.lower().endswith(_MARKDOWN)
        and path != LIST_PATH
        and any(is_under(path, pattern) for pattern in patterns)
        and tree.size(path) is not None
    ]


def is_under(path: str, root: str) -> bool:
    """Whether ``path`` lies under a declared root: a glob, or the name of a folder or file."""
    plain = root.replace("\\", "/").strip("/")
    if not {part for part in path.split("/") if part.startswith(".")} <= set(plain.split("/")):
        return False
    if "*" in plain or "?" in plain:
        return glob_matches(plain, path)
    return path == plain or path.startswith(plain + "/")


def read_sidecars(tree: Tree, files: Iterable[str]) -> Sidecars:
    """Every sidecar among ``files``."""
    read = Sidecars()
    for path in files:
        if not path.endswith(SUFFIX) or path.rpartition("/")[2] == SUFFIX:
            continue
        try:
            read.usable.append(parse_sidecar(path, _text(tree, path)))
        except InvalidSidecar as error:
            read.invalid.append(error)
    return read


def _text(tree: Tree, path: str) -> str:
    data = tree.read(path, _MAX_SIDECAR + 1)
    if data is None:
        raise InvalidSidecar(path, 1, "not a plain file inside the repository")
    if len(data) > _MAX_SIDECAR:
        raise InvalidSidecar(path, 1, f"longer than {_MAX_SIDECAR} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidSidecar(path, line, "not UTF-8") from None
