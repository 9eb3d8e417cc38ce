"""Foreign text for a model: fenced with a boundary that it cannot forge, and labelled."""

import re

from session_memory.references.selection import NOT_LOADED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from session_memory.references.index import Entry
    from session_memory.references.selection import Document, Selection

INFO_STRING = "untrusted-content"

_BACKTICKS = re.compile("`+")
# Our own sentinel, and the tags in which hosts wrap what a hook says.
_FRAME = re.compile(r"<(?=!--\s*refs-injected-|/?system[-_]reminder\b)", re.IGNORECASE)

_MAX_NAME = 60
_MAX_PATH = 100


def fence_for(bodies: "Iterable[str]") -> str:
    """A fence longer than any run of backticks in ``bodies``."""
    runs = [len(run) for body in bodies for run in _BACKTICKS.findall(body)]
    return "`" * max([3, *[length + 1 for length in runs]])


def render_body(body: str, fence: str) -> str:
    """``body`` between two fences, unable to speak for the hook or for its host."""
    text = _FRAME.sub("&lt;", body)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence} {INFO_STRING}\n{text}{end}{fence}"


def render_all(documents: "list[Document]") -> str:
    """Every document under a line that names it, whole."""
    fence = fence_for([document.body for document in documents])
    blocks = [f"{heading(d.entry)}\n{render_body(d.body, fence)}" for d in documents]
    return "\n\n".join(blocks)


def heading(entry: "Entry") -> str:
    """The line above a document."""
    priority = "critical" if entry.critical else entry.load_priority
    return f"Reference {name_of(entry)} ({path_of(entry)}, {priority}):"


def name_of(entry: "Entry") -> str:
    """The name of ``entry``, fit for our own sentences."""
    return _plain(entry.name, _MAX_NAME)


def path_of(entry: "Entry") -> str:
    """The target of ``entry``, fit for our own sentences."""
    return _plain(entry.target_path, _MAX_PATH)


def stale_note(entry: "Entry") -> str:
    """The note on an entry whose document is gone or lies elsewhere."""
    return f"[stale-ref: {name_of(entry)} \u2192 {path_of(entry)}]"


def notes(selection: "Selection") -> "list[list[str]]":
    """What else is to be said, by kind: critical but not loaded, stale, over a budget."""
    return [
        [f"{name_of(entry)} {NOT_LOADED}" for entry in selection.under_match],
        [stale_note(entry) for entry in selection.stale],
        [f"{name_of(entry)} [skipped: {reason}]" for entry, reason in selection.skipped],
    ]


def _plain(text: str, limit: int) -> str:
    """Text of the clone on one line, without markup, within ``limit`` bytes."""
    text = text[: 8 * limit]  # a name may have the length of a book
    text = "".join([c if c.isprintable() and c not in "`<>[]" else " " for c in text])
    text = " ".join(text.split())
    data = text.encode()
    return text if len(data) <= limit else data[: limit - 3].decode("utf-8", "ignore") + "\u2026"
