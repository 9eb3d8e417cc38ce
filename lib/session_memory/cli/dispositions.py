"""``session-memory dispositions`` (SMC-19, SMC-23)."""

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import REFUSED
from session_memory.cli.output import print_json, printable
from session_memory.markers.families import PULL_REQUEST, parse
from session_memory.markers.problem import Problem
from session_memory.markers.text import first_line
from session_memory.markers.trust import WriteAccess, trusted
from session_memory.records import external_reviews, review_dispositions, validators
from session_memory.records.sources import Sources

_FAMILIES = ("design-phase-complete", "review-dispositions")


@click.group()
def command() -> None:
    """What became of the findings of a design (SMC-19) and of a review (SMC-23)."""


@command.command("check")
@click.argument("files", nargs=-1, required=True)
@shared.as_json
def _check(files: tuple[str, ...], as_json: bool) -> None:
    """Check each body FILE as the writer would; - is standard input. Exit code 2 for problems.

    A body is a comment that begins with its marker: review-dispositions or design-phase-complete.
    """
    found = [(name, _problems(shared.read_text(name))) for name in files]
    if as_json:
        print_json(
            [{"file": name, "problems": shared.problems_json(list_)} for name, list_ in found]
        )
    for name, problems in [] if as_json else found:
        click.echo(printable(f"{name}: {len(problems)} problems"))
        for problem in problems:
            click.echo(printable(f"  {problem} [{problem.code}]"))
    if any(problems for _, problems in found):
        click.get_current_context().exit(REFUSED)


def _problems(body: str) -> list[Problem]:
    own = parse(first_line(body))
    if own is None or own.family.name not in _FAMILIES:
        sentence = f"line 1 is not the marker of {' or '.join(_FAMILIES)}"
        return [Problem("not-dispositions", sentence)]
    return validators.check(body, own)


@command.command("read")
@shared.number_option("--pr", "pull_request", required=True)
@shared.as_json
@shared.on_github
def _read(sources: Sources, pull_request: int, as_json: bool) -> None:
    """Check what is posted on a pull request. It warns; the exit code is 0 all the same."""
    counted, warnings = trusted(sources.marked(pull_request, PULL_REQUEST), sources.trusts)
    result = review_dispositions.check_comments(counted, pull_request)
    if as_json:
        print_json(
            {
                "status": result.status,
                "comments": result.marker_count,
                "entries": result.entry_count,
                "problems": shared.problems_json(result.problems),
                "warnings": shared.problems_json(warnings),
            }
        )
        return
    told = f"{result.marker_count} comments, {result.entry_count} entries"
    click.echo(f"{result.status if result.marker_count else 'none'}: {told}")
    shared.warn([*result.problems, *warnings])


@command.command("merge")
@shared.number_option("--pr", "pull_request", required=True)
@click.option("--judge", default="", metavar="LOGIN", help="Default: the account of gh.")
@shared.as_json
@shared.on_github
def _merge(sources: Sources, pull_request: int, judge: str, as_json: bool) -> None:
    """Merge the judge's dispositions: of each finding the newest, and what outsiders caught."""
    judge = judge or sources.github.viewer()
    if not judge:
        raise click.UsageError("An app's token has no account of its own: give --judge.")
    trusts = WriteAccess(sources.github.permission, sources.trusts.allowed | {judge})
    counted, warnings = trusted(sources.marked(pull_request, PULL_REQUEST), trusts)
    merged = external_reviews.merge(counted, pull_request, judge)
    everything = [*warnings, *merged.warnings]
    if as_json:
        print_json(
            {
                "judge": judge,
                "measured": merged.measured,
                "duplicate": merged.duplicate,
                "novel": merged.novel,
                "external_catch": merged.external_catch,
                "entries": list(merged.entries),
                "warnings": shared.problems_json(everything),
            }
        )
        return
    for entry in merged.entries:
        facts = [
            str(entry.get(name, "-")) for name in ("disposition", "severity", "reviewer_source")
        ]
        click.echo(printable(f"{entry.get('stable_finding_key')}: {', '.join(facts)}"))
    counts = f"{merged.duplicate} duplicate, {merged.novel} novel"
    click.echo(f"findings from outside: {counts if merged.measured else 'not measured'}")
    shared.warn(everything)
