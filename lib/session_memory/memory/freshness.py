"""Which of a cache and its durable record is newer, told by what happened and never by a clock.

Times cannot prove it: the file's is this machine's, the comment's is GitHub's, both clocks may be
wrong, and a file that is copied or checked out looks new. What proves it is an observation: the
digests of both texts at a moment when they were in step (see :mod:`.seen`). Whatever has another
digest now was changed after that moment; whatever has not, was not.
"""

from dataclasses import dataclass

from session_memory.core.digest import sha256_hex
from session_memory.markers.text import first_line, normalize, to_lf

SAME = "same"
CACHE_NEWER = "cache-newer"
DURABLE_NEWER = "durable-newer"
DIVERGED = "diverged"
UNPROVEN = "unproven"

# Where only one of the two was there, or could be read.
ONLY_CACHE = "only-cache"
ONLY_DURABLE = "only-durable"
NEITHER = "neither"
UNCHECKED = "unchecked"

REASONS = {
    CACHE_NEWER: "the cache was changed since both were in step, and this was not",
    DURABLE_NEWER: "the durable record was changed since both were in step, and this was not",
    DIVERGED: "both were changed since they were in step; the durable record goes first",
    UNPROVEN: "it differs, and nothing proves that it is the newer one; the durable record goes"
    " first",
}


@dataclass(frozen=True)
class Seen:
    """Digests of both texts at a moment when they were in step; ``cache`` is "" for no cache."""

    durable: str
    cache: str


def below(text: str, marker: str) -> str:
    """The text below its marker line, if it has one; with LF, without empty lines at the edges."""
    text = to_lf(text.removeprefix("\ufeff"))
    if first_line(text).rstrip() == marker:
        text = text[len(first_line(text)) :]
    return text.strip("\n")


def content(text: str, marker: str) -> str:
    """The same without anything that transport changes: what two texts are compared by."""
    return normalize(below(text, marker))


def digest(text: str, marker: str) -> str:
    """The SHA-256 of :func:`content`."""
    return sha256_hex(content(text, marker).encode("utf-8", "surrogatepass"))


def compare(cache: str, durable: str, marker: str, seen: Seen | None) -> str:
    """How the two texts relate, given the last observation of both, if there is one."""
    if content(cache, marker) == content(durable, marker):
        return SAME
    if seen is None:
        return UNPROVEN
    cache_changed = digest(cache, marker) != seen.cache
    durable_changed = digest(durable, marker) != seen.durable
    if cache_changed and durable_changed:
        return DIVERGED
    if cache_changed:
        return CACHE_NEWER
    # Unchanged and yet different: the writer had added to the record what it must keep.
    return DURABLE_NEWER if durable_changed else SAME
