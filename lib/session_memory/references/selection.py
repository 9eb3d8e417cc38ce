"""Choosing and reading the documents for an issue."""

from session_memory.references.matching import Matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.references.budgets import Budgets
    from session_memory.references.index import Entry
    from session_memory.references.issue import Issue
    from session_memory.references.tree import Tree

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

    def add(self, document: Document) -> None:
        """Count ``document`` as loaded."""
        self.documents.append(document)
        self.loaded_bytes += document.size
        self.critical_count += document.entry.critical


def select(
    tree: "Tree",
    entries: "list[Entry]",
    issue: "Issue",
    budgets: "Budgets",
    labels_only: bool = False,
) -> Selection:
    """Match ``entries`` with ``issue`` and read what the budgets allow."""
    selection = Selection(budgets)
    matcher = Matcher(issue, labels_only)
    for entry in sorted(entries, key=lambda entry: entry.order):
        matches = matcher.matches(entry)
        selection.matched_count += matches
        if tree.size(entry.target_path) is None:
            selection.stale.append(entry)
        elif matches:
            _load(tree, entry, selection)
        if entry.critical and not matches:
            selection.under_match.append(entry)
    return selection


def _load(tree: "Tree", entry: "Entry", selection: Selection) -> None:
    budgets = selection.budgets
    if entry.critical and selection.critical_count >= budgets.max_critical_loaded:
        selection.skipped.append((entry, "max_critical_loaded"))
        return
    room = budgets.max_total_loaded_bytes - selection.loaded_bytes
    data = tree.read(entry.target_path, room + 1)
    if data is None:
        selection.stale.append(entry)
    elif len(data) > room:
        selection.skipped.append((entry, "max_total_loaded_bytes"))
    else:
        selection.add(Document(entry, data))


def _readable(text: str) -> str:
    """``text`` with plain line ends and without control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join([c for c in text if c >= " " or c in "\n\t"])
