"""``session-memory calibration write-entry`` (SMC-10)."""

import time

import click

from session_memory.calibration import values
from session_memory.calibration.entry import check_entry, check_event
from session_memory.calibration.reactivation import detect
from session_memory.calibration.snapshot import DEPTHS
from session_memory.calibration.writing import Document, with_entries
from session_memory.cli import reading as shared
from session_memory.cli.calibration_file import (
    dry_run_option,
    here,
    listed,
    read_object,
    refuse,
    refused,
    set_aside_option,
    tell_aside,
    usable,
)
from session_memory.cli.errors import Refused
from session_memory.cli.output import counted, print_json, printable
from session_memory.markers.problem import echo


@click.command("write-entry")
@shared.pull_request_option
@click.option("--body-file", default="", metavar="FILE", help="The entry, JSON; - is stdin.")
@click.option("--event-file", default="", metavar="FILE", help="A re-activation event, JSON.")
@click.option(
    "--snapshot-file", default="", metavar="FILE",
    help="What snapshot --json printed for this review: sustained findings that it had looked at"
    " lightly, or not at all, re-activate their category.",
)  # fmt: skip
@set_aside_option
@dry_run_option
@shared.as_json
def write_entry(
    pull_request: int | None, set_aside: bool, dry_run: bool, as_json: bool, **files: str
) -> None:
    """Write the findings of a review, or an event (SMC-10).

    An entry replaces that of the same pull request, an event that of the same category and trigger.
    Everything else in the file stays.
    """
    _check_files(pull_request, **files)
    entries = [_entry(files["body_file"], pull_request)] if files["body_file"] else []
    events = [_event(files["event_file"])] if files["event_file"] else []
    detected = _detected(files["snapshot_file"], entries[0]) if files["snapshot_file"] else []
    file = here()
    with refused():
        if not dry_run:
            new = [*events, *detected]
            file.change(lambda document: with_entries(document, entries, new), set_aside)
        elif set_aside:
            usable(file)
        else:
            file.load()
    tell_aside(file)
    if as_json:
        facts = {"path": file.path, "written": not dry_run, "set_aside": file.set_aside}
        print_json({**facts, "entries": entries, "events": events, "re_activated": detected})
        return
    _print("would write" if dry_run else "wrote", file.path, entries, [*events, *detected])


def _print(did: str, path: str, entries: list[Document], events: list[Document]) -> None:
    for entry in entries:
        findings = counted(len(listed(entry, "findings")), "finding")
        click.echo(printable(f"{did} #{entry['pr_number']} with {findings} to {path}"))
    for event in events:
        until = f"in full until #{event['expires_at_pr']}"
        click.echo(printable(f"{did} the event: {event['category']} {until}"))


def _check_files(
    pull_request: int | None, body_file: str, event_file: str, snapshot_file: str
) -> None:
    if not body_file and not event_file:
        raise click.UsageError("Give --body-file, --event-file, or both.")
    if not body_file and (pull_request or snapshot_file):
        raise click.UsageError("--pr and --snapshot-file go with --body-file.")
    if [body_file, event_file, snapshot_file].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")


def _entry(path: str, pull_request: int | None) -> Document:
    entry = read_object(path)
    if pull_request:
        named = entry.get("pr_number", pull_request)
        if values.is_integer(named) and named != pull_request:
            raise Refused(f"{path}: the entry is of #{echo(named)}, and --pr of #{pull_request}.")
        entry = {"pr_number": pull_request, **entry}
    number = entry.get("pr_number")
    of = f" of #{echo(number)}" if values.is_integer(number) else ""
    refuse(path, f"the entry{of}", check_entry(entry))
    return entry


def _event(path: str) -> Document:
    event = read_object(path)
    refuse(path, "the event", check_event(event))
    return event


def _detected(path: str, entry: Document) -> list[Document]:
    depths = read_object(path).get("depths")
    if not isinstance(depths, dict) or not all(depth in DEPTHS for depth in depths.values()):
        raise Refused(f"{path}: not what calibration snapshot --json prints. Nothing was written.")
    number = entry["pr_number"]
    now = values.utc_text(time.time())
    return detect(listed(entry, "findings"), depths, int(str(number)), now)
