"""``session-memory calibration aggregate`` and ``rebuild``: what all merged pull requests say."""

import time
from collections.abc import Callable
from typing import Any

import click

from session_memory.calibration import complexity, rebuild, report
from session_memory.calibration.aggregate import (
    Aggregate,
    Complexity,
    aggregate,
    is_overridden,
    writes_back,
)
from session_memory.calibration.described import read_all
from session_memory.calibration.evidence import gather
from session_memory.calibration.file import CalibrationFile
from session_memory.calibration.writing import Document
from session_memory.cli import reading as shared
from session_memory.cli.calibration_file import (
    dry_run_option,
    here,
    is_committed,
    read_object,
    refused,
    tell_aside,
    usable,
)
from session_memory.cli.errors import Refused
from session_memory.cli.output import counted, print_json, printable
from session_memory.github.merged import merged_pull_requests
from session_memory.markers.trust import anyone
from session_memory.records.sources import Sources

any_author_option = click.option(
    "--any-author", is_flag=True, help="Count also what accounts without write access wrote."
)
complexity_option = click.option(
    "--complexity", "report_file", default="", metavar="FILE",
    help='A complexity report, JSON: {"agents_over_ceiling": ["A.agent.md"]}.',
)  # fmt: skip
threshold_option = click.option(
    "--threshold", type=click.IntRange(1, 1000), default=complexity.PERSISTENT, show_default=True,
    help="Runs over the ceiling after which a file is named.",
)  # fmt: skip


Run = Callable[[Document | None], Aggregate]


@click.command("aggregate")
@complexity_option
@threshold_option
@any_author_option
@dry_run_option
@shared.as_json
@shared.on_github
def aggregate_command(
    sources: Sources, any_author: bool, dry_run: bool, as_json: bool, **report_options: Any
) -> None:
    """Depth by category, from all merged pull requests (SMC-11).

    Descriptions count first, the calibration file where they are silent. The file gets the state
    that belongs to the result, if it is there; it is never made for that.
    """
    over = _complexity(**report_options)
    file = here()
    document = usable(file)
    run = prepare(sources, file, any_author, over)
    result, written = run(document), False
    if writes_back(
        changed=result.document is not None, file_exists=document is not None, read_only=dry_run
    ):
        result, written = _write_back(file, run, result)
    shared.warn(result.evidence.problems)
    if as_json:
        overridden = is_overridden(document or {})
        print_json(report.as_json(result, written=written, overridden=overridden))
        return
    _print_aggregate(result)
    if written or (dry_run and result.document is not None):
        done = "wrote" if written else "would write"
        click.echo(printable(f"{done} the state to {file.path}"))


def prepare(
    sources: Sources, file: CalibrationFile, any_author: bool, over: Complexity | None = None
) -> Run:
    """Ask GitHub once; what is returned aggregates any state of the file. Warns if it must."""
    pulls = merged_pull_requests(sources.github)
    trusted = anyone if any_author else sources.trusts
    committed = is_committed(file)
    now_s = time.time()

    def run(document: Document | None) -> Aggregate:
        evidence = gather(None if committed else document, pulls, trusted)
        return aggregate(document, evidence, now_s, over)

    return run


def _write_back(file: CalibrationFile, run: Run, result: Aggregate) -> tuple[Aggregate, bool]:
    """Aggregate what is there by now, and write that; a file that has gone is not made anew."""
    results = [result]

    def change(document: Document | None) -> Document | None:
        if document is None:
            return None
        results.append(run(document))
        return results[-1].document

    with refused():
        file.change(change)
    return results[-1], len(results) > 1 and results[-1].document is not None


@click.command("rebuild")
@any_author_option
@dry_run_option
@shared.as_json
@shared.on_github
def rebuild_command(sources: Sources, any_author: bool, dry_run: bool, as_json: bool) -> None:
    """Restore the file from merged pull requests (SMC-10).

    A pull request whose metrics cannot be read is named and left out. A file that is no calibration
    data is renamed and kept. State that descriptions do not tell stays as it is.
    """
    file = here()
    pulls = merged_pull_requests(sources.github)
    described, problems = read_all(pulls, anyone if any_author else sources.trusts)
    last = max((pull.number for pull in pulls), default=0)
    result = _rebuild(file, lambda document: rebuild.rebuild(document, described, last), dry_run)
    tell_aside(file)
    shared.warn(problems)
    if as_json:
        written = result.document is not None and not dry_run
        facts = {"path": file.path, "written": written, "set_aside": file.set_aside}
        counts = {"merged_pull_requests": len(pulls), "with_metrics": len(described)}
        faults = {"problems": shared.problems_json(problems)}
        print_json({**facts, **counts, **_rebuilt_json(result), **faults})
        return
    click.echo(f"read {counted(len(pulls), 'merged pull request')}, {len(described)} with metrics")
    verb = "would write" if dry_run else "wrote"
    done = f"{verb} {file.path}" if result.document is not None else f"{file.path} is up to date"
    click.echo(printable(f"{done}: {_rebuilt_text(result)}"))


def _rebuild(
    file: CalibrationFile,
    made: Callable[[Document | None], rebuild.Rebuilt],
    dry_run: bool,
) -> rebuild.Rebuilt:
    """What is ``made`` of the file's document, which is written unless it is a dry run."""
    if dry_run:
        return made(usable(file))
    results: list[rebuild.Rebuilt] = []

    def change(document: Document | None) -> Document | None:
        results.append(made(document))
        return results[-1].document

    with refused():
        file.change(change, set_aside=True)
    return results[-1]


def _complexity(report_file: str, threshold: int) -> Complexity | None:
    if not report_file:
        return None
    over = read_object(report_file).get("agents_over_ceiling", [])
    if not isinstance(over, list) or not all(isinstance(name, str) for name in over):
        raise Refused(
            f"{report_file}: agents_over_ceiling: is not a list of texts. Nothing was written."
        )
    return Complexity(tuple(over), threshold)


def _print_aggregate(result: Aggregate) -> None:
    evidence = result.evidence
    reviews = counted(len(evidence.reviews), "review")
    merged = counted(len(evidence.pulls), "merged pull request")
    click.echo(f"{reviews} of {merged}, {result.tally.size:.1f} effective ({evidence.data_source})")
    if result.shortage:
        click.echo(f"too little to go by: {result.shortage}")
    for name, found in result.depths.items():
        figures = f"{found.count:5.1f} findings, {found.rate:4.0%} sustained"
        click.echo(f"{found.recommendation:<6} {name:<22} {figures}  {found.reason}")
    for proposal in result.proposed:
        numbers = ", ".join(f"#{number}" for number in proposal["evidence_prs"])  # type: ignore[attr-defined]
        click.echo(f"proposed: {proposal['pattern_key']}, found in {numbers}")
    for event in result.consolidated:
        click.echo(printable(f"no longer over the ceiling: {event['agent']}"))
    for name, count in result.persistent:
        runs = counted(count, "run")
        click.echo(printable(f"over the ceiling for {runs} in a row: {name}"))


def _rebuilt_json(result: rebuild.Rebuilt) -> dict[str, object]:
    return {
        "added": list(result.added),
        "updated": list(result.updated),
        "unchanged": list(result.unchanged),
        "kept_as_fresher": list(result.fresher),
        "events_added": list(result.events),
    }


def _rebuilt_text(result: rebuild.Rebuilt) -> str:
    counts = {
        "added": result.added,
        "updated": result.updated,
        "unchanged": result.unchanged,
        "kept, written after the merge": result.fresher,
    }
    told = [f"{len(numbers)} {word}" for word, numbers in counts.items() if numbers]
    events = [counted(len(result.events), "event")] if result.events else []
    return ", ".join([*told, *events]) or "no entries"
