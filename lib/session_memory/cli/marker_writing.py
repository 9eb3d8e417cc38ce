"""``session-memory markers write``: one record, or a burst of them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from session_memory.cli import errors, reading
from session_memory.cli.marker_results import (
    failure_json,
    outcome_json,
    plan_json,
    print_plan,
    report_json,
)
from session_memory.cli.output import print_json, printable
from session_memory.markers import burst, manifest, write_lock
from session_memory.markers.body_file import BodyFileError, Scratch
from session_memory.markers.body_rules import MAX_BYTES
from session_memory.markers.candidate import Candidate, Key
from session_memory.markers.families import FAMILIES, ISSUE, PHASES, PORTS, PULL_REQUEST
from session_memory.markers.outcome import (
    NotDelivered,
    PostStepFailed,
    Unverified,
    WriteFailed,
)
from session_memory.markers.plan import Plan
from session_memory.markers.writer import Writer
from session_memory.records.sources import Sources


class _Unverified(errors.Fault):
    exit_code = errors.UNVERIFIED


class _Halted(errors.Fault):
    exit_code = errors.HALTED


_FAULTS: dict[type[WriteFailed], type[errors.Fault]] = {
    NotDelivered: errors.Undelivered,
    Unverified: _Unverified,
    PostStepFailed: _Unverified,
}


@click.command("write", short_help="Write a record, or all of a manifest.")
@click.argument("family", required=False, default="")
@reading.number_option("--issue", "issue")
@reading.number_option("--pr", "pull_request")
@click.option("--phase", type=click.Choice(PHASES), help="Of an engagement record.")
@click.option("--port", type=click.Choice(PORTS), help="Of a credit input.")
@click.option("--body-file", default="", metavar="FILE", help="Below .tmp; - is standard input.")
@click.option(
    "--burst", "manifest_file", default="", metavar="FILE", help="Write a whole manifest."
)
@click.option("--no-preserve", is_flag=True, help="Carry nothing over from the text before.")
@click.option("--dry-run", is_flag=True, help="Check all, show the change, write nothing.")
@reading.as_json
@reading.on_github
def write(
    sources: Sources, manifest_file: str, dry_run: bool, as_json: bool, **single: Any
) -> None:
    """Write a record under its marker, or all records of a manifest.

    The text starts with the marker, which must be the one of FAMILY and its key. It is checked,
    compared with what is there, written once, and read back. What is there already is not written
    again. A manifest is a JSON array of objects with family, number, targetSurface, marker,
    bodyFile and, optionally, noPreserve; the first failure ends it, and running it again continues.

    Exit codes: 2 refused, nothing written; 3 GitHub did not take it; 4 written but not verified;
    5 a burst halted midway; 64 wrong options.
    """
    if manifest_file:
        _exclusive(single)
        _burst(sources, _manifest(manifest_file), dry_run, as_json)
        return
    try:
        candidate = _candidate(single)
        candidate.check()
        with _held(sources, [candidate]):
            _single(sources, candidate, dry_run, as_json)
    except WriteFailed as failure:
        if as_json:
            print_json(failure_json(failure))
        raise _fault(failure, str(failure)) from None


def _exclusive(single: dict[str, Any]) -> None:
    if any(single.values()):
        raise click.UsageError("--burst goes with --dry-run, --repo and --json only.")


def _candidate(single: dict[str, Any]) -> Candidate:
    family, issue, pull_request = (single[name] for name in ("family", "issue", "pull_request"))
    if not family or not single["body_file"]:
        raise click.UsageError("Give FAMILY and --body-file, or --burst.")
    if bool(issue) == bool(pull_request):
        raise click.UsageError("Give either --issue or --pr.")
    if single["phase"] and single["port"]:
        raise click.UsageError("Give either --phase or --port.")
    if family not in FAMILIES:
        known = ", ".join(name for name, one in FAMILIES.items() if one.writable)
        raise errors.Refused(f"unknown marker family {family[:80]}; written here are {known}")
    surface = ISSUE if issue else PULL_REQUEST
    key = Key(family, issue or pull_request, single["phase"] or single["port"] or "", surface)
    return Candidate.of(key, read_body(single["body_file"]), preserve=not single["no_preserve"])


def read_body(path: str) -> str:
    """The text of a body file below the scratch folder; ``-`` is standard input."""
    try:
        if path != "-":
            return Scratch.of(reading.here()).read(path)
    except BodyFileError as error:
        raise errors.Refused(f"--body-file: {error}. Nothing was written.") from None
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise errors.Refused(f"--body-file: more than {MAX_BYTES} bytes. Nothing was written.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise errors.Refused("--body-file: not UTF-8. Nothing was written.") from None


def _manifest(path: str) -> list[Candidate]:
    try:
        return manifest.read(Scratch.of(reading.here()), path)
    except manifest.ManifestError as error:
        raise errors.Refused(f"persist-marker (burst): FAILED -- {error}") from None


@contextmanager
def _held(sources: Sources, candidates: list[Candidate]) -> Iterator[None]:
    numbers = [candidate.marker.number for candidate in candidates]
    try:
        with write_lock.held(sources.github.repository, numbers, reading.progress()):
            yield
    except write_lock.Busy as error:
        raise errors.Undelivered(f"{error}. Nothing was written; run this again.") from None


def _fault(failure: WriteFailed, line: str) -> errors.Fault:
    return _FAULTS.get(type(failure), errors.Refused)(line)


def _single(sources: Sources, candidate: Candidate, dry_run: bool, as_json: bool) -> None:
    writer = Writer(sources.github, sources.trusts)
    if dry_run:
        plan = writer.plan(candidate)
        if as_json:
            print_json(plan_json(plan))
        else:
            print_plan(plan)
        return
    outcome = writer.write(candidate)
    if as_json:
        print_json(outcome_json(outcome))
        return
    address = f" {outcome.url}" if outcome.url else ""
    family = outcome.marker.family.name
    click.echo(printable(f"persist-marker (family={family}): {outcome.confirmation}{address}"))
    reading.warn(outcome.warnings)


def _burst(sources: Sources, candidates: list[Candidate], dry_run: bool, as_json: bool) -> None:
    writer = Writer(sources.github, sources.trusts)
    try:
        with _held(sources, candidates):
            if dry_run:
                _print_plans(burst.preflight(writer, candidates), as_json)
                return
            report = burst.write(writer, candidates, reading.progress())
    except WriteFailed as failure:
        if as_json:
            print_json(failure_json(failure))
        raise _fault(failure, str(failure)) from None
    except burst.Interrupted as interrupted:
        line = f"interrupted; artifacts -- {interrupted.report.artifacts}"
        click.echo(f"persist-marker (burst): {line}. Run this again to complete it.", err=True)
        raise
    _print_report(report, as_json)


def _print_report(report: burst.Report, as_json: bool) -> None:
    """What became of every entry. A burst that did not succeed ends the command."""
    if as_json:
        print_json(report_json(report))
    elif report.success:
        click.echo("persist-marker (burst): success")
        click.echo(f"persist-marker (burst): artifacts -- {report.artifacts}")
    for outcome in report.outcomes:
        reading.warn(outcome.warnings)
    if report.failure:
        reason = report.reason.rstrip(".")
        line = f"persist-marker (burst): FAILED -- {reason}; artifacts -- {report.artifacts}"
        raise _Halted(line) if report.halted else _fault(report.failure, line)


def _print_plans(plans: list[Plan], as_json: bool) -> None:
    if as_json:
        print_json({"dry_run": True, "entries": [plan_json(plan) for plan in plans]})
        return
    for plan in plans:
        print_plan(plan)
