"""The names of decisions: slugs, and the stable keys of review findings."""

import re

# The schema carries both. ``(?!\n)`` because Python's ``$`` allows a last line feed.
SLUG_PATTERN = r"^[a-z][a-z0-9-]{0,62}[a-z0-9](?!\n)$"
# A comment, with the digest of a title when it holds several findings; a place in a file, with the
# digest, in older reviews behind a slug of the title; or a finding that has neither.
STABLE_KEY_PATTERN = (
    r"^(?:gh-[0-9]{1,20}(?:-[0-9a-f]{8})?"
    r"|[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,400}:[1-9][0-9]{0,8}"
    r":(?:[a-z0-9-]{1,200}-)?[0-9a-f]{8}"
    r"|warn:[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?!\n)$"
)

_SLUG = re.compile(SLUG_PATTERN)
_STABLE_KEY = re.compile(STABLE_KEY_PATTERN)


def is_slug(value: object) -> bool:
    """2 to 64 of ``a-z``, ``0-9`` and ``-``; a letter first, no hyphen last."""
    return isinstance(value, str) and _SLUG.search(value) is not None


def is_stable_key(value: object) -> bool:
    """The key that a review finding keeps from one pass to the next."""
    return isinstance(value, str) and _STABLE_KEY.search(value) is not None
