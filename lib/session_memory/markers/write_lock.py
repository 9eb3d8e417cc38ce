"""One writer at a time for a conversation, as far as this machine goes.

GitHub has no conditional update, so two writers that both find no comment both create one. Between
machines the rule for duplicates makes up for that; on one machine a lock does. It is kept with the
user's own state, because every clone and every work tree of a repository must meet at it.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from session_memory.core.system import WINDOWS
from session_memory.github.repository import Repository

# A writer that waits out GitHub's limits may take minutes; whoever waits wants to know sooner.
WAIT_S = 60.0
_SILENT_S = 1.0


class Busy(Exception):
    """Another writer holds the conversation, or the lock cannot be made."""


def folder() -> Path:
    """Where locks are kept: ``session-memory/locks`` in the user's state folder."""
    base = os.environ.get("LOCALAPPDATA" if WINDOWS else "XDG_STATE_HOME", "")
    state = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state"
    return state / "session-memory" / "locks"


@contextmanager
def held(
    repository: Repository,
    numbers: Iterable[int],
    progress: "Callable[[str], None] | None" = None,
    wait_s: float = WAIT_S,
) -> Iterator[None]:
    """Hold the conversations of these numbers; :class:`Busy` after ``wait_s`` seconds.

    They are taken in ascending order, so that two bursts cannot wait for each other.
    """
    with ExitStack() as stack:
        for number in sorted(set(numbers)):
            lock = _lock(repository, number)
            _acquire(lock, f"{repository}#{number}", progress, wait_s)
            stack.callback(lock.release)
        yield


def _lock(repository: Repository, number: int) -> FileLock:
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unavailable(error) from error
    # The host, owner and name are checked ones; a host may have a port.
    name = f"{repository.host}+{repository.owner}+{repository.name}+{number}".lower()
    return FileLock(place / f"{name.replace(':', '+')}.lock", mode=0o600)


def _acquire(
    lock: FileLock, name: str, progress: "Callable[[str], None] | None", wait_s: float
) -> None:
    silent = min(_SILENT_S, wait_s)
    try:
        try:
            lock.acquire(timeout=silent)
        except Timeout:
            if progress:
                progress(f"waiting for another writer of {name} on this machine")
            lock.acquire(timeout=wait_s - silent)
    except Timeout:
        raise Busy(f"another process on this machine has been writing for {wait_s:.0f} s") from None
    except OSError as error:
        raise _unavailable(error) from error


def _unavailable(error: OSError) -> Busy:
    return Busy(f"no lock can be made in {folder()}: {error.strerror or type(error).__name__}")
