"""``references index``: the generated index and list; the same input gives the same bytes."""

import json
import os
import posixpath
from collections.abc import Iterable
from urllib.parse import quote

from session_memory.references.files import Unwritable, write_files
from session_memory.references.index import PATH, Entry
from session_memory.references.inventory import LIST_PATH
from session_memory.references.sidecar import Sidecar
from session_memory.references.tree import Tree

_MARK = "<!-- made by `session-memory references index` -->"
_TITLE = f"# Reference documents\n\n{_MARK}\n\n"
_MAX_LIST = 4 << 20


def index_entries(sidecars: Iterable[Sidecar]) -> list[Entry]:
    """The entries in the order of the index: by name, in code points, whatever the locale."""
    return sorted((s.entry for s in sidecars), key=lambda entry: (entry.name, entry.target_path))


def write_index(tree: Tree, entries: list[Entry]) -> list[str]:
    """Write the generated files, all or none; the paths of those that changed.

    Raises :class:`Unwritable` when the list would replace somebody's own text, and
    :class:`OSError`.
    """
    files = generated_files(tree, entries)
    if LIST_PATH in files and is_list_of_others(tree):
        raise Unwritable(
            f"{LIST_PATH} was not made by this command, and nothing was written;"
            " rename or remove it, then run this again"
        )
    return write_files(tree, files)


def generated_files(tree: Tree, entries: list[Entry]) -> dict[str, str]:
    """Every generated file by its path.

    The list is made where its folder exists. Without entries there is nothing to make, but what was
    made before is to say so.
    """
    files = {PATH: render_index(entries)}
    if tree.is_folder(posixpath.dirname(LIST_PATH)):
        files[LIST_PATH] = render_list(entries)
    if entries:
        return files
    return {path: text for path, text in files.items() if _was_made(tree, path)}


def outdated_files(tree: Tree, entries: list[Entry]) -> list[str]:
    """The generated files that are not what ``entries`` make of them."""
    texts = {path: text.encode() for path, text in generated_files(tree, entries).items()}
    return [path for path, data in texts.items() if tree.read(path, len(data) + 1) != data]


def is_list_of_others(tree: Tree) -> bool:
    """Whether something stands in the place of the list that this command did not make."""
    if not _exists(tree, LIST_PATH):
        return False
    text = (tree.read(LIST_PATH, _MAX_LIST) or b"").decode("utf-8", "replace")
    return _MARK not in text.splitlines()


def render_index(entries: list[Entry]) -> str:
    """The text of the index."""
    rows = [entry.as_dict() for entry in entries]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def render_list(entries: list[Entry]) -> str:
    """The text of the list for people: one link an entry."""
    return _TITLE + "".join(_item(entry) for entry in entries)


def _was_made(tree: Tree, path: str) -> bool:
    return _exists(tree, path) and not (path == LIST_PATH and is_list_of_others(tree))


def _exists(tree: Tree, path: str) -> bool:
    return os.path.lexists(os.path.join(tree.root, path))


def _item(entry: Entry) -> str:
    path = posixpath.relpath(entry.target_path, posixpath.dirname(LIST_PATH))
    description = f": {_text(entry.description)}" if entry.description else ""
    return f"- [{_text(entry.name)}]({quote(path)}){description}\n"


def _text(text: str) -> str:
    """``text`` on one line, without anything that Markdown would take for a link or for HTML."""
    return "".join("\\" + c if c in "\\[]<`" else c for c in " ".join(text.split()))
