"""Listings: every page to the end, or an error; never a part of it."""

import re
from collections.abc import Iterator, Mapping

from session_memory.github.client import Client, Request
from session_memory.github.errors import InvalidAnswer

Item = Mapping[str, object]

# GitHub's own links name the repository by its number.
_LISTING = re.compile(
    r"(repos/[\w-]+/(?!\.\.?/)[\w.-]+|repositories/\d+)/(issues/\d+/comments|pulls)\?[\w=&%.:-]*"
)


def items(client: Client, what: str, path: str, query: str = "") -> list[Item]:
    """All items of the listing at ``path``, by ascending id, each id once.

    Pages shift while they are read when somebody deletes a comment; an id seen again is the same
    comment, and its later state counts. ``query`` narrows the listing, as in ``state=closed&``.
    """
    found: dict[int, Item] = {}
    for number, page in enumerate(_pages(client, what, f"{path}?{query}per_page=100"), 1):
        for item in page:
            key, content = _identified(item, f"{what}, page {number}")
            found[key] = content
    return [found[key] for key in sorted(found)]


def _pages(client: Client, what: str, following: str) -> Iterator[list[object]]:
    seen: set[str] = set()
    while following:
        here = f"{what}, page {len(seen) + 1}"
        if seen:  # whoever watches a terminal sees that there is more
            client.progress(here)
        if following in seen or len(seen) == client.limits.pages:
            raise InvalidAnswer(here, f"no end after {len(seen)} pages")
        seen.add(following)
        response = client.send(Request(here, "GET", following))
        try:
            page = response.value()
        except ValueError as error:
            raise InvalidAnswer(here, str(error)) from None
        if not isinstance(page, list):
            raise InvalidAnswer(here, "not a list")
        yield page
        following = _checked(response.next_path, here)


def _checked(path: str, what: str) -> str:
    """A link is followed only to another page of a listing."""
    if path and not _LISTING.fullmatch(path):
        raise InvalidAnswer(what, "the link to the next page leads elsewhere")
    return path


def _identified(item: object, what: str) -> tuple[int, Item]:
    if isinstance(item, Mapping):
        number = item.get("id")
        if isinstance(number, int) and not isinstance(number, bool) and number > 0:
            return number, item
    raise InvalidAnswer(what, "an item without a number")
