"""What becomes of copies of a record that must be there once.

The copy with the lowest id is the record; every reader takes that one. The others come from two
machines that both saw none. Nothing is deleted: a copy's text is replaced by a line that leads to
the record, and GitHub keeps what was there in the comment's history. A copy that changed since it
was listed, or that holds what the record lacks, is left alone.
"""

from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent
from session_memory.markers.comment import Comment
from session_memory.markers.families import Marker
from session_memory.markers.problem import Problem
from session_memory.records.followup_transitions import check_successor


def check(marker: Marker, existing: str, body: str) -> list[Problem]:
    """What forbids ``body`` to take the place of ``existing``: only a queue has such rules."""
    if marker.family.validator == "followup-queue":
        return check_successor(existing, body)
    return []


def retire(
    github: GitHub, marker: Marker, body: str, record: Comment, copies: tuple[Comment, ...]
) -> tuple[list[int], list[Problem]]:
    """Retire ``copies`` of ``record``, whose text is ``body``: the ids done, and what was not."""
    done, left = [], []
    for copy in copies:
        problems = check(marker, copy.body, body) or _changed(github, copy)
        if problems:
            left += [problem.at(f"copy in {copy.name} left alone") for problem in problems]
        elif github.update_comment(copy.id, notice(marker, record)):
            done.append(copy.id)
    return done, left


def notice(marker: Marker, record: Comment) -> str:
    """What a retired copy says. It names the marker without its delimiters, so it is none."""
    name = marker.literal.removeprefix("<!-- ").removesuffix(" -->")
    place = record.html_url or f"comment {record.id}"
    return (
        f"Superseded: `{name}` is kept in {place}. "
        "This was a second copy; what it held is in the history of this comment.\n"
    )


def _changed(github: GitHub, copy: Comment) -> list[Problem]:
    try:
        now = github.comment(copy.id)
    except Absent:
        return [Problem("copy-gone", "it was deleted meanwhile")]
    if now.body != copy.body:
        return [Problem("copy-changed", "it changed while this was written")]
    return []
