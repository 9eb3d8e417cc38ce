"""The files of state, one by one: damage, leftovers, permissions, locks."""

import os
import shlex
import stat
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.core import document, journal, lock, places, runonce
from session_memory.core.folder import Folder, NotOurs
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.state import CHECK, Place, is_ours
from session_memory.editors.surroundings import Surroundings
from session_memory.gates.reader import GateLog
from session_memory.startup import MARKER_PREFIX

_MAX_NAMES = 5000
_MANY = 1000
_LEFT_OVER_S = 3600.0
_LOCK_WAIT_S = 0.25
_NEARLY_FULL = journal.MAX_BYTES * 9 // 10
_SKEW_S = 60.0
_MAX_PATHS = 50


@dataclass(frozen=True)
class StateFile:
    """A file of ours, with its facts and not its content."""

    root: str
    place: Place
    name: str
    facts: os.stat_result

    @property
    def path(self) -> str:
        """Where it is."""
        return os.path.join(self.root, *self.place, self.name)

    @property
    def age_s(self) -> float:
        """Seconds since it was last written."""
        return time.time() - self.facts.st_mtime


def files(around: Surroundings) -> list[StateFile]:
    """Every file of ours in the places of state, at most a few thousand in each."""
    if not around.checkout:
        return []
    found: list[StateFile] = []
    roots = ((around.checkout.root, places.SESSION), (around.checkout.shared_root, places.HYGIENE))
    for root, where in roots:
        for place in where:
            found += _in(root, place)
    return found


def _in(root: str, place: Place) -> Iterator[StateFile]:
    folder = Path(root, *place)
    if any(os.path.islink(part) for part in (folder, folder.parent) if part != Path(root)):
        return
    try:
        names = sorted(os.listdir(folder))[:_MAX_NAMES]
    except OSError:
        return
    for name in names:
        if is_ours(name):
            try:
                yield StateFile(root, place, name, os.lstat(folder / name))
            except OSError:  # gone in the meantime
                continue


def check(around: Surroundings) -> Iterator[Finding]:
    """What is wrong with the files."""
    found = files(around)
    plain = [
        file for file in found if stat.S_ISREG(file.facts.st_mode) and file.facts.st_nlink == 1
    ]
    yield from _impostors([file for file in found if file not in plain])
    yield from _set_aside([file for file in plain if ".corrupt-" in file.name])
    yield from _leftovers(plain)
    for file in plain:
        yield from _damaged(file)
        yield from _held(file)
        yield from _nearly_full(file)
    yield from _readable(plain)
    yield from _ahead(plain)
    yield from _markers(plain)
    yield from _logs(around)


def _impostors(found: list[StateFile]) -> Iterator[Finding]:
    for file in found:
        what = f"{file.name} is no plain file with a single name."
        why = "Hooks refuse to open it, so what belongs there is lost."
        mend = f"look at it, then: rm {shlex.quote(file.path)}"
        yield Finding(CHECK, Level.FAULT, what, why, mend, file.path)


def _set_aside(found: list[StateFile]) -> Iterator[Finding]:
    if found:
        what = f"{_count(found, 'corrupt document')} {_was(found)} set aside."
        why = "What they held is not used any more; a new one was begun."
        mend = f"look at it, then: rm {shlex.quote(found[0].path)}"
        yield Finding(CHECK, Level.NOTE, what, why, mend, found[0].path)


def _leftovers(found: list[StateFile]) -> Iterator[Finding]:
    temporary = [file for file in found if file.name.endswith(".tmp") and file.age_s > _LEFT_OVER_S]
    if temporary:
        what = f"{_count(temporary, 'temporary file')} {_was(temporary)} left behind."
        mend = f"rm {_paths(temporary)}"
        why = "A hook was killed while it wrote; nothing else is wrong."
        yield Finding(CHECK, Level.NOTE, what, why, mend, temporary[0].path)
    claims = [file for file in found if _is_abandoned(file)]
    if claims:
        what = f"{_count(claims, 'start-up check')} {_was(claims)} begun and not finished."
        why = "The next hook of that conversation takes over."
        yield Finding(CHECK, Level.NOTE, what, why, where=claims[0].path, row="SMC-07")


def _is_abandoned(file: StateFile) -> bool:
    empty = file.name.startswith(MARKER_PREFIX) and not file.facts.st_size
    return empty and file.age_s > runonce.ABANDONED_S


def _damaged(file: StateFile) -> Iterator[Finding]:
    if not file.name.endswith(".json"):
        return
    try:
        folder = Folder(file.root, file.place, create=False)
        try:
            document.read(folder, file.name)
        finally:
            folder.close()
    except (ValueError, RecursionError):
        what = f"{file.name} is damaged: it is not a JSON object."
        why = "Its conversation begins anew; the next hook sets the file aside."
        mend = f"mv {shlex.quote(file.path)} {shlex.quote(file.path + '.old')}"
        yield Finding(CHECK, Level.WARNING, what, why, mend, file.path)
    except OSError:
        what = f"{file.name} cannot be read."
        mend = f"chown it to yourself, and: chmod 600 {shlex.quote(file.path)}"
        yield Finding(CHECK, Level.FAULT, what, "Hooks cannot either.", mend, file.path)


def _held(file: StateFile) -> Iterator[Finding]:
    if not file.name.endswith((".lock", ".jsonl")):
        return
    try:
        folder = Folder(file.root, file.place, create=False)
    except OSError:
        return
    try:
        fd = folder.open(file.name, os.O_RDONLY)
    except (OSError, NotOurs):
        return
    finally:
        folder.close()
    try:
        state = lock.acquire(fd, _LOCK_WAIT_S)
    finally:
        os.close(fd)
    if state == lock.BUSY:
        what = f"Another process holds {file.name} locked."
        why = "Hooks hold it for less than a millisecond, so that one hangs."
        mend = f"find it: fuser {shlex.quote(file.path)}"
        yield Finding(CHECK, Level.WARNING, what, why, mend, file.path)


def _nearly_full(file: StateFile) -> Iterator[Finding]:
    if file.name.endswith(".jsonl") and file.facts.st_size > _NEARLY_FULL and "~1" not in file.name:
        what = f"{file.name} holds {file.facts.st_size >> 20} of {journal.MAX_BYTES >> 20} MiB."
        why = "It is put aside when it is full; of those, one is kept."
        yield Finding(CHECK, Level.NOTE, what, why, "copy it if you need it all", file.path)


def _readable(found: list[StateFile]) -> Iterator[Finding]:
    """Others on the machine can read, or even change, what was asked and answered."""
    open_files = [file for file in found if file.facts.st_mode & 0o077 and os.name == "posix"]
    if open_files:
        worst = max(open_files, key=lambda file: file.facts.st_mode & 0o022)
        level = Level.WARNING if worst.facts.st_mode & 0o022 else Level.NOTE
        verb = "change" if level == Level.WARNING else "read"
        what = f"Other users can {verb} {_count(open_files, 'file')} of state."
        why = "Hooks make them with mode 0600; something has changed that."
        mend = f"chmod go= {_paths(open_files)}"
        yield Finding(CHECK, level, what, why, mend, worst.path)


def _ahead(found: list[StateFile]) -> Iterator[Finding]:
    future = [file for file in found if file.age_s < -_SKEW_S]
    if future:
        file = min(future, key=lambda file: file.age_s)
        what = f"{file.name} is dated {_span(-file.age_s)} in the future."
        why = "This machine and the disk's disagree about the time, or the clock was set back."
        mend = f"synchronise the clocks, then: touch {_paths(future)}"
        yield Finding("clock", Level.WARNING, what, why, mend, file.path)


def _markers(found: list[StateFile]) -> Iterator[Finding]:
    by_kind: dict[str, list[StateFile]] = defaultdict(list)
    for file in found:
        for kind in (MARKER_PREFIX, "references-preflight-"):
            if file.name.startswith(kind):
                by_kind[kind].append(file)
    for kind, markers in by_kind.items():
        many = len(markers) > _MANY
        are = "are" if len(markers) > 1 else "is"
        what = f"There {are} {_count(markers, 'marker')} {kind}*."
        why = "Old ones go by themselves, a few at a time." if many else ""
        where = os.path.dirname(markers[0].path)
        mend = f"find {shlex.quote(where)} -name '{kind}*' -mtime +30 -delete" if many else ""
        yield Finding(CHECK, Level.NOTE if many else Level.OK, what, why, mend, where)


def _logs(around: Surroundings) -> Iterator[Finding]:
    if not around.checkout:
        return
    log = GateLog(around.checkout.root)
    records = sum(1 for _ in log.read())
    faults = log.faults
    if faults.lines:
        lines = f"{faults.lines} line{'s' * (faults.lines > 1)}"
        what = f"{lines} of the gate log cannot be read, first {around.shown(faults.first[0])}."
        why = "Readers pass over what they cannot read; its records are lost."
        mend = "look at it; nothing else needs to be done"
        where = faults.first[0].rpartition(":")[0]
        yield Finding(CHECK, Level.WARNING, what, why, mend, where, "SMC-21")
    elif records:
        what = f"The gate log has {records} records, all of which can be read."
        yield Finding(CHECK, Level.OK, what, row="SMC-21")


def _paths(found: list[StateFile]) -> str:
    """For a command: as many as one line takes. The next report names the rest."""
    return " ".join(shlex.quote(file.path) for file in found[:_MAX_PATHS])


def _span(seconds: float) -> str:
    for unit, length_s in (("days", 86_400.0), ("hours", 3_600.0)):
        if seconds >= 2 * length_s:
            return f"{seconds / length_s:.0f} {unit}"
    return f"{seconds / 60:.0f} minutes"


def _count(found: list[StateFile], noun: str) -> str:
    return f"{len(found)} {noun}{'s' * (len(found) > 1)}"


def _was(found: list[StateFile]) -> str:
    return "were" if len(found) > 1 else "was"
