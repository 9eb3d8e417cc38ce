"""What ``references load`` answers."""

from session_memory.references.configuration import Configuration
from session_memory.references.nudge import is_nudge_due
from session_memory.references.rendering import render_all, stale_note
from session_memory.references.selection import NOT_LOADED, Selection
from session_memory.references.state import NUDGE_DISMISSED, read_state
from session_memory.references.tree import Tree


def as_result(selection: Selection, tree: Tree, configuration: Configuration) -> dict[str, object]:
    """The selection in the shape that callers of the loader know."""
    documents = selection.documents
    dismissed = read_state(tree)[NUDGE_DISMISSED]
    return {
        "loaded": [{**d.entry.as_dict(), "bytes": d.size} for d in documents],
        "matched": [d.entry.name for d in documents],
        "stale": [stale_note(entry) for entry in selection.stale],
        "critical_under_match": [
            {"name": entry.name, "note": NOT_LOADED} for entry in selection.under_match
        ],
        "no_match": selection.matched_count == 0,
        "budget_skipped": [
            {"name": entry.name, "reason": reason} for entry, reason in selection.skipped
        ],
        "loaded_bytes": selection.loaded_bytes,
        **selection.budgets.as_dict(),
        "nudge_due": is_nudge_due(tree, configuration),
        "nudge_dismissed": dismissed,
        "untrusted": bool(documents),
        "rendered": render_all(documents),
    }
