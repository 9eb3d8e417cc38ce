"""The state file of a decision: its key, its name, and what is written into it.

The key carries no prefix, unlike session keys: the file is shared with other readers of SMC-12.
"""

from session_memory.core.checkout import short
from session_memory.core.key import BRANCH, LAST_RESORT, SESSION_ID, slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.core.session import Session

    Document = dict[str, object]

FALLBACK = "session_fallback"

# There is no classifier: whoever decides starts from the smallest step.
PROPOSED_LEVEL = "patch"

MAX_FILES = 2000
_ISSUE = "issue-"
_DIGITS = "0123456789"


def hygiene_key(session_id: str, branch: str, sha: str) -> "tuple[str, str]":
    """``(slug, keying strategy)``; a name of nothing but punctuation falls to the next source."""
    for name, strategy in (
        (slug(session_id), SESSION_ID),
        (slug(_issue(branch) or branch), BRANCH),
        (slug(short(sha)), FALLBACK),
    ):
        if name:
            return name, strategy
    return LAST_RESORT, FALLBACK


def key_in(session: "Session", checkout: "Checkout") -> "tuple[str, str]":
    """:func:`hygiene_key` of a conversation in a checkout, which need not be its own."""
    # The session key is the sanitised id behind a prefix of two characters.
    session_id = session.key[2:] if session.rung == SESSION_ID else ""
    return hygiene_key(session_id, checkout.branch, checkout.sha)


def state_name(key: str) -> str:
    """The name of the state file with this key."""
    return f"release-hygiene-{key}.json"


def is_proposal(document: "Document | None") -> bool:
    """Whether the reminder was given already. A credit alone says nothing of the kind."""
    levels = (document.get("proposed_level"), document.get("chosen_level")) if document else ()
    return any([isinstance(level, str) and level for level in levels])


def recorded_files(document: "Document | None") -> "list[str]":
    """The touched files that the document names."""
    files = document.get("touched_files") if document else None
    return [file for file in files if isinstance(file, str)] if isinstance(files, list) else []


def with_proposal(
    document: "Document | None", strategy: str, touched: "list[str]"
) -> "Document | None":
    """The document with these files noted; ``None`` when it says all of that already."""
    known = document or {}
    changed = {
        **known,
        "proposed_level": known.get("proposed_level") or PROPOSED_LEVEL,
        "chosen_level": known.get("chosen_level"),
        "keying_strategy": strategy,
        "touched_files": joined(recorded_files(document), touched),
    }
    return None if changed == document else changed


def with_credit(
    document: "Document | None", credit: "Document", touched: "list[str]"
) -> "Document":
    """The document with the verifier's result; files are noted only beside a proposal."""
    changed = {**(document or {}), "symmetric_bump_credit": credit}
    if is_proposal(document):
        changed["touched_files"] = joined(recorded_files(document), touched)
    return changed


def joined(recorded: "list[str]", touched: "list[str]") -> "list[str]":
    """Both lists in one, each file once."""
    return list(dict.fromkeys(recorded + touched))[: max(len(recorded), MAX_FILES)]


def _issue(branch: str) -> str:
    """The digits behind the first ``issue-`` that has any, in upper or lower case."""
    name = branch.lower()
    place = name.find(_ISSUE)
    while place >= 0:
        rest = name[place + len(_ISSUE) :]
        digits = rest[: len(rest) - len(rest.lstrip(_DIGITS))]
        if digits:
            return digits
        place = name.find(_ISSUE, place + 1)
    return ""
