"""Files that finished work left in ``.copilot-tracking`` (SMC-13)."""

import time

from session_memory.core.system import is_link, native, read_file
from session_memory.tracking.grouping import HEAD_BYTES, issue_of
from session_memory.tracking.layout import WORK, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

# Bounds of the look: entries, depth and seconds.
MAX_ENTRIES = 500
_MAX_DEPTH = 8
_MAX_S = 0.5


class TooMany(Exception):
    """There is more than a bounded look can see."""


class Leftovers:
    """Paths by issue, from the tracking folder on; under ``None`` those that name no issue.

    ``is_complete`` is false when there is more than was looked at.
    """

    __slots__ = ("by_issue", "is_complete")

    def __init__(self) -> None:
        self.by_issue: dict[int | None, list[str]] = {}
        self.is_complete = True

    @property
    def issues(self) -> "list[int]":
        """The issues, in ascending order."""
        return sorted([issue for issue in self.by_issue if issue is not None])

    @property
    def untagged(self) -> "list[str]":
        """The files that name no issue."""
        return self.by_issue.get(None, [])


def find(top: str) -> Leftovers:
    """The files below the tracking folder ``top``. Links are neither followed nor counted."""
    found = Leftovers()
    try:
        if is_link(native.lstat(top).st_mode):
            return found
        for path in _files(top):
            issue = issue_of(read_file(path, HEAD_BYTES) or b"")
            found.by_issue.setdefault(issue, []).append(path[len(top) :].lstrip("/\\"))
    except (TooMany, OSError):
        found.is_complete = False
    return found


def _files(top: str) -> "Iterator[str]":
    end = time.monotonic() + _MAX_S
    seen = 0
    pending = [(top, 0)]
    while pending:
        folder, depth = pending.pop()
        for entry in _entries(folder):
            seen += 1
            if seen > MAX_ENTRIES or time.monotonic() > end:
                raise TooMany
            if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
                pending.append((entry.path, depth + 1))
            elif entry.is_file(follow_symlinks=False) and _is_work(entry.path, top):
                yield entry.path


def _entries(folder: str) -> "Iterator[os.DirEntry[str]]":
    try:
        with native.scandir(folder) as entries:
            yield from entries
    except OSError:  # not readable, or gone meanwhile
        pass


def _is_work(path: str, top: str) -> bool:
    return standing(path[len(top) :].replace("\\", "/").lstrip("/")) == WORK
