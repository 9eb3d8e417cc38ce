"""Files that finished work left in ``.copilot-tracking`` (SMC-13)."""

import time

from session_memory.core.ignore import OUR_NAMES
from session_memory.core.system import is_link, native, read_file
from session_memory.startup.issue_id import leading_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

# What is meant to stay: folders and files directly below the tracking folder, in any case.
PERSISTENT_FOLDERS = frozenset(("calibration", "archived"))
PERSISTENT_FILES = frozenset(
    ("gate-events.jsonl", "references-state.yml", "references-init.manifest")
)
_PLACEHOLDERS = frozenset((".gitkeep", ".gitignore"))
_OURS = tuple([pattern.rstrip("*") for pattern in OUR_NAMES])

# Bounds of the look: entries, depth, seconds, and bytes of a file's beginning.
MAX_ENTRIES = 500
_MAX_DEPTH = 8
_MAX_S = 0.5
_MAX_HEAD = 4096
_KEY = b"issue_id:"


class TooMany(Exception):
    """There is more than a bounded look can see."""


def find(top: str) -> "tuple[dict[int | None, int], bool]":
    """How many files there are by issue below the tracking folder ``top``, and whether that is all.

    Under ``None`` are those that name no issue. Links are neither followed nor counted.
    """
    counts: dict[int | None, int] = {}
    try:
        if is_link(native.lstat(top).st_mode):
            return counts, True
        for path in _files(top):
            issue = _issue(read_file(path, _MAX_HEAD) or b"")
            counts[issue] = counts.get(issue, 0) + 1
    except (TooMany, OSError):
        return counts, False
    return counts, True


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
            if _stays(entry.name.lower(), depth):
                continue
            if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
                pending.append((entry.path, depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield entry.path


def _entries(folder: str) -> "Iterator[os.DirEntry[str]]":
    try:
        with native.scandir(folder) as entries:
            yield from entries
    except OSError:  # not readable, or gone meanwhile
        pass


def _stays(name: str, depth: int) -> bool:
    if name in _PLACEHOLDERS:
        return True
    if depth:
        return False
    return name in PERSISTENT_FOLDERS or name in PERSISTENT_FILES or name.startswith(_OURS)


def _issue(head: bytes) -> "int | None":
    for line in head.split(b"\n"):
        if line.startswith(_KEY):
            value = line[len(_KEY) :].decode("utf-8", "replace").strip()
            number = leading_number(value[1:] if value[:1] in ("'", '"') else value)
            if number is not None:
                return number
    return None
