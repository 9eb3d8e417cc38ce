"""A log's bytes as numbered lines, in bounded memory."""

from collections.abc import Iterator

# Beyond any record of ours; what is longer is skipped without being held.
MAX_LINE_BYTES = 1 << 20

# The log's path, the line's number from 1, and its bytes; ``None`` for a line that is too long.
Line = tuple[str, int, "bytes | None"]


class LineSplitter:
    """Cuts chunks into lines. Only a line feed ends a line; blank ones are counted, not told."""

    def __init__(self) -> None:
        self._ready: list[Line] = []
        self._path = ""
        self._number = 0
        self._rest = b""
        self._too_long = False

    def feed(self, chunk: bytes, path: str) -> None:
        """Take the next bytes of the log ``path``."""
        self._path = path
        *complete, self._rest = (self._rest + chunk).split(b"\n")
        for line in complete:
            self._end_line(line)
        if len(self._rest) > MAX_LINE_BYTES:
            self._rest = b""
            self._too_long = True

    def finish(self) -> None:
        """Take the rest as the last line; another log begins."""
        if self._rest or self._too_long:
            self._end_line(self._rest)
        self._number = 0
        self._rest = b""

    def lines(self) -> Iterator[Line]:
        """The lines completed since the last call."""
        ready, self._ready = self._ready, []
        return iter(ready)

    def _end_line(self, line: bytes) -> None:
        self._number += 1
        too_long = self._too_long or len(line) > MAX_LINE_BYTES
        self._too_long = False
        if too_long or line.strip():
            self._ready.append((self._path, self._number, None if too_long else line))
