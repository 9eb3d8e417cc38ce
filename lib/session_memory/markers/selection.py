"""Which comments carry a marker: on line 1, exactly, and nowhere else."""

from collections.abc import Iterable

from session_memory.markers.comment import Comment
from session_memory.markers.text import BLANKS, first_line, lines


def carries(body: str | None, marker: str) -> bool:
    """Whether line 1 of ``body`` is ``marker``: same case, no indent, only blanks behind it."""
    wanted = first_line(marker).rstrip(BLANKS)
    return bool(wanted) and body is not None and first_line(body).rstrip(BLANKS) == wanted


def on_own_line(body: str | None, marker: str) -> bool:
    """Whether any line is the marker, in a fence or not: what older tools took for a record.

    Only good for telling that something looks like a record and does not count.
    """
    wanted = marker.strip()
    return bool(wanted) and body is not None and any(
        line.strip() == wanted for line in lines(body)
    )  # fmt: skip


def find_all(comments: Iterable[Comment], marker: str) -> list[Comment]:
    """All comments that carry the marker, lowest id first.

    ``comments`` may be read from the network on the way; what that raises is passed on, so a
    failing page never looks like a shorter list.
    """
    found = [comment for comment in comments if carries(comment.body, marker)]
    return sorted(found, key=lambda comment: comment.id)


def strays(comments: Iterable[Comment], marker: str) -> list[Comment]:
    """Comments that show the marker on a line of its own, but not as the record's first line."""
    return [
        comment
        for comment in comments
        if on_own_line(comment.body, marker) and not carries(comment.body, marker)
    ]
