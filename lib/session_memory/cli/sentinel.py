"""``session-memory sentinel`` (SMC-16)."""

import click

from session_memory.cli import reading as shared
from session_memory.cli.output import print_json, printable
from session_memory.markers.comment import Comment
from session_memory.markers.families import PULL_REQUEST, marker
from session_memory.markers.selection import find_all
from session_memory.markers.trust import trusted
from session_memory.records import metrics, sentinel
from session_memory.records.sources import Sources


@click.command("sentinel")
@shared.number_option("--pr", "pull_request", required=True)
@shared.any_author
@shared.as_json
@shared.on_github
def command(sources: Sources, pull_request: int, any_author: bool, as_json: bool) -> None:
    """Tell whether the judge finished a review, and whether its credit was lost.

    The sentinel is the comment that a judge posts first. A pull request that has one, and whose
    metrics are readable and lack the review's credit, is owed a row, which is printed.
    """
    body, distrusted = sources.description(pull_request, metrics.HEAD)
    own = marker("review-judge-produced", pull_request)
    found = find_all(sources.marked(pull_request, PULL_REQUEST), own.literal)
    judges, warnings = trusted(found, sources.trusts_if_known if any_author else sources.trusts)
    counted = found if any_author else judges
    comment = sentinel.find(counted, pull_request)
    warnings = [*distrusted, *warnings]
    read = metrics.read(body)
    row = sentinel.missing_credit(read, judges, pull_request)
    reliable = comment in judges if comment else None
    if as_json:
        facts = {**_found_json(comment), "trusted": reliable, **_metrics_json(read)}
        print_json({**facts, "missing_credit": row, "warnings": shared.problems_json(warnings)})
        return
    remark = ", UNTRUSTED" if reliable is False else ""
    click.echo(printable(f"present: {comment.name}{remark}" if comment else "absent"))
    if row:
        click.echo(printable(f"credit of the review: {row['status']}: {row['evidence']}"))
    shared.warn(warnings)


def _found_json(comment: Comment | None) -> dict[str, object]:
    told = shared.comment_json(comment) if comment else None
    return {"present": comment is not None, "comment": told}


def _metrics_json(read: metrics.Metrics) -> dict[str, object]:
    return {"metrics_version": read.version, "metrics_detail": read.detail}
