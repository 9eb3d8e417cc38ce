"""What stands behind each marker of a conversation: which comments count, and why not the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.markers.comment import Comment
from session_memory.markers.decision import canonical, is_void
from session_memory.markers.families import UPSERT, Marker, parse
from session_memory.markers.text import first_line
from session_memory.markers.trust import Trusts

COUNTS = "counts"
SUPERSEDED = "superseded"
DUPLICATE = "duplicate"
UNTRUSTED = "untrusted"
VOID = "void"


@dataclass(frozen=True)
class Listed:
    """A comment with a marker. ``state`` says whether it counts; ``void`` that an edit undid it."""

    comment: Comment
    marker: Marker
    state: str
    void: bool

    @property
    def trusted(self) -> bool:
        return self.state != UNTRUSTED

    @property
    def flags(self) -> tuple[str, ...]:
        return (self.state, VOID) if self.void else (self.state,)


def listing(comments: Iterable[Comment], trusts: Trusts) -> list[Listed]:
    """Every comment of ``comments`` that carries a marker, by id."""
    marked = [(comment, parse(first_line(comment.body))) for comment in comments]
    found = [(comment, own, trusts(comment)) for comment, own in marked if own]
    best = {own: canonical(own, _same(found, own)) for _, own, _ in found}
    return [
        Listed(comment, own, _state(comment, own, best[own], reliable), bool(is_void(own, comment)))
        for comment, own, reliable in sorted(found, key=lambda row: row[0].id)
    ]


def counted(comments: Iterable[Comment], wanted: Marker, trusts: Trusts) -> Comment | None:
    """The one comment of a marker that counts."""
    rows = listing([c for c in comments if parse(first_line(c.body)) == wanted], trusts)
    return next((row.comment for row in rows if row.state == COUNTS), None)


def _same(found: "list[tuple[Comment, Marker, bool]]", own: Marker) -> list[Comment]:
    return [comment for comment, marker, reliable in found if marker == own and reliable]


def _state(comment: Comment, own: Marker, best: Comment | None, reliable: bool) -> str:
    if not reliable:
        return UNTRUSTED
    if comment is best:
        return COUNTS
    return DUPLICATE if own.family.shape == UPSERT else SUPERSEDED
