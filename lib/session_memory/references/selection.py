"""Choosing and reading the documents for an issue."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.references.budgets import Budgets
    from session_memory.references.documents import Documents
    from session_memory.references.index import Entry
    from session_memory.references.matching import Matcher

_CONTROL = dict.fromkeys([code for code in range(32) if chr(code) not in "\n\t"])

NOT_LOADED = "[not loaded; triggers did not match \u2014 confirm scope does not intersect]"


class Document:
    """A document that was loaded; ``size`` is that of its file in bytes."""

    __slots__ = ("body", "entry", "size")

    def __init__(self, entry: "Entry", data: bytes) -> None:
        self.entry = entry
        self.size = len(data)
        self.body = _readable(data.decode("utf-8-sig", "replace"))


class Selection:
    """What the index offers for one issue: documents, and what else is worth telling."""

    def __init__(self, budgets: "Budgets") -> None:
        self.budgets = budgets
        self.documents: list[Document] = []
        self.stale: list[Entry] = []
        self.under_match: list[Entry] = []
        self.skipped: list[tuple[Entry, str]] = []
        self.matched_count = 0
        self.loaded_bytes = 0
        self.critical_count = 0
        self.undecided_count = 0

    def add(self, document: Document) -> None:
        """Count ``document`` as loaded."""
        self.documents.append(document)
        self.loaded_bytes += document.size
        self.critical_count += document.entry.critical


def select(
    documents: "Documents",
    entries: "list[Entry]",
    matcher: "Matcher",
    budgets: "Budgets",
    limit_s: float = float("inf"),
) -> Selection:
    """Match ``entries`` with an issue and read what the budgets allow.

    After ``limit_s`` seconds the rest of the entries, those that come last in the order of
    loading, stays undecided and is counted.
    """
    end = time.monotonic() + limit_s
    selection = Selection(budgets)
    for done, entry in enumerate(sorted(entries, key=lambda entry: entry.order)):
        if time.monotonic() >= end:
            selection.undecided_count = len(entries) - done
            break
        matches = matcher.matches(entry)
        selection.matched_count += matches
        size = documents.size(entry.target_path)
        if size is None:
            selection.stale.append(entry)
        elif matches:
            _load(documents, entry, size, selection)
        if entry.critical and not matches:
            selection.under_match.append(entry)
    return selection


def _load(documents: "Documents", entry: "Entry", size: int, selection: Selection) -> None:
    budgets = selection.budgets
    if entry.critical and selection.critical_count >= budgets.max_critical_loaded:
        selection.skipped.append((entry, "max_critical_loaded"))
        return
    room = budgets.max_total_loaded_bytes - selection.loaded_bytes
    # What is too large is not read at all; what has grown since the look is not read to its end.
    data = documents.read(entry.target_path, room + 1) if size <= room else b""
    if data is None:
        selection.stale.append(entry)
    elif max(size, len(data)) > room:
        selection.skipped.append((entry, "max_total_loaded_bytes"))
    else:
        selection.add(Document(entry, data))


def _readable(text: str) -> str:
    """``text`` with plain line ends and without control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_CONTROL)
