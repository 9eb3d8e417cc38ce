"""Which issue a prompt is about."""

import re
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_NUMBER = 2_147_483_647

# Candidates that are looked at: behind so many pull requests and zeros no issue is meant.
_MAX_CANDIDATES = 256

_OWNER = r"[A-Za-z0-9][A-Za-z0-9-]{0,38}"
_REPOSITORY = r"[A-Za-z0-9._-]{1,100}"
_NUMBER = r"([0-9]{1,10})(?!\w)"
_URL = re.compile(rf"(?<![\w.-])(?:www\.)?github\.com/({_OWNER}/{_REPOSITORY})/issues/{_NUMBER}")
_KEYWORD = re.compile(rf"(?<!\w)issue\s+#?{_NUMBER}", re.IGNORECASE)
_HASH = re.compile(rf"(?:^|(?<=[\s,.()\[\]{{}};:!?]))#{_NUMBER}")
# What stands before the number of a pull request, as whole words: not the end of "expr".
_PULL = re.compile(r"(?<!\w)(?:prs?|pull|pull\s+requests?)[\s:(\[]*\Z", re.IGNORECASE)
_PULL_REACH = 40


class Mention:
    """An issue as a prompt names it; ``repository`` is ``OWNER/NAME`` when a URL gave it."""

    __slots__ = ("number", "repository")

    def __init__(self, number: int, repository: str = "") -> None:
        self.number = number
        self.repository = repository

    def __str__(self) -> str:
        return f"issue #{self.number}" + (f" of {self.repository}" if self.repository else "")


def find_mention(prompt: str) -> "Mention | None":
    """The first issue that ``prompt`` names: by URL, else as ``issue N``, else as ``#N``."""
    for found in _mentions(prompt):
        if 1 <= found.number <= MAX_NUMBER and found.repository.partition("/")[2] not in (
            ".",
            "..",
        ):
            return found
    return None


def _mentions(text: str) -> "Iterator[Mention]":
    for match in islice(_URL.finditer(text), _MAX_CANDIDATES):
        yield Mention(int(match[2]), match[1])
    for pattern in (_KEYWORD, _HASH):
        for match in islice(pattern.finditer(text), _MAX_CANDIDATES):
            if not _PULL.search(text[max(0, match.start() - _PULL_REACH) : match.start()]):
                yield Mention(int(match[1]))
