"""Listings: every page to the end, or an error; never a part of it."""

import re
from collections.abc import Iterator, Mapping

from session_memory.github.client import Client, Request
from session_memory.github.errors import InvalidAnswer

Item = Mapping[str, object]

# GitHub's own links name the repository by its number.
_COMMENTS = re.compile(r"(repos/[\w.-]+/[\w.-]+|repositories/\d+)/issues/\d+/comments\?[\w=&%.:-]*")


def items(client: Client, what: str, path: str) -> list[Item]:
    """All items of the listing at ``path``, by ascending id, each id once.

    Pages shift while they are read when somebody deletes a comment; an id seen again is the same
    comment, and its later state counts.
    """
    found: dict[int, Item] = {}
    for number, page in enumerate(_pages(client, what, path), 1):
        for item in page:
            key, content = _identified(item, f"{what}, page {number}")
            found[key] = content
    return [found[key] for key in sorted(found)]


def _pages(client: Client, what: str, path: str) -> Iterator[list[object]]:
    following = f"{path}?per_page=100"
    seen: set[str] = set()
    while following:
        here = f"{what}, page {len(seen) + 1}"
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
    """A link is followed only to another page of comments."""
    if path and not _COMMENTS.fullmatch(path):
        raise InvalidAnswer(what, "the link to the next page leads elsewhere")
    return path


def _identified(item: object, what: str) -> tuple[int, Item]:
    if isinstance(item, Mapping):
        number = item.get("id")
        if isinstance(number, int) and not isinstance(number, bool) and number > 0:
            return number, item
    raise InvalidAnswer(what, "a comment without a number")
