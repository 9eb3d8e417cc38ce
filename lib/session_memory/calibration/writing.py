"""The document after an entry or an event was added (SMC-10)."""

from collections.abc import Iterable, Sequence

from session_memory.calibration import values
from session_memory.markers.problem import Problem

VERSION = 1
Document = dict[str, object]

# The members that the code relies on, and what they are; null stands for none.
_KINDS: dict[str, tuple[type, str]] = {
    "entries": (list, "a list"),
    "re_activation_events": (list, "a list"),
    "prosecution_depth_state": (dict, "an object"),
    "proposals_emitted": (list, "a list"),
    "complexity_over_ceiling_history": (dict, "an object"),
    "consolidation_events": (list, "a list"),
}


def check_shape(document: Document) -> list[Problem]:
    """Why the document cannot be added to: another version, or a member of another kind.

    Faulty entries are no reason, since every reader passes over them; see :mod:`.reading`.
    """
    version = document.get("calibration_version", VERSION)
    if version != VERSION or not values.is_integer(version):
        return [Problem("unknown-version", f"is not {VERSION}", "calibration_version")]
    return [
        values.wrong_type(wanted, document[name], name)
        for name, (kind, wanted) in _KINDS.items()
        if document.get(name) is not None and not isinstance(document[name], kind)
    ]


def with_entries(
    document: "Document | None", entries: Iterable[Document] = (), events: Iterable[Document] = ()
) -> Document:
    """A copy of the document in which these come last, in place of those they supersede.

    An entry supersedes that of the same pull request, an event that of the same category and
    trigger. All other members stay as they are, in their order.
    """
    kept: Document = dict(document or {})
    kept.setdefault("calibration_version", VERSION)
    kept["entries"] = _replaced(_list(kept.get("entries")), list(entries), ("pr_number",))
    kept["re_activation_events"] = _replaced(
        _list(kept.get("re_activation_events")), list(events), ("category", "triggered_at_pr")
    )
    return kept


def _replaced(old: list[object], new: list[Document], key: tuple[str, ...]) -> list[object]:
    taken = {_key(item, key) for item in new}
    return [*(item for item in old if _key(item, key) not in taken), *new]


def _key(item: object, names: Sequence[str]) -> tuple[object, ...]:
    """Identity of an item. What has none is never replaced, whatever Python holds to be equal."""
    found = [item.get(name) for name in names] if isinstance(item, dict) else []
    if not found or not all(isinstance(one, str) or values.is_integer(one) for one in found):
        return (id(item),)
    return (*names, *found)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
