"""Whose comments count: by default those of accounts that may write to the repository."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from session_memory.markers.comment import Comment, same_login
from session_memory.markers.problem import Problem

Trusts = Callable[[Comment], bool]

# Associations that can come with write access; GitHub's permission endpoint has the last word.
_ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_WRITE = frozenset({"admin", "maintain", "write"})


def anyone(_: Comment) -> bool:
    """For bodies that come from memory, and for showing what is there."""
    return True


@dataclass
class WriteAccess:
    """Trusts an account that may write to the repository, or that a setting names.

    ``permission`` asks GitHub for the permission of a login and is asked once for each; what it
    raises is passed on, because "could not ask" is not "may not write". A bot is trusted by its
    entry in ``allowed``, as ``login`` or as ``login#id``, which nobody else can take over.
    """

    permission: Callable[[str], str]
    allowed: frozenset[str] = frozenset()
    _known: dict[str, bool] = field(default_factory=dict, repr=False)

    def __call__(self, comment: Comment) -> bool:
        if not comment.author:
            return False
        if any(_is_listed(comment, entry) for entry in self.allowed):
            return True
        if comment.association.upper() not in _ASSOCIATIONS or comment.author_type == "Bot":
            return False
        login = comment.author.lower()
        if login not in self._known:
            self._known[login] = self.permission(comment.author).lower() in _WRITE
        return self._known[login]


def _is_listed(comment: Comment, entry: str) -> bool:
    login, _, identity = entry.partition("#")
    if identity:
        return str(comment.author_id) == identity and same_login(comment.author, login)
    is_bot = comment.author_type == "Bot" or comment.author.lower().endswith("[bot]")
    return same_login(comment.author, login) and is_bot == entry.lower().endswith("[bot]")


def trusted(comments: Iterable[Comment], trusts: Trusts) -> tuple[list[Comment], list[Problem]]:
    """The comments that count, and a warning for each of the others."""
    kept: list[Comment] = []
    warnings = []
    for comment in comments:
        if trusts(comment):
            kept.append(comment)
        else:
            warnings.append(
                Problem("untrusted-author", "left out: its author may not write here", comment.name)
            )
    return kept, warnings
