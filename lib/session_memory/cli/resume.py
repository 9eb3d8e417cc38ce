"""``session-memory resume``: how far an issue is, told by its comments (SMC-08)."""

import click

from session_memory.cli import reading as shared
from session_memory.cli.output import print_json, printable
from session_memory.markers.families import ISSUE, Marker, marker
from session_memory.markers.listing import counted
from session_memory.markers.resume import Phase, Progress, progress
from session_memory.records.sources import Sources


@click.command("resume")
@shared.number_option("--issue", "issue", required=True)
@shared.as_json
@shared.on_github
def command(sources: Sources, issue: int, as_json: bool) -> None:
    """Show which phases of an issue are complete, by which comment, and what is missing next."""
    found = sources.conversation(issue, ISSUE)
    told = progress(found, issue, sources.trusts)
    missing = {
        phase.name: [own for own in _owed(phase, issue) if not counted(found, own, sources.trusts)]
        for phase in told.phases
    }
    if as_json:
        print_json(_json(told, issue, missing))
        return
    for phase in told.phases:
        _print(phase, missing[phase.name])
    click.echo(f"next: {told.next.name}" if told.next else "next: nothing, every phase is complete")
    shared.warn(told.warnings)


def _owed(phase: Phase, issue: int) -> list[Marker]:
    """What a phase leaves behind, in the order in which it is written."""
    record = marker("engagement-record", issue, phase.name)
    credit = marker("credit-input", issue, phase.name)
    return list(dict.fromkeys([phase.marker, record, credit]))


def _print(phase: Phase, missing: list[Marker]) -> None:
    by = "not complete"
    if phase.comment:
        by = f"complete, {phase.comment.name} of {phase.comment.created_at}"
    lacks = f"; missing: {', '.join(map(_name, missing))}" if missing else ""
    click.echo(printable(f"{phase.name:<13}  {by}{lacks}"))


def _name(own: Marker) -> str:
    return own.literal.removeprefix("<!-- ").removesuffix(" -->")


def _json(told: Progress, issue: int, missing: "dict[str, list[Marker]]") -> dict[str, object]:
    return {
        "issue": issue,
        "phases": [
            {
                "phase": phase.name,
                "complete": phase.complete,
                "marker": phase.marker.literal,
                "comment": shared.comment_json(phase.comment) if phase.comment else None,
                "missing": [own.literal for own in missing[phase.name]],
            }
            for phase in told.phases
        ],
        "next": told.next.name if told.next else None,
        "warnings": shared.problems_json(told.warnings),
    }
