"""An examination as text for a person, and as data."""

from collections.abc import Iterator
from typing import Any

from session_memory import __version__
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor.examination import Examination
from session_memory.doctor.finding import Finding, Level
from session_memory.editors.locations import HOSTS

_TITLES = {
    Level.FAULT: "Faults",
    Level.WARNING: "Warnings",
    Level.NOTE: "Notes",
    Level.OK: "In order",
}
_FAULTY = "Hooks do not do all of their work"
_IDLE = "No editor runs the hooks here"
_TO_MEND = "There is something to mend"
_WELL = "No fault was found"


def as_dict(done: Examination) -> dict[str, Any]:
    """As ``schemas/doctor-report.schema.json`` describes it."""
    levels = [finding.level for finding in done.findings]
    return {
        "version": __version__,
        "root": done.around.checkout.root if done.around.checkout else "",
        "worst": done.worst.name.lower(),
        "counts": {level.name.lower(): levels.count(level) for level in Level},
        "registered": [
            {
                "host": file.host,
                "path": str(file.source.path),
                "plugin": file.source.name,
                "events": [EVENT_NAMES[entry] for entry in file.entries],
            }
            for file in done.active
        ],
        "findings": [finding.as_dict() for finding in done.findings],
        "seconds": round(done.seconds, 3),
    }


def lines(done: Examination, verbose: bool) -> Iterator[str]:
    """The report, worst first; what is in order only when ``verbose``."""
    yield from _registered(done)
    for level in sorted(_TITLES, reverse=True):
        found = [finding for finding in done.findings if finding.level == level]
        if found and (verbose or level != Level.OK):
            yield ""
            yield f"{_TITLES[level]}:"
            for finding in found:
                yield from _finding(finding, done)
    yield ""
    yield _verdict(done)


def _registered(done: Examination) -> Iterator[str]:
    for file in done.active:
        plugin = f" (plugin {file.source.name})" if file.source.name else ""
        path = done.around.shown(file.source.path)
        yield f"{HOSTS[file.host]:<12} {path}{plugin}"


def _finding(finding: Finding, done: Examination) -> Iterator[str]:
    text = " ".join(filter(None, (finding.what, finding.why)))
    row = f" ({finding.row})" if finding.row else ""
    yield f"  {finding.check}: {text}{row}"
    if finding.where and finding.where not in text and finding.where not in finding.mend:
        yield f"      in    {done.around.shown(finding.where)}"
    if finding.mend:
        yield f"      mend  {finding.mend}"


def _verdict(done: Examination) -> str:
    count = {level: sum(finding.level == level for finding in done.findings) for level in Level}
    told = [
        f"{count[level]} {level.name.lower()}{'s' * (count[level] > 1)}"
        for level in (Level.FAULT, Level.WARNING, Level.NOTE)
        if count[level]
    ]
    told.append(f"{count[Level.OK]} in order")
    if done.worst == Level.FAULT:
        verdict = _FAULTY
    elif not done.active:
        verdict = _IDLE
    else:
        verdict = _TO_MEND if done.worst == Level.WARNING else _WELL
    return f"{verdict}: {', '.join(told)} ({done.seconds:.1f} s)."
