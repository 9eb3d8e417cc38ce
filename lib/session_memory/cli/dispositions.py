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


@command.command("check", short_help="Check dispositions, in files or as posted.")
@click.argument("files", nargs=-1)
@shared.pull_request_option
@shared.repository_option
@shared.as_json
def _check(files: tuple[str, ...], pull_request: int | None, repo: str, as_json: bool) -> None:
    """Check bodies before they are posted, FILES, or what is posted on a pull request, --pr.

    A body is a comment that begins with its marker, review-dispositions or design-phase-complete;
    problems in a file end the command with exit code 2, as the writer would refuse it. What is
    posted is only warned of: the exit code is 0.
    """
    if bool(files) == bool(pull_request):
        raise click.UsageError("Give either FILES or --pr.")
    if pull_request:
        with shared.told_faults():
            _check_posted(shared.connect(repo), pull_request, as_json)
    elif _check_files(files, as_json):
        click.get_current_context().exit(REFUSED)


def _check_files(files: tuple[str, ...], as_json: bool) -> bool:
    """Whether there is any problem."""
    found = [(name, _problems(shared.read_text(name))) for name in files]
    if as_json:
        told = [{"file": name, "problems": shared.problems_json(each)} for name, each in found]
        print_json(told)
    for name, problems in [] if as_json else found:
        click.echo(printable(f"{shared.name_of(name)}: {shared.count(len(problems), 'problem')}"))
        for problem in problems:
            click.echo(printable(f"  {problem} [{problem.code}]"))
    return any(problems for _, problems in found)


def _problems(body: str) -> list[Problem]:
    own = parse(first_line(body))
    if own is None or own.family.name not in _FAMILIES:
        sentence = f"line 1 is not the marker of {' or '.join(_FAMILIES)}"
        return [Problem("not-dispositions", sentence)]
    return validators.check(body, own)


def _check_posted(sources: Sources, pull_request: int, as_json: bool) -> None:
    counted, warnings = trusted(sources.marked(pull_request, PULL_REQUEST), sources.trusts)
    result = review_dispositions.check_comments(counted, pull_request)
    status = result.status if result.marker_count else "none"
    if as_json:
        print_json(
            {
                "status": status,
                "comments": result.marker_count,
                "entries": result.entry_count,
                "problems": shared.problems_json(result.problems),
                "warnings": shared.problems_json(warnings),
            }
        )
        return
    entries = "1 entry" if result.entry_count == 1 else f"{result.entry_count} entries"
    click.echo(f"{status}: {shared.count(result.marker_count, 'comment')}, {entries}")
    shared.warn([*result.problems, *warnings])


@command.command("merge", short_help="Of each finding the newest disposition.")
@shared.number_option("--pr", "pull_request", required=True)
@click.option("--judge", default="", metavar="LOGIN", help="Default: the account of gh.")
@shared.as_json
@shared.on_github
def _merge(sources: Sources, pull_request: int, judge: str, as_json: bool) -> None:
    """Merge the judge's dispositions: of each finding the newest, and what outsiders caught."""
    judge = judge or sources.github.viewer()
    if not judge:
        raise click.UsageError("An app's token has no account of its own: give --judge.")
    found = sources.marked(pull_request, PULL_REQUEST)
    trusts = WriteAccess(sources.github.permission, sources.trusts.allowed | {judge})
    counted, warnings = trusted(external_reviews.by_judge(found, judge), trusts)
    merged = external_reviews.merge(counted, pull_request, judge)
    everything = [*warnings, *merged.warnings]
    if as_json:
        print_json({**_merged_json(merged, judge), "warnings": shared.problems_json(everything)})
    else:
        _print_merged(merged)
        shared.warn(everything)


def _merged_json(merged: external_reviews.ExternalReviews, judge: str) -> dict[str, object]:
    return {
        "judge": judge,
        "measured": merged.measured,
        "duplicate": merged.duplicate,
        "novel": merged.novel,
        "external_catch": merged.external_catch,
        "entries": list(merged.entries),
    }


def _print_merged(merged: external_reviews.ExternalReviews) -> None:
    for entry in merged.entries:
        names = ("disposition", "severity", "reviewer_source")
        facts = [str(entry.get(name, "-")) for name in names]
        click.echo(printable(f"{entry.get('stable_finding_key')}: {', '.join(facts)}"))
    counts = f"{merged.duplicate} duplicate, {merged.novel} novel"
    click.echo(f"findings from outside: {counts if merged.measured else 'not measured'}")
