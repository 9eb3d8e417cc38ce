"""Numbers and names, checked before they become part of a request, or taken from addresses."""

import re
from collections.abc import Mapping

_MAX_NUMBER = (1 << 31) - 1
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})(?:\[bot\])?")
_PAGE = re.compile(r"/(issues|pull)/([0-9]{1,10})(?:#.*)?\Z")
_FRAGMENT = re.compile(r"#issuecomment-([0-9]{1,19})\Z")


def is_number(value: object) -> bool:
    """Whether ``value`` can be the number of an issue or pull request."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_NUMBER


def is_login(value: str) -> bool:
    """Whether ``value`` has the form of an account's name."""
    return _LOGIN.fullmatch(value) is not None


def page_of(url: str) -> tuple[bool, int] | None:
    """Whether a page is a pull request's, and the number; of a comment's page those around it."""
    match = _PAGE.search(url)
    return (match[1] == "pull", int(match[2])) if match else None


def comment_id_from_url(url: str) -> int | None:
    """The comment's id at the end of its page's address; ``None`` when there is none."""
    match = _FRAGMENT.search(url)
    return int(match[1]) if match else None


def comment_id(comment: Mapping[str, object]) -> int | None:
    """The numeric id of a comment by either interface; GraphQL tells it only in the address."""
    for name in ("html_url", "url"):
        address = comment.get(name)
        found = comment_id_from_url(address) if isinstance(address, str) else None
        if found is not None:
            return found
    plain = comment.get("id")
    if isinstance(plain, str) and plain.isascii() and plain.isdecimal():
        return int(plain)
    return plain if isinstance(plain, int) and not isinstance(plain, bool) else None
