"""Stable finding keys: the same finding has the same key in every pass and in every tool.

``gh-{comment}`` for the only finding of a review comment, ``gh-{comment}-{hash8}`` for one of
several, ``{file}:{line}:{hash8}`` for a finding of our own, ``warn:{finding}`` when nothing else is
known. The hash is over the finding's title, so rewording it a little changes nothing.
"""

import hashlib
import re
import unicodedata

_COMMENT = re.compile(r"gh-([0-9]+)(?:-.*)?")


def from_comment(comment: int, title: str = "", findings: int = 1) -> str:
    """The key of a finding that a review comment holds, alone or among several."""
    return f"gh-{comment}-{title_hash(title)}" if findings > 1 else f"gh-{comment}"


def from_place(file: str, line: int, title: str) -> str:
    """The key of a finding at a line of a file."""
    return f"{file}:{line}:{title_hash(title)}"


def from_id(finding: str) -> str:
    """The key of a finding of which nothing but its id is known."""
    return f"warn:{finding}"


def comment_of(key: str) -> int | None:
    """The comment that a ``gh-`` key points at."""
    match = _COMMENT.fullmatch(key)
    return int(match[1]) if match else None


def title_hash(title: str) -> str:
    """Eight hexadecimal digits that tell titles apart, not their punctuation or case."""
    return hashlib.sha256(title_slug(title).encode("utf-8", "replace")).hexdigest()[:8]


def title_slug(title: str) -> str:
    """The words of a title in lower case, joined by hyphens."""
    text = unicodedata.normalize("NFC", title).lower()
    kept = "".join(c if c.isalnum() or c.isspace() or c == "-" else "" for c in text)
    return re.sub(r"[\s-]+", "-", kept).strip("-")
