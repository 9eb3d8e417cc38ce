"""``references index``: the generated index and list; the same input gives the same bytes."""

import json
import posixpath
from collections.abc import Iterable
from urllib.parse import quote

from session_memory.references.index import PATH, Entry
from session_memory.references.inventory import LIST_PATH
from session_memory.references.sidecar import Sidecar

_TITLE = "# Reference documents\n\n<!-- made by `session-memory references index` -->\n\n"


def index_entries(sidecars: Iterable[Sidecar]) -> list[Entry]:
    """The entries in the order of the index: by name, in code points, whatever the locale."""
    return sorted((s.entry for s in sidecars), key=lambda entry: (entry.name, entry.target_path))


def generated_files(entries: list[Entry]) -> dict[str, str]:
    """Every generated file by its path."""
    return {PATH: render_index(entries), LIST_PATH: render_list(entries)}


def render_index(entries: list[Entry]) -> str:
    """The text of the index."""
    rows = [entry.as_dict() for entry in entries]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def render_list(entries: list[Entry]) -> str:
    """The text of the list for people: one link an entry."""
    return _TITLE + "".join(_item(entry) for entry in entries)


def _item(entry: Entry) -> str:
    path = posixpath.relpath(entry.target_path, posixpath.dirname(LIST_PATH))
    description = f": {_text(entry.description)}" if entry.description else ""
    return f"- [{_text(entry.name)}]({quote(path)}){description}\n"


def _text(text: str) -> str:
    """``text`` on one line, without anything that Markdown would take for a link or for HTML."""
    return "".join("\\" + c if c in "\\[]<`" else c for c in " ".join(text.split()))
