"""The state files that a checkout holds, found without opening any."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from session_memory.contract.ownership import Owner, owner
from session_memory.contract.table import CHECKOUT, MAIN_WORKTREE
from session_memory.core.checkout import Checkout

MAX_FILES = 5000
_MAX_DEPTH = 6
_FOLDERS = (
    (CHECKOUT, ("memories", "session"), 0),
    (CHECKOUT, (".copilot-tracking",), _MAX_DEPTH),
    (CHECKOUT, (".copilot-tracking-archive",), _MAX_DEPTH),
    (MAIN_WORKTREE, (".claude", ".state"), 0),
)


@dataclass(frozen=True)
class StateFile:
    """A file that is there. ``relative`` is its path from ``root``, with ``/`` between parts."""

    root: str
    relative: str
    owner: Owner
    size: int
    modified: float

    @property
    def path(self) -> str:
        """Where it is."""
        return os.path.join(self.root, *self.relative.split("/"))


def state_files(checkout: Checkout) -> Iterator[StateFile]:
    """Every file of ours in the places of the contract; the caller bounds how many it takes."""
    for where, parts, depth in _FOLDERS:
        root = checkout.root if where == CHECKOUT else checkout.shared_root
        if any(os.path.islink(os.path.join(root, *parts[: n + 1])) for n in range(len(parts))):
            continue
        for entry in _plain_files(os.path.join(root, *parts), depth):
            relative = PurePath(os.path.relpath(entry.path, root)).as_posix()
            owned = owner(where, relative)
            if owned is not None:
                facts = entry.stat(follow_symlinks=False)
                yield StateFile(root, relative, owned, facts.st_size, facts.st_mtime)


def _plain_files(folder: str, depth: int) -> Iterator["os.DirEntry[str]"]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_file(follow_symlinks=False):
                yield entry
            elif depth and entry.is_dir(follow_symlinks=False):
                yield from _plain_files(entry.path, depth - 1)
        except OSError:  # gone in the meantime
            continue
