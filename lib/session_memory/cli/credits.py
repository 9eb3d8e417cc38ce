"""``session-memory credits`` (SMC-17)."""

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import Undelivered
from session_memory.cli.output import print_json, printable
from session_memory.records import harvest
from session_memory.records.harvesting import collect
from session_memory.records.sources import Sources


@click.group()
def command() -> None:
    """What the phases of an issue claim for their ports (SMC-17)."""


@command.command("harvest")
@shared.number_option("--issue", "issue", required=True)
@shared.pull_request_option
@click.option(
    "--retries", type=click.IntRange(0, 5), default=harvest.DEFAULT_RETRY.times, show_default=True,
    help="How often to look again, after 1, 2, 4 ... seconds, for a credit that must be there.",
)  # fmt: skip
@shared.as_json
@shared.on_github
def _harvest(
    sources: Sources, issue: int, pull_request: int | None, retries: int, as_json: bool
) -> None:
    """Print the credit row of every port whose phase is complete.

    A port that the pull request's metrics credit already is left alone. Every port has an outcome;
    when GitHub could not be asked they say so, and the exit code is 3.
    """
    result = collect(sources, issue, pull_request or 0, retry=harvest.Retry(retries))
    if as_json:
        print_json(
            {
                "rows": result.harvest.rows,
                "outcomes": [_outcome_json(outcome) for outcome in result.harvest.outcomes],
                "warnings": shared.problems_json(result.warnings),
            }
        )
    else:
        for outcome in result.harvest.outcomes:
            row = outcome.row or {}
            evidence = f": {row['status']}, {row['evidence']}" if row else ""
            click.echo(printable(f"{outcome.port:<13}  {outcome.result}{evidence}"))
        shared.warn(result.warnings)
    if result.error:
        raise Undelivered(str(result.error))


def _outcome_json(outcome: harvest.Outcome) -> dict[str, object]:
    comment = outcome.comment
    return {
        "port": outcome.port,
        "result": outcome.result,
        "comment": shared.comment_json(comment) if comment else None,
    }
