"""The calibration file of this worktree (SMC-10)."""

from collections.abc import Iterator

from session_memory.calibration.evidence import faulty_entries
from session_memory.calibration.file import Blocked, CalibrationFile, Corrupt, Unusable
from session_memory.doctor.finding import Finding, Level, reason
from session_memory.doctor.state import CHECK
from session_memory.editors.surroundings import Surroundings

ROW = "SMC-10"

_REBUILD = "session-memory calibration rebuild"


def check(around: Surroundings) -> Iterator[Finding]:
    """Whether the file can be used, and each of its entries counts."""
    if around.checkout is None:
        return
    file = CalibrationFile(around.checkout)
    try:
        problems = faulty_entries(file.load())
    except Blocked:  # hooks do not mind, and nothing is kept there; commands say it when they do
        return
    except (Unusable, OSError) as error:
        yield _unusable(file, error)
        return
    if problems:
        what = f"{len(problems)} of the calibration entries cannot be used: {problems[0]}."
        why = "Findings of these reviews do not count."
        yield Finding(CHECK, Level.NOTE, what, why, _REBUILD, file.path, ROW)


def _unusable(file: CalibrationFile, error: "Unusable | OSError") -> Finding:
    told = error.reason if isinstance(error, Unusable) else reason(error)
    what = f"The calibration file cannot be used: {told}."
    why = "No entry can be written, and reviews look at every category in full."
    mend = _REBUILD if isinstance(error, Corrupt) else ""
    return Finding(CHECK, Level.WARNING, what, why, mend, file.path, ROW)
