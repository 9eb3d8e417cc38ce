"""State documents: one JSON object a file, changed under a lock and replaced in one step."""

import time

from session_memory.core import deadline, lock
from session_memory.core.folder import Folder
from session_memory.core.json_text import encode, parse_object
from session_memory.core.system import native, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    # The document as it is, or None, to the document as it shall be, or None to leave it.
    Change = Callable[["dict[str, object] | None"], "dict[str, object] | None"]
    # The same for a file of any other form.
    Edit = Callable[["bytes | None"], "bytes | None"]

MAX_BYTES = 4 << 20

# Seconds without any change to a locked document after which its holder counts as stuck.
STUCK_S = 1.0


def read(folder: Folder, name: str) -> "dict[str, object] | None":
    """The document, or ``None`` when it is absent or empty.

    Raises :class:`ValueError` when it is not a JSON object.
    """
    data = folder.read(name, MAX_BYTES + 1)
    if not data:
        return None
    if len(data) > MAX_BYTES:
        raise ValueError(f"{name} exceeds {MAX_BYTES} bytes")
    return parse_object(data.decode("utf-8", "replace"))


def update(folder: Folder, name: str, change: "Change", stuck_s: float = STUCK_S) -> None:
    """Replace the document by what ``change`` makes of it.

    A document that cannot be parsed is set aside under another name, never overwritten. Raises
    :class:`OSError`; the document is then as it was. Where many writers queue up, each is served
    as long as the queue moves; :class:`lock.Busy` means ``stuck_s`` seconds in which it did not.
    """
    guard = folder.open(name + ".lock", native.O_RDWR | native.O_CREAT)
    try:
        _wait_in_turn(folder, name, guard, stuck_s)
        changed = change(_read_or_set_aside(folder, name))
        if changed is not None:
            replace(folder, name, encode(changed).encode() + b"\n")
    finally:
        native.close(guard)


def edit(folder: Folder, name: str, change: "Edit", stuck_s: float = STUCK_S) -> str:
    """Replace the bytes of a file by what ``change`` makes of them, under the same kind of lock.

    A ``change`` that raises :class:`ValueError` cannot use what is there: it is asked again for a
    new file, and what is there is set aside for that, unless it raises then, too. Returns the name
    that it was set aside under, or ``""``. Of a file beyond :data:`MAX_BYTES`, ``change`` gets one
    byte more than that. Raises :class:`OSError` as :func:`update` does. Only the command line may:
    the disk is waited for.
    """
    guard = folder.open(name + ".lock", native.O_RDWR | native.O_CREAT)
    aside = ""
    try:
        _wait_in_turn(folder, name, guard, stuck_s)
        try:
            changed = change(folder.read(name, MAX_BYTES + 1))
        except ValueError:
            changed = change(None)
            aside = aside_name(name)
        if changed is None:
            return ""
        replace(folder, name, changed, flush=True, aside=aside)
        return aside
    finally:
        native.close(guard)


def replace(folder: Folder, name: str, data: bytes, flush: bool = False, aside: str = "") -> None:
    """Put ``data`` in the place of ``name`` in one step.

    What was there is kept as ``aside``, if that is given, once ``data`` is written. With ``flush``
    it is on the disk before it takes that place, so that a power failure leaves the old text or the
    new one. That takes milliseconds, which a hook does not have.
    """
    temporary = f"{name}.{native.getpid()}-{time.monotonic_ns()}.tmp"
    fd = folder.open(temporary, native.O_WRONLY | native.O_CREAT | native.O_EXCL)
    placed = False
    try:
        try:
            write_all(fd, data)
            if flush:
                native.fsync(fd)
        finally:
            native.close(fd)
        if aside:
            folder.replace(name, aside)
        folder.replace(temporary, name)
        placed = True
    finally:
        if not placed:
            folder.remove(temporary)


def _wait_in_turn(folder: Folder, name: str, guard: int, stuck_s: float) -> None:
    outcome = lock.acquire(guard, 0)
    end = time.monotonic() + deadline.remaining() - deadline.GRACE_S
    while outcome == lock.BUSY:
        before = folder.modified(name)
        outcome = lock.acquire(guard, min(stuck_s, end - time.monotonic()))
        moves = folder.modified(name) != before and time.monotonic() < end
        if outcome == lock.BUSY and not moves:
            raise lock.Busy(f"{name} is locked")


def _read_or_set_aside(folder: Folder, name: str) -> "dict[str, object] | None":
    try:
        return read(folder, name)
    except ValueError:
        folder.replace(name, aside_name(name))
        return None


def aside_name(name: str) -> str:
    """What a file that cannot be used is called from now on."""
    return f"{name}.corrupt-{time.time_ns()}"
