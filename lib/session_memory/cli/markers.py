"""``session-memory markers``: the records that are kept in comments (SMC-08 and its kin)."""

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused
from session_memory.cli.marker_writing import write
from session_memory.cli.output import print_json, printable
from session_memory.markers.candidate import address
from session_memory.markers.description_block import BlockError, find
from session_memory.markers.families import (
    BLOCK,
    FAMILIES,
    ISSUE,
    PHASES,
    PORTS,
    PULL_REQUEST,
    Marker,
)
from session_memory.markers.family_table import facts, markdown
from session_memory.markers.listing import Listed, counted, listing
from session_memory.markers.payload import extract
from session_memory.markers.selection import find_all
from session_memory.markers.target import Target
from session_memory.markers.text import lines
from session_memory.markers.trust import trusted
from session_memory.records.sources import Sources

_HEADING = f"{'ID':<11}  {'MARKER':<39}  {'CREATED':<20}  AUTHOR: STATE"


@click.group()
def command() -> None:
    """Records in GitHub comments, each named by a marker on its first line."""


command.add_command(write)


@command.command("families", short_help="List every known kind of marker.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a Markdown table.")
@shared.as_json
def _families(as_markdown: bool, as_json: bool) -> None:
    """List every known kind of marker: where it belongs, who writes and who reads it."""
    if as_json and as_markdown:
        raise click.UsageError("Give either --json or --markdown.")
    if as_json:
        print_json([facts(family) for family in FAMILIES.values()])
    elif as_markdown:
        click.echo(markdown())
    else:
        for family in FAMILIES.values():
            written = "written here" if family.writable else "not written here"
            where = family.surface or "inside another text"
            click.echo(f"{family.template:<52}  {where}, {family.shape}, {written}")


@command.command("list", short_help="Show the markers of a conversation.")
@click.option("--family", default="", metavar="FAMILY", help="Only this family; default: all.")
@shared.any_author
@shared.as_json
@shared.on_target(phase=False)
@shared.on_github
def _list(sources: Sources, target: Target, family: str, any_author: bool, as_json: bool) -> None:
    """Show the markers of a conversation, and which of several comments counts.

    A comment of an account without write access never counts; --any-author shows it, marked.
    """
    _known(family)
    found = sources.marked(*_place(target))
    trusts = sources.trusts_if_known if any_author else sources.trusts
    rows = [row for row in listing(found, trusts) if family in ("", row.marker.family.name)]
    shown = [row for row in rows if row.trusted or any_author]
    if as_json:
        print_json([_json(row) for row in shown])
        return
    if shown:
        click.echo(_HEADING)
    for row in shown:
        _print(row)
    if not shown:
        click.echo(f"No markers on {target.name}.", err=True)
    if len(rows) > len(shown):
        left_out = len(rows) - len(shown)
        click.echo(f"{left_out} by other authors left out; --any-author shows them.", err=True)


@command.command("show", short_help="Print the comment that counts for a marker.")
@click.argument("family")
@click.option("--phase", "of_phase", type=click.Choice(PHASES), help="Of an engagement record.")
@click.option("--port", "of_port", type=click.Choice(PORTS), help="Of a credit input.")
@shared.as_json
@shared.on_target(phase=False)
@shared.on_github
def _show(sources: Sources, target: Target, family: str, as_json: bool, **part: str | None) -> None:
    """Print the text of the one comment that counts for a marker.

    When there is none the exit code is 2, and nothing is printed on standard output.
    """
    try:
        wanted = address(family, _place(target)[0], part["of_phase"] or part["of_port"] or "")
    except ValueError as error:
        _known(family)
        raise Refused(str(error)) from None
    if wanted.family.shape == BLOCK:
        _show_block(sources, wanted, target, as_json)
    else:
        _show_comment(sources, wanted, target, as_json)


def _show_comment(sources: Sources, wanted: Marker, target: Target, as_json: bool) -> None:
    found = sources.marked(*_place(target))
    comment = counted(found, wanted, sources.trusts)
    if comment is None:
        shared.warn(trusted(find_all(found, wanted.literal), sources.trusts)[1])
        raise Refused(f"no comment of {target.name} counts as {wanted.literal[5:-4]}")
    if not as_json:
        _print_text(comment.body.rstrip("\r\n"))
        return
    payload = extract(comment.body)
    text = payload.text if payload.fenced else None
    print_json({**shared.comment_json(comment), "marker": wanted.literal, "body": comment.body,
                "payload": text})  # fmt: skip


def _show_block(sources: Sources, wanted: Marker, target: Target, as_json: bool) -> None:
    name = wanted.family.name
    if target.issue:
        raise Refused(f"{name} stands in the description of a pull request: give --pr")
    body, warnings = sources.description(wanted.number, name)
    shared.warn(warnings)
    try:
        span = find(body, name)
    except BlockError as error:
        raise Refused(f"{target.name}: {error}") from None
    if span is None:
        raise Refused(f"the description of {target.name} has no {name} that counts")
    text = body[span[0] : span[1]]
    if as_json:
        print_json({"marker": wanted.family.template, "body": text})
    else:
        _print_text(text)


def _print_text(text: str) -> None:
    click.echo("\n".join(printable(line) for line in lines(text)))


def _place(target: Target) -> tuple[int, str]:
    return (target.issue, ISSUE) if target.issue else (target.pull_request, PULL_REQUEST)


def _known(family: str) -> None:
    if family and family not in FAMILIES:
        known = ", ".join(name for name, one in FAMILIES.items() if one.writable)
        raise Refused(f"unknown marker family {family[:80]}; written here are {known}")


def _print(row: Listed) -> None:
    name = row.marker.literal.removeprefix("<!-- ").removesuffix(" -->")
    comment = row.comment
    line = f"{comment.id:<11}  {name:<39}  {comment.created_at:<20}  {comment.author or '-'}"
    click.echo(printable(f"{line}: {', '.join(row.flags)}"))


def _json(row: Listed) -> dict[str, object]:
    return {
        **shared.comment_json(row.comment),
        "marker": row.marker.literal,
        "family": row.marker.family.name,
        "trusted": row.trusted,
        "state": row.state,
        "void": row.void,
        "edited": row.comment.edited,
    }
