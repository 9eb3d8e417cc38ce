"""Whether the time is plausible."""

import os
import tempfile
import time
from collections.abc import Iterator

from session_memory.doctor.finding import Finding, Level, reason

CHECK = "clock"

# 2025-01-01: no clock that is right shows less.
_EARLIEST = 1_735_689_600.0
_SKEW_S = 60.0


def check() -> Iterator[Finding]:
    """The system's time, and that of the file system for temporary files."""
    try:
        with tempfile.TemporaryFile() as file:
            yield judge(time.time(), os.fstat(file.fileno()).st_mtime)
    except OSError as error:
        what = f"No temporary file can be made: {reason(error)}."
        where = tempfile.gettempdir()
        yield Finding(CHECK, Level.WARNING, what, mend=f"make room in {where}", where=where)


def judge(now: float, written: float) -> Finding:
    """What the time ``now`` means, when a file written just now says ``written``."""
    shown = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    mend = "set the clock, or switch on its synchronisation"
    if now < _EARLIEST:
        why = "Records get wrong times, and GitHub cannot be reached over TLS."
        return Finding(CHECK, Level.FAULT, f"The clock says {shown}.", why, mend)
    if abs(now - written) > _SKEW_S:
        what = f"The file system's time is {abs(now - written):.0f} s from the clock's."
        why = "Run-once markers look older or newer than they are."
        return Finding(CHECK, Level.WARNING, what, why, mend)
    return Finding(CHECK, Level.OK, f"The clock says {shown}.")
