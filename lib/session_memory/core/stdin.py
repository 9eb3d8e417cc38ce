"""Reading a hook's payload: one JSON object from a pipe that may never be closed."""

import time

from session_memory.core import deadline
from session_memory.core.json_text import first_value
from session_memory.core.system import native

# Silence that ends the wait. Slow writers keep sending; a forgotten pipe does not.
IDLE_S = 1.5
TOTAL_S = 7.0
MAX_BYTES = 32 << 20

# What a pipe holds. Larger buffers would be mapped and unmapped again for every read.
_CHUNK = 1 << 16
_POLL_S = 0.005
_BOM = b"\xef\xbb\xbf"


class UnusablePayload(Exception):
    """There is no JSON object on standard input; the text says why, never what was there."""


def read_object(fd: int = 0) -> "dict[str, object]":
    """The first JSON object on ``fd``.

    Bytes that are not UTF-8 become U+FFFD: one bad byte in a tool's output must not lose the event.
    Whatever follows the object is ignored. Raises :class:`UnusablePayload`.
    """
    if native.isatty(fd):
        raise UnusablePayload("standard input is a terminal")
    received = bytearray()
    end = time.monotonic() + TOTAL_S
    worthwhile = 0
    while _receive(fd, received, end):
        # A full chunk means that more is on its way, so a parse would most likely be wasted.
        if len(received) % _CHUNK and len(received) >= worthwhile and _may_be_whole(received):
            try:
                return _parse(received)
            except UnusablePayload:
                # However the writer cuts its text, all attempts together cost a few parses.
                worthwhile = len(received) + len(received) // 8
    return _parse(received)


def _receive(fd: int, received: bytearray, end: float) -> bool:
    """Add what the pipe holds; ``False`` at its end, after a silence, or when time is up."""
    if len(received) >= MAX_BYTES:
        raise UnusablePayload(f"payload exceeds {MAX_BYTES} bytes")
    left = end - time.monotonic()
    if left <= 0:
        return False
    deadline.limit(min(IDLE_S, left))
    try:
        chunk = _read(fd)
    except deadline.OutOfTime:
        return False
    except OSError as error:
        raise UnusablePayload(f"standard input: {error.strerror}") from None
    finally:
        deadline.limit(deadline.remaining())
    received += chunk
    return bool(chunk)


def _read(fd: int) -> bytes:
    while True:
        try:
            return native.read(fd, _CHUNK)
        except BlockingIOError:  # the host left its own end's mode on a shared description
            time.sleep(_POLL_S)


def _may_be_whole(received: bytearray) -> bool:
    return received[-16:].rstrip().endswith(b"}")


def _parse(received: bytearray) -> "dict[str, object]":
    start = len(_BOM) if received.startswith(_BOM) else 0
    text = str(memoryview(received)[start:], "utf-8", "replace")
    if not text or text.isspace():
        raise UnusablePayload("payload is empty")
    try:
        value, _ = first_value(text)
    except ValueError as error:
        raise UnusablePayload(f"payload is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnusablePayload("payload is not a JSON object")
    return value
