"""``session-memory calibration``: how closely reviews look, and why (SMC-09, 10, 11)."""

import json
from collections.abc import Mapping

import click

from session_memory.calibration import aggregate, depth, report, strict_json
from session_memory.calibration.evidence import faulty_entries
from session_memory.calibration.file import Unusable
from session_memory.calibration.snapshot import Snapshot, snapshot
from session_memory.cli import calibration_github as github
from session_memory.cli import reading as shared
from session_memory.cli.calibration_file import here, listed, loaded
from session_memory.cli.calibration_writing import write_entry
from session_memory.cli.errors import Refused
from session_memory.cli.groups import Group
from session_memory.cli.output import counted, print_facts, print_json, printable
from session_memory.github.errors import GitHubError

_ENDED = {True: "expired", False: "names no end, and does not count"}


@click.group(cls=Group)
def command() -> None:
    """What past reviews found, and how closely the next one looks (SMC-09, 10, 11)."""


command.add_command(write_entry)
command.add_command(github.aggregate_command)
command.add_command(github.rebuild_command)


@command.command("show")
@shared.pull_request_option
@shared.as_json
def _show(pull_request: int | None, as_json: bool) -> None:
    """Show what this worktree's file holds (SMC-10)."""
    file = here()
    document = loaded(file)
    problems = faulty_entries(document)
    entries = listed(document, "entries")
    if pull_request:
        entries = [one for one in entries if one.get("pr_number") == pull_request]
    if as_json:
        shown = {**(document or {}), "entries": entries} if pull_request else document
        faults = shared.problems_json(problems)
        exists = document is not None
        print_json({"path": file.path, "exists": exists, "data": shown, "problems": faults})
        return
    shared.warn(problems)
    if document is None:
        click.echo(printable(f"no calibration data in {file.path}"))
    elif pull_request and not entries:
        click.echo(f"no entry of pull request {pull_request}")
    elif pull_request:
        click.echo(json.dumps(entries[-1], indent=2))
    else:
        print_facts(_facts(file.path, document, entries))


def _facts(
    path: str, document: Mapping[str, object], entries: list[Mapping[str, object]]
) -> dict[str, str]:
    findings = sum(len(listed(entry, "findings")) for entry in entries)
    state = document.get("prosecution_depth_state")
    return {
        "file": path,
        "entries": f"{len(entries)}, with {counted(findings, 'finding')}",
        "re-activation events": str(len(listed(document, "re_activation_events"))),
        "skipped categories": ", ".join(state) if isinstance(state, dict) else "",
        "override": "full" if aggregate.is_overridden(document) else "",
        "looked at again": f"after {aggregate.decay_days(document)} days",
        "proposals": str(len(listed(document, "proposals_emitted"))),
    }


@command.command("events")
@click.option(
    "--at-pr",
    type=click.IntRange(1, shared.MAX_NUMBER),
    metavar="N",
    help="The last merged pull request; default: the last that has an entry.",
)
@shared.as_json
def _events(at_pr: int | None, as_json: bool) -> None:
    """List re-activation events (SMC-10).

    An event makes reviews look at a category in full until the pull request at which it expires.
    """
    document = loaded(here())
    last = at_pr or _last(document)
    events = [
        {**event, "active": depth.holds(event, last)}
        for event in listed(document, "re_activation_events")
    ]
    if as_json:
        print_json({"at_pr": last, "events": events})
        return
    if not events:
        click.echo("no re-activation events")
    for event in events:
        word = "holds" if event["active"] else _ENDED[depth.has_expired(event, last)]
        start, end = event.get("triggered_at_pr"), event.get("expires_at_pr")
        text = f"{event.get('category')}  #{start} to #{end}  {event.get('trigger_source')}  {word}"
        click.echo(printable(text))


def _last(document: "Mapping[str, object] | None") -> int:
    numbers = [entry.get("pr_number") for entry in listed(document, "entries")]
    return max((one for one in numbers if isinstance(one, int)), default=0)


@command.command("snapshot")
@shared.repository_option
@github.any_author_option
@click.option(
    "--aggregate", "file", default="", metavar="FILE", help="What aggregate --json has printed."
)
@shared.as_json
def _snapshot(repo: str, any_author: bool, file: str, as_json: bool) -> None:
    """How closely one review looks, by category (SMC-09).

    Writes nothing, and asks GitHub for the merged pull requests. Whatever goes wrong, every
    category is looked at in full, the reason is on standard error, and the exit code is 0. The
    fields go into the description of the pull request, where they last.
    """
    result = _from_file(file) if file else _from_github(repo, any_author)
    if result.reason:
        click.echo(f"note: every category in full: {printable(result.reason)}", err=True)
    if as_json:
        facts = {"depths": result.depths, "reason": result.reason, "excluded": result.excluded}
        print_json({**facts, "metrics": result.metrics})
        return
    for name, found in result.depths.items():
        click.echo(f"{found:<6} {name}")
    click.echo("")
    for name, value in result.metrics.items():
        click.echo(f"{name}: {_yaml(value)}")


def _from_file(path: str) -> Snapshot:
    try:
        return snapshot(strict_json.parse_object(shared.read_text(path).encode()))
    except (Refused, ValueError) as error:
        reason = error.message if isinstance(error, Refused) else f"{path}: {error}"
        return snapshot(None, reason)


def _from_github(repo: str, any_author: bool) -> Snapshot:
    try:
        sources = shared.connect(repo)
        file = here()
        document = file.load()
        result = github.prepare(sources, file, any_author)(document)
    except (GitHubError, OSError, Unusable, Refused) as error:
        return snapshot(None, str(error))
    shared.warn(result.evidence.problems)
    overridden = aggregate.is_overridden(document or {})
    found = report.as_json(result, written=False, overridden=overridden)
    return snapshot(found, result.shortage)


def _yaml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value).lower()
