"""What hooks have complained about of late."""

import calendar
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from session_memory.core import places
from session_memory.core.diagnostics import LOG_NAME
from session_memory.core.folder import Folder
from session_memory.core.system import read_file
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.launches import Launch
from session_memory.editors.surroundings import Surroundings

CHECK = "diagnostics"

_TAIL = 256 << 10
_MAX_LOG = 16 << 20
_DAY_S = 86400.0
_SHOWN = 5
_MAX_MESSAGE = 200


@dataclass
class Complaint:
    """One message of one hook. ``last`` is in seconds since 1970."""

    entry: str
    message: str
    last: float
    count: int
    path: str


def check(around: Surroundings, found: list[Launch]) -> Iterator[Finding]:
    """The complaints of the last day as warnings, those of the last month as notes."""
    now = time.time()
    complaints = sorted(_complaints(around, found), key=lambda one: one.last, reverse=True)
    recent = [one for one in complaints if now - one.last < 30 * _DAY_S]
    for one in recent[:_SHOWN]:
        level = Level.WARNING if now - one.last < _DAY_S else Level.NOTE
        times = f", {one.count} times" if one.count > 1 else ""
        yield Finding(
            CHECK,
            level,
            f"{one.entry} complained {_ago(now - one.last)}{times}: {one.message}",
            mend=_step(one.message),
            where=one.path,
        )
    if len(recent) > _SHOWN:
        yield Finding(CHECK, Level.NOTE, f"{len(recent) - _SHOWN} other complaints are older.")
    if not recent:
        yield Finding(CHECK, Level.OK, "No hook has complained for a month.")


def _complaints(around: Surroundings, found: list[Launch]) -> list[Complaint]:
    grouped: dict[tuple[str, str], Complaint] = {}
    for path, data in _tails(around, found):
        for line in data.split(b"\n"):
            entry, message, when = _parsed(line)
            if message:
                known = grouped.setdefault(
                    (entry, message), Complaint(entry, message, 0.0, 0, path)
                )
                known.count += 1
                known.last = max(known.last, when)
    return list(grouped.values())


def _tails(around: Surroundings, found: list[Launch]) -> Iterator[tuple[str, bytes]]:
    for place in places.SESSION if around.root else ():
        try:
            folder = Folder(str(around.root), place, create=False)
        except OSError:
            continue
        try:
            data = folder.read(LOG_NAME, _MAX_LOG)
        except OSError:
            data = None
        finally:
            folder.close()
        yield os.path.join(folder.path, LOG_NAME), (data or b"")[-_TAIL:]
    for path in dict.fromkeys(launch.data / LOG_NAME for launch in found):
        yield str(path), (read_file(str(path), _MAX_LOG) or b"")[-_TAIL:]


def _parsed(line: bytes) -> tuple[str, str, float]:
    try:
        record = json.loads(line)
        message = str(record["message"])[:_MAX_MESSAGE]
        return str(record.get("entry", "a hook"))[:40], message, _seconds(record.get("timestamp"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", "", 0.0


def _seconds(timestamp: object) -> float:
    try:
        return calendar.timegm(time.strptime(str(timestamp), "%Y-%m-%dT%H:%M:%SZ"))
    except (ValueError, OverflowError):
        return 0.0


def _ago(seconds: float) -> str:
    for unit, size in (("day", _DAY_S), ("hour", 3600.0), ("minute", 60.0)):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {unit}{'s' * (number > 1)} ago"
    return "just now"


# What the words of a complaint point to.
_STEPS = (
    ("No space left", "free some space on the disk"),
    ("Read-only file system", "mount the disk for writing, or work elsewhere"),
    ("Permission denied", "make the state folder writable; see state"),
    ("gh is not signed in", "gh auth login"),
    ("gh is not installed", "install gh from https://cli.github.com"),
    ("out of time", "see whether git or gh answers in this repository"),
    ("payload", "update the editor; it sent something that is no payload"),
)


def _step(message: str) -> str:
    lower = message.lower()
    return next((step for words, step in _STEPS if words.lower() in lower), "")
