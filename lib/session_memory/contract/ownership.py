"""Which row a path belongs to, whether or not there is such a file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from session_memory.contract.table import FILES, Place, Row, contract
from session_memory.core.key import is_session_key

# What stands for a part of a name in documents: {ID}, <KEY>, KEY.
_STAND_IN = r"\{[^{}/]+\}|<[^<>/]+>|[A-Z]+|\*"
_PARTS = {
    "issue": rf"(?:[1-9][0-9]{{0,8}}|{_STAND_IN})",
    "issues": rf"(?:[1-9][0-9]{{0,8}}|{_STAND_IN})(?:-(?:[1-9][0-9]{{0,8}}|{_STAND_IN}))+",
    "key": rf"(?P<key>(?:s|b|sha)-[^/]+?|session|{_STAND_IN})",
    "slug": r"(?P<slug>[^/]+?)",
    "path": r".+",
}
_NAME = r"[^/]+?"

# Beside a document: its lock, what could not be parsed, what is being written, what is full.
_COMPANIONS = (
    ("lock", re.compile(r"(?P<document>.+)\.lock")),
    ("set aside, because it could not be parsed", re.compile(r"(?P<document>.+)\.corrupt-[0-9]+")),
    ("being written", re.compile(r"(?P<document>.+)\.[0-9]+-[0-9]+\.tmp")),
    ("generation before", re.compile(r"(?P<stem>.+)~[0-9]+(?P<suffix>\.jsonl)")),
)


@dataclass(frozen=True)
class Owner:
    """Who a file belongs to.

    ``rows`` is empty for a file of ours that is no state. ``companion`` tells what the file is to
    the document of the row, such as its lock. ``key`` is the session key in its name, ``slug`` the
    part that release hygiene has there instead.
    """

    place: Place
    rows: tuple[Row, ...]
    companion: str = ""
    key: str = ""
    slug: str = ""


def owner(where: str, path: str) -> Owner | None:
    """Who owns ``path``, which has ``/`` between its parts and is relative to ``where``."""
    for companion, pattern in _COMPANIONS:
        match = pattern.fullmatch(path)
        if match is None:
            continue
        parts = match.groupdict()
        owned = _owner(where, parts.get("document") or parts["stem"] + parts["suffix"])
        if owned is not None and not _is_any_path(owned.place):
            return Owner(owned.place, owned.rows, companion, owned.key, owned.slug)
    return _owner(where, path)


def _owner(where: str, path: str) -> Owner | None:
    for place, rows, pattern in _patterns():
        match = pattern.fullmatch(path) if place.where == where else None
        if match is None:
            continue
        parts = match.groupdict()
        key = parts.get("key") or ""
        if key and not (is_session_key(key) or re.fullmatch(_STAND_IN, key)):
            continue
        named = key if is_session_key(key) else ""
        return Owner(place, rows, key=named, slug=parts.get("slug") or "")
    return None


@cache
def _patterns() -> tuple[tuple[Place, tuple[Row, ...], re.Pattern[str]], ...]:
    """Places with the rows that share them, the most particular first."""
    shared: dict[tuple[str, str], list[tuple[Place, Row]]] = {}
    for place, row in _places():
        shared.setdefault((place.where, place.path), []).append((place, row))
    found = [
        (together[0][0], tuple(row for _, row in together), _pattern(path))
        for (_, path), together in shared.items()
    ]
    found += [(other, (), _pattern(other.path)) for other in contract().others]
    return tuple(sorted(found, key=lambda one: _particularity(one[0].path)))


def _places() -> Iterator[tuple[Place, Row]]:
    for row in contract().rows.values():
        for place in row.places:
            if place.where in FILES:
                yield place, row


def _particularity(path: str) -> tuple[bool, int, int]:
    return "{path}" in path, path.count("{"), -len(path)


def _is_any_path(place: Place) -> bool:
    return "{path}" in place.path


def _pattern(path: str) -> re.Pattern[str]:
    pieces = re.split(r"\{([a-z]+)\}", path)
    literal, names = pieces[::2], pieces[1::2]
    text = re.escape(literal[0])
    for name, after in zip(names, literal[1:], strict=True):
        text += _PARTS.get(name, _NAME) + re.escape(after)
    return re.compile(text)


def rows_of_marker(marker: str) -> tuple[Row, ...]:
    """The rows that keep state in a marker, such as ``plan-issue`` or ``credit-input``."""
    return tuple(
        row
        for row in contract().rows.values()
        if any(_family(place.path) == marker for place in row.places)
    )


def _family(literal: str) -> str:
    match = re.fullmatch(r"<!-- ([a-z-]+?)(?: v[0-9]+)?(?:-(?:review|\{[A-Za-z]+\}))* -->", literal)
    return match[1] if match else ""
