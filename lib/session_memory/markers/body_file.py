"""Files with the text to write: only plain ones below the scratch folder of the repository.

A manifest or a prompt may name any path. Bounding it keeps a key, a password or another
repository's file from being posted, and following no link keeps a clone from pointing there.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from session_memory.core.checkout import locate
from session_memory.core.system import O_DIRECTORY, O_NOFOLLOW, READ_FLAGS, WINDOWS, is_regular
from session_memory.markers.body_rules import MAX_BYTES
from session_memory.markers.problem import echo

FOLDER = ".tmp"


class BodyFileError(Exception):
    """The file is not read; the message says why and names it, cut to a bound."""


class Scratch:
    """The scratch folder, ``.tmp`` at the root of a work tree."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def of(cls, cwd: Path) -> "Scratch":
        """That of the work tree around ``cwd``; outside any, the one in ``cwd`` itself."""
        checkout = locate(str(cwd))
        return cls(Path(checkout.root if checkout else cwd) / FOLDER)

    def read(self, path: str, limit: int = MAX_BYTES) -> str:
        """The text of a file, without a byte order mark; :class:`BodyFileError` if it is not read.

        A relative path starts at the current folder.
        """
        parts = self._below(path)
        try:
            with _opened(self.root, parts) as fd:
                data = _bounded(fd, limit)
        except FileNotFoundError:
            raise BodyFileError(f"{_name(path)} does not exist") from None
        except OSError as error:
            # What NOFOLLOW answers to a link differs from system to system.
            if _holds_link(self.root, parts):
                raise BodyFileError(f"{_name(path)} leads through a symlink") from None
            reason = error.strerror or "it is not a plain file"
            raise BodyFileError(f"{_name(path)} could not be read: {reason}") from None
        if len(data) > limit:
            raise BodyFileError(f"{_name(path)} is larger than {limit} bytes")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BodyFileError(f"{_name(path)} could not be read as UTF-8") from None

    def _below(self, path: str) -> tuple[str, ...]:
        if not path.strip() or "\0" in path:
            raise BodyFileError("no file is named")
        whole = Path(os.path.abspath(path))
        for ancestor in (self.root, *[p for p in whole.parents if _same(p, self.root)]):
            if whole.is_relative_to(ancestor) and whole != ancestor:
                return whole.relative_to(ancestor).parts
        raise BodyFileError(f"{_name(path)} lies outside the scratch root {FOLDER} of this clone")


def _same(one: Path, other: Path) -> bool:
    """Whether two spellings name one folder: the path may go through a link above the root."""
    try:
        return one.name == other.name and one.parent.samefile(other.parent)
    except OSError:
        return False


@contextmanager
def _opened(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """A descriptor of the file, reached from the root folder by folder, following no link."""
    if WINDOWS:  # pragma: no cover
        if _holds_link(root, parts):
            raise OSError
        fd = os.open(root.joinpath(*parts), READ_FLAGS)
    else:
        fd = os.open(root, READ_FLAGS | O_DIRECTORY | O_NOFOLLOW)
    try:
        for name in () if WINDOWS else parts:
            below = os.open(name, READ_FLAGS | O_NOFOLLOW, dir_fd=fd)
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def _bounded(fd: int, limit: int) -> bytes:
    status = os.fstat(fd)
    if not is_regular(status.st_mode):
        raise OSError
    if status.st_nlink > 1:
        raise OSError(0, "it is a hard link to another file")
    with os.fdopen(os.dup(fd), "rb") as stream:
        return stream.read(limit + 1)


def _holds_link(root: Path, parts: tuple[str, ...]) -> bool:
    steps = [root, *[root.joinpath(*parts[: n + 1]) for n in range(len(parts))]]
    try:
        return any(step.is_symlink() for step in steps)
    except OSError:
        # A name too long to be looked at, for one, is no link's.
        return False


def _name(path: str) -> str:
    return echo(path)
