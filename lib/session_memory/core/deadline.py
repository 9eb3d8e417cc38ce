"""One deadline for a whole hook, out of which every wait is taken.

On POSIX an interval timer interrupts whatever blocks (a silent pipe, a lock, a child); on Windows,
which has no such timer, a daemon thread ends the process.
"""

import time

from session_memory.core.system import WINDOWS, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# Seconds from the start of the process. Each is shorter than the timeout registered for its event,
# with room for GRACE_S and for the launcher's search for an interpreter; a test compares them with
# hooks.json.
BUDGET_S = {"session_start": 8.0, "user_prompt_submit": 12.0, "post_tool_use": 8.0}

# What is left, once the deadline has passed, for saying so.
GRACE_S = 1.0

# The timer fires again should an interruption be swallowed, by a destructor for example.
_REPEAT_S = 0.25

_end: "float | None" = None


class OutOfTime(Exception):
    """The deadline, or a narrower limit set by :func:`limit`, has passed."""


def start(seconds: float) -> None:
    """Begin the countdown. Only the main thread of a process may call this."""
    global _end
    _end = time.monotonic() + seconds
    if WINDOWS:
        _start_watchdog(seconds)
        return
    import _signal as signal  # type: ignore[import-not-found]

    signal.signal(signal.SIGALRM, _interrupt)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    limit(seconds)


def stop() -> None:
    """End the countdown: what follows may take its time."""
    global _end
    if _end is not None and not WINDOWS:
        import _signal as signal

        signal.setitimer(signal.ITIMER_REAL, 0)
    _end = None


def is_running() -> bool:
    """Whether a countdown can interrupt what blocks, such as the wait for a lock."""
    return _end is not None and not WINDOWS


def remaining() -> float:
    """Seconds left; a generous constant when no countdown runs, as in the command line."""
    return 60.0 if _end is None else max(0.0, _end - time.monotonic())


def limit(seconds: float) -> None:
    """Interrupt after ``seconds``, or at the deadline if that is sooner."""
    if not is_running():
        return
    import _signal as signal

    # Zero would disarm the timer.
    signal.setitimer(signal.ITIMER_REAL, max(0.001, min(seconds, remaining())), _REPEAT_S)


def extend(seconds: float) -> None:
    """Move the deadline to ``seconds`` from now, whether it has passed or not."""
    global _end
    if _end is not None:
        _end = time.monotonic() + seconds
        limit(seconds)


def _interrupt(_signum: int, _frame: object) -> "NoReturn":
    raise OutOfTime


def _start_watchdog(seconds: float) -> None:  # pragma: no cover - Windows only
    import _thread

    def expire() -> None:
        time.sleep(seconds)
        native.write(2, b"session-memory: out of time\n")
        native._exit(0)

    _thread.start_new_thread(expire, ())
