"""The slow half of the pre-flight: fetch the issue, load, and decide whether to inject."""

from session_memory.core import deadline
from session_memory.references.budgets import read_budgets
from session_memory.references.documents import read_documents
from session_memory.references.fetch import FetchFailed, fetch_issue
from session_memory.references.index import BadIndex, read_index
from session_memory.references.marker import Marker
from session_memory.references.matching import Matcher, only_labels
from session_memory.references.reply_text import compose
from session_memory.references.selection import select
from session_memory.references.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session
    from session_memory.references.issue import Issue
    from session_memory.references.prompt import Mention

# Seconds: for gh at most, and for what comes after it.
FETCH_LIMIT_S = 8.0
RESERVE_S = 1.5

# For comparing and reading: what is not decided by then is named instead.
SELECT_LIMIT_S = 0.8

_LEAST_FETCH_S = 0.2


def inject_for(session: "Session", mention: "Mention", room: int) -> str:
    """The references for ``mention`` in at most ``room`` bytes, or ``""``."""
    try:
        return _inject(session, mention, room)
    except BadIndex as error:
        session.lose(f"reference index {error}")
        session.explain("references", "index-unusable")
    except FetchFailed as error:
        session.lose(f"references of issue {mention.number} not loaded: {error}")
        session.explain("references", "issue-not-fetched")
    return ""


def _inject(session: "Session", mention: "Mention", room: int) -> str:
    tree = Tree(session.root)
    entries = read_index(tree)
    if not entries:
        session.explain("references", "index-empty")
        return ""
    # What an earlier prompt left never spares the fetch: only the body as it is now can tell
    # whether that still holds.
    marker = Marker(session, mention)
    issue = _fetch(session.root, mention)
    if marker.shows(issue):
        session.explain("references", "injected-before")
        return ""
    matcher = Matcher(issue, only_labels(session.root, session.lose))
    documents, budgets = read_documents(tree), read_budgets(tree)
    selection = select(documents, entries, matcher, budgets, SELECT_LIMIT_S)
    if selection.undecided_count:
        session.lose(f"{selection.undecided_count} of {len(entries)} references not compared")
    if not selection.matched_count:
        session.explain("references", "nothing-matches")
        return ""
    context = compose(selection, mention, room)
    return context if marker.take(issue) else ""


def _fetch(root: str, mention: "Mention") -> "Issue":
    limit_s = min(FETCH_LIMIT_S, deadline.remaining() - RESERVE_S)
    if limit_s < _LEAST_FETCH_S:
        raise FetchFailed("reading the payload left no time to ask gh")
    return fetch_issue(root, mention, limit_s)
