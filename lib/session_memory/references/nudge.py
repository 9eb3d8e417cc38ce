"""The suggestion to a repository with many documents that has never heard of references."""

from session_memory.references.configuration import Configuration
from session_memory.references.index import PATH
from session_memory.references.inventory import list_files, markdown_documents
from session_memory.references.sidecar import SUFFIX
from session_memory.references.state import NUDGE_DISMISSED, SETUP_COMPLETE, read_state
from session_memory.references.tree import Tree

NUDGE = (
    "note: the documents of this repository have no references yet; `session-memory references"
    " init` makes them, `init --dismiss-nudge` silences this note"
)


def is_nudge_due(tree: Tree, configuration: Configuration) -> bool:
    """Whether there are documents enough, no references, and nobody has said no."""
    state = read_state(tree)
    if state[NUDGE_DISMISSED] or state[SETUP_COMPLETE] or tree.size(PATH) is not None:
        return False
    files = list_files(tree.root)
    if any(path.endswith(SUFFIX) for path in files):
        return False
    documents = markdown_documents(tree, files, configuration.declared_roots)
    return len(documents) >= configuration.doc_count_threshold
