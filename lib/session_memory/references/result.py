"""What ``references load`` answers."""

from session_memory.references.configuration import Configuration
from session_memory.references.index import PATH
from session_memory.references.inventory import list_files, markdown_documents
from session_memory.references.rendering import render_all, stale_note
from session_memory.references.selection import NOT_LOADED, Selection
from session_memory.references.sidecar import SUFFIX
from session_memory.references.state import NUDGE_DISMISSED, SETUP_COMPLETE, read_state
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


def is_nudge_due(tree: Tree, configuration: Configuration) -> bool:
    """Whether a repository with many documents has never heard of references."""
    state = read_state(tree)
    if state[NUDGE_DISMISSED] or state[SETUP_COMPLETE] or tree.size(PATH) is not None:
        return False
    files = list_files(tree.root)
    if any(path.endswith(SUFFIX) for path in files):
        return False
    documents = markdown_documents(tree, files, configuration.declared_roots)
    return len(documents) >= configuration.doc_count_threshold
