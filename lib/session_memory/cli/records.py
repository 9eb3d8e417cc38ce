"""``session-memory records``: engagement records (SMC-20, SMC-23)."""

from collections.abc import Mapping

import click

from session_memory.cli import reading as shared
from session_memory.cli import record_files
from session_memory.cli.errors import Refused
from session_memory.cli.output import print_json, printable
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.records import followups, reading
from session_memory.records.sources import Sources
from session_memory.records.strangers import Stranger, strangers


@click.group()
def command() -> None:
    """Engagement records: what was decided in a phase, and why (SMC-20, SMC-23)."""


command.add_command(record_files.render)
command.add_command(record_files.check)


@command.command("read", short_help="Show the decisions in force.")
@click.option("--legacy", is_flag=True, help="Also read records from before schema versions.")
@shared.any_author
@shared.as_json
@shared.on_target(both=True)
@shared.on_github
def _read(sources: Sources, target: Target, legacy: bool, any_author: bool, as_json: bool) -> None:
    """Show the decisions in force: the newest record of each phase, and all follow-ups.

    A record that cannot be read is left out with a warning. A version that is not known ends the
    command with exit code 2: guessing could drop decisions. Only comments of accounts with write
    access count, and of those that session-memory.trustedAuthor in git's configuration names.
    """
    comments = sources.records(target)
    trusts = sources.trusts_if_known if any_author else sources.trusts
    try:
        found = reading.read(comments, target, accept_legacy=legacy, trusts=trusts)
    except reading.UnknownSchemaVersion as error:
        raise Refused(f"{error}. This version of session-memory cannot read it.") from None
    union = followups.unite(comments, (), target, trusts=trusts)
    others = strangers(comments, target, trusts, accept_legacy=legacy) if any_author else []
    (_print_json if as_json else _print)(found, union, others)


def _warnings(found: reading.Reading, union: followups.Union) -> list[Problem]:
    return list(dict.fromkeys([*found.warnings, *union.warnings]))


def _print_json(found: reading.Reading, union: followups.Union, others: list[Stranger]) -> None:
    print_json(
        {
            "source": found.source,
            "decisions": [item for item in found.decisions if not followups.is_followup(item)],
            "followups": list(union.entries),
            "records": [_record_json(record) for record in found.records.values()],
            "untrusted": [_stranger_json(other) for other in others],
            "warnings": shared.problems_json(_warnings(found, union)),
        }
    )


def _record_json(record: reading.Record) -> dict[str, object]:
    return {
        "phase": record.phase,
        "legacy": record.legacy,
        "decision_count": len(record.decisions),
        "comment": shared.comment_json(record.comment),
    }


def _stranger_json(other: Stranger) -> dict[str, object]:
    record = other.record
    return {
        "comment": shared.comment_json(other.comment),
        "phase": record.phase if record else "",
        "decisions": list(record.decisions) if record else [],
        "problem": shared.problem_json(other.problem) if other.problem else None,
    }


def _print(found: reading.Reading, union: followups.Union, others: list[Stranger]) -> None:
    for record in found.records.values():
        _print_record(record, "")
    for entry in union.entries:
        click.echo(printable(f"follow-up {entry['decision_id']}: {_choice(entry)}"))
    for other in others:
        if other.record:
            _print_record(other.record, "  UNTRUSTED, not in force")
    if not found.records:
        click.echo(f"no engagement record in force for {found.source}", err=True)
    unreadable = [other.problem for other in others if other.problem]
    shared.warn([*_warnings(found, union), *unreadable])


def _print_record(record: reading.Record, remark: str) -> None:
    legacy = "  legacy" if record.legacy else ""
    click.echo(printable(f"{record.phase}  {record.comment.name}{legacy}{remark}"))
    for decision in record.decisions:
        if not followups.is_followup(decision):
            click.echo(printable(f"  {decision.get('decision_id')}: {_choice(decision)}"))


def _choice(decision: Mapping[str, object]) -> str:
    facts = [decision.get("classification"), decision.get("articulation_status")]
    weight = ", ".join(str(fact) for fact in facts if fact)
    return f"{decision.get('engineer_choice') or '-'}{f' ({weight})' if weight else ''}"
