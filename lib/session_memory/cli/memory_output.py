"""What ``memory`` prints: the answer on standard output, how it came about on standard error."""

from typing import NoReturn

import click

from session_memory.cli.errors import Fault, Refused, Undelivered
from session_memory.cli.output import print_json, printable
from session_memory.memory.review_evidence import Completion
from session_memory.memory.sources import Reading, Source


def print_reading(reading: Reading, as_json: bool, notes: "tuple[str, ...]" = ()) -> None:
    """The answer; a fault with exit code 2 if there is none, 3 if it is not certain."""
    if as_json:
        print_json({**reading_json(reading), "notes": list(notes)})
    else:
        for part in reading.parts:
            _print_part(part.title, part.text)
        tell(_summary(reading), *map(source_line, reading.sources))
        tell(*_notes(reading.sources), *notes, *(f"gap: {gap}" for gap in reading.gaps))
    if reading.answer is None:
        _end(reading.row, reading.subject, reading.failed)


def reading_json(reading: Reading) -> dict[str, object]:
    """The reading as data."""
    return {
        "row": reading.row,
        "subject": reading.subject,
        "answered_by": reading.answer.name if reading.answer else None,
        "freshness": reading.freshness,
        "next_durable_write": reading.next_write or None,
        "parts": [{"title": part.title, "text": part.text} for part in reading.parts],
        "sources": [source_json(source) for source in reading.sources],
        "gaps": list(reading.gaps),
    }


def print_completion(found: Completion, as_json: bool, gaps: "tuple[str, ...]") -> None:
    """How far a review is; a fault if nobody knows."""
    missing = ", ".join(found.missing)
    if as_json:
        print_json({**completion_json(found), "gaps": list(gaps)})
    elif found.complete:
        click.echo("review_completion: complete")
    else:
        click.echo(f"review_completion: incomplete; missing: {missing}")
        click.echo(
            "By default the missing stages are run again, in this order; a person is asked only if"
            " what they need is missing."
        )
    if not as_json:
        by = f"{found.answer.name} answered" if found.answer else "no source answered"
        tell(f"{_row(found)}: {by}", *map(source_line, found.sources))
        tell(*_notes(found.sources), *(f"gap: {gap}" for gap in gaps))
    if found.failed:
        raise Undelivered(f"{_row(found)}: no source answered, and not all could be asked.")


def completion_json(found: Completion) -> dict[str, object]:
    return {
        "row": _row(found),
        "issue": found.issue or None,
        "pull_request": found.pull_request or None,
        "review_completion": "complete" if found.complete else "incomplete",
        "missing": found.missing,
        "stages": found.stages,
        "review_mode": found.review_mode or None,
        "answered_by": found.answer.name if found.answer else None,
        "sources": [source_json(source) for source in found.sources],
    }


def source_json(source: Source) -> dict[str, object]:
    """What came of a source; never its text."""
    return {
        "source": source.name,
        "outcome": source.outcome,
        "reason": source.reason or None,
        "where": source.where or None,
        "notes": list(source.notes),
    }


def source_line(source: Source) -> str:
    """The same in one line."""
    reason = f": {source.reason}" if source.reason else ""
    where = f" ({source.where})" if source.where else ""
    return f"  {source.name}: {source.outcome}{reason}{where}"


def tell(*lines: str) -> None:
    """Each line on standard error."""
    for line in lines:
        click.echo(printable(line), err=True)


def gap(text: str) -> None:
    """What a surface cannot do, in words."""
    tell(f"gap: {text}")


def _summary(reading: Reading) -> str:
    by = f"{reading.answer.name} answered" if reading.answer else "no source answered"
    freshness = f"; {reading.freshness}" if reading.freshness else ""
    taken = f"; the next durable write is taken from {reading.next_write}"
    return f"{reading.row} {reading.subject}: {by}{freshness}{taken if reading.next_write else ''}"


def _notes(sources: "tuple[Source, ...]") -> list[str]:
    return [f"note: {note}" for source in sources for note in source.notes]


def _print_part(title: str, text: str) -> None:
    if title:
        click.echo(f"----- {printable(title)} -----")
    for line in text.splitlines():
        click.echo(printable(line))


def _row(found: Completion) -> str:
    return "SMC-06" if found.pull_request else "SMC-05"


def _end(row: str, subject: str, failed: bool) -> NoReturn:
    fault: Fault
    if failed:
        fault = Undelivered(f"{row} {subject}: no source answered, and not all could be asked.")
    else:
        fault = Refused(f"{row} {subject}: there is none.")
    raise fault
