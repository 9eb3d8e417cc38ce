"""Whether what this account writes will count for those who read it."""

from session_memory.github.connection import GitHub
from session_memory.markers.comment import Comment
from session_memory.markers.problem import Problem
from session_memory.markers.trust import Trusts, WriteAccess


def check(github: GitHub, trusts: Trusts) -> list[Problem]:
    """Why a comment of the account that gh uses would be left out by readers; empty if it counts.

    An app's token cannot tell its name. A bot counts by its entry in the list of trusted authors,
    so without any bot in that list its comments could not count, and would pile up unseen.
    """
    viewer = github.viewer()
    if viewer:
        return [] if counts(viewer, trusts) else [_unseen(viewer)]
    listed = trusts.allowed if isinstance(trusts, WriteAccess) else None
    if listed is None or any(entry.partition("#")[0].endswith("[bot]") for entry in listed):
        return []
    return [_unseen("a bot")]


def counts(login: str, trusts: Trusts) -> bool:
    """Whether comments of an account count. Its permission decides: no association is asked for."""
    kind = "Bot" if login.endswith("[bot]") else "User"
    return trusts(Comment(0, "", author=login, author_type=kind, association="MEMBER"))


def _unseen(who: str) -> Problem:
    sentence = f"comments of {who} do not count here: no write access, nor a trusted author"
    return Problem("author-not-trusted", sentence)
