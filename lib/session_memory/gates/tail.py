"""One log, read as a stream: bad lines counted, rotation survived, links not followed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from session_memory.core import journal
from session_memory.core.folder import Folder
from session_memory.core.system import join, native
from session_memory.gates import instant
from session_memory.gates.lines import Line, LineSplitter

# Small, because every log of a worktree may be read side by side.
_CHUNK = 16 << 10

Place = tuple[str, ...]
# Descriptor, name, and what identifies the file whatever it is called.
_Generation = tuple[int, str, tuple[int, int]]


@dataclass(frozen=True)
class Entry:
    """A record and where it stands.

    ``position`` is its time in seconds since 1970, never less than that of the record before it in
    the same log: the order of writing counts more than what a record says of itself.
    """

    record: dict[str, object]
    path: str
    line: int
    position: float


@dataclass
class Faults:
    """What could not be read. Lines are counted; only the first few are kept."""

    lines: int = 0
    first: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    _KEPT = 5

    def bad_line(self, path: str, number: int) -> None:
        """Count a line."""
        self.lines += 1
        if len(self.first) < self._KEPT:
            self.first.append(f"{path}:{number}")

    def bad_file(self, path: str, error: OSError) -> None:
        """Remember a file, once."""
        text = f"{path}: {error.strerror or error}"
        if text not in self.files:
            self.files.append(text)


class Tail:
    """One log, read further at each call. No file stays open between two chunks of it."""

    def __init__(self, root: str, place: Place, name: str, faults: Faults) -> None:
        self.name = name
        self._root = root
        self._place = place
        self._faults = faults
        self._folder = join(root, "/".join(place))
        self._splitter = LineSplitter()
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._latest = 0.0

    def news(self, final: bool) -> Iterator[Entry]:
        """What was added since the last call; ``final`` includes a line that has no end yet."""
        while self._advance():
            yield from self._entries(self._splitter.lines())
        if final:
            self._splitter.finish()
            yield from self._entries(self._splitter.lines())

    def _advance(self) -> bool:
        """Feed the splitter with the next chunk; ``False`` when there is none for now."""
        generations = self._open()
        try:
            return any(self._take_from(*generation) for generation in generations)
        finally:
            for fd, _, _ in generations:
                native.close(fd)

    def _open(self) -> list[_Generation]:
        """The generations that may hold anything unread, oldest first.

        The current one is opened first: should a rotation come between, it is met again under its
        new name, and one of the two is dropped.
        """
        try:
            folder = Folder(self._root, self._place, create=False)
        except FileNotFoundError:
            return []
        except OSError as error:
            self._faults.bad_file(self._folder, error)
            return []
        try:
            names = (self.name, journal.earlier(self.name))
            opened = [made for made in (self._open_one(folder, name) for name in names) if made]
        finally:
            folder.close()
        return self._unread(opened)

    def _unread(self, opened: list[_Generation]) -> list[_Generation]:
        identities = [identity for _, _, identity in opened]
        last = len(opened)
        if len(set(identities)) < last:
            last = 1
        elif self._identity in identities:
            last = identities.index(self._identity) + 1
        for fd, _, _ in opened[last:]:
            native.close(fd)
        return opened[:last][::-1]

    def _open_one(self, folder: Folder, name: str) -> _Generation | None:
        try:
            fd = folder.open(name, native.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._faults.bad_file(join(self._folder, name), error)
            return None
        facts = native.fstat(fd)
        return fd, name, (facts.st_dev, facts.st_ino)

    def _take_from(self, fd: int, name: str, identity: tuple[int, int]) -> bool:
        size = native.fstat(fd).st_size
        if identity != self._identity or size < self._offset:  # rotated, or emptied by hand
            self._splitter.finish()
            self._identity, self._offset = identity, 0
        native.lseek(fd, self._offset, 0)
        try:
            chunk = native.read(fd, _CHUNK)
        except OSError as error:
            self._faults.bad_file(join(self._folder, name), error)
            return False
        self._offset += len(chunk)
        self._splitter.feed(chunk, join(self._folder, name))
        return bool(chunk)

    def _entries(self, lines: Iterator[Line]) -> Iterator[Entry]:
        for path, number, line in lines:
            try:
                record = _parse(line)
            except (ValueError, RecursionError):
                self._faults.bad_line(path, number)
                continue
            self._latest = max(self._latest, _time(record))
            yield Entry(record, path, number, self._latest)


def _parse(line: bytes | None) -> dict[str, object]:
    if line is None:
        raise ValueError("too long")
    record = _DECODER.decode(line.decode().removeprefix("\ufeff"))
    if not isinstance(record, dict):
        raise ValueError("not an object")
    return record


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _time(record: dict[str, object]) -> float:
    try:
        return instant.parse(record.get("timestamp"))
    except ValueError:
        return 0.0
