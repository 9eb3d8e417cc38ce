"""``session-memory contract``: the rows, who owns a file, and documents that keep to it."""

import os
from collections.abc import Iterator
from typing import Any

import click

from session_memory.cli.errors import Refused
from session_memory.cli.output import as_json as json_option
from session_memory.cli.output import counted, print_facts, print_json, printable
from session_memory.contract import location, page, table
from session_memory.contract.lint import formats
from session_memory.contract.lint.finding import Finding
from session_memory.contract.ownership import Owner
from session_memory.contract.table import HOSTS, NoSuchRow, Row, contract

_NAME = "session-memory"
_FINDINGS = 1
_MAX_SHOWN = 20


@click.group()
def command() -> None:
    """The contract: which state lives where, how long it survives, and who may write it.

    Each of its rows is one kind of state. docs/contract.md has them all.
    """


@command.command("list")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print what docs/contract.md holds.")
@json_option
def _list(as_markdown: bool, as_json: bool) -> None:
    """List the rows: their shape, how long it survives, and where it works."""
    if as_json and as_markdown:
        raise click.UsageError("Give either --json or --markdown.")
    known = contract()
    if as_json:
        print_json(table.raw())
    elif as_markdown:
        click.echo(page.markdown(known))
    else:
        for row in known.rows.values():
            labels = ", ".join(one.label for one in row.survival)
            click.echo(f"{row.id}  {row.shape:<38}  {labels}")


@command.command("show")
@click.argument("row", metavar="ROW")
@json_option
def _show(row: str, as_json: bool) -> None:
    """Show one row, such as SMC-07 or 7; it ends with the commands that read and write it."""
    try:
        found = contract().find(row)
    except NoSuchRow as error:
        raise Refused(str(error)) from None
    if as_json:
        print_json(next(one for one in table.raw()["rows"] if one["id"] == found.id))
        return
    click.echo(f"{found.id} {found.shape}\n{found.about}\n")
    print_facts(dict(_facts(found)))
    click.echo()
    for place in found.places:
        click.echo(f"{place.where}: {place.path}\n    {place.survival}: {place.holds}")
    click.echo()
    for host, name in HOSTS.items():
        one = found.hosts[host]
        click.echo(f"{name}: {one.works}. {one.mechanism} {one.gap}".rstrip())
    click.echo(f"\nHonest gap: {found.gap}\n")
    _print_commands(found)


def _facts(row: Row) -> Iterator[tuple[str, str]]:
    yield "survival", "; ".join(f"{one.label} {one.when}".rstrip() for one in row.survival)
    yield "fungibility", row.fungibility
    yield "owner", row.owner
    yield "read", ", then ".join(row.read_chain)
    yield "written by", row.written_by
    yield "rule", row.write_rule
    yield "sources", "; ".join(row.citations)


def _print_commands(row: Row) -> None:
    for verb, commands in (("read ", row.read), ("write", row.write)):
        for named in commands:
            click.echo(f"{verb}  {_NAME} {named}")


@command.command("why")
@click.argument("path", metavar="PATH")
@json_option
def _why(path: str, as_json: bool) -> None:
    """Tell which row owns PATH, how long it survives, and who may write it.

    PATH need not exist. It is relative to this folder or to the root of the checkout, or a marker
    such as '<!-- plan-issue-42 -->'. What no row owns and is not ours ends with exit code 2.
    """
    found = location.find(path, os.getcwd())
    if found is None:
        raise Refused(
            f"{printable(path)} is no state of the contract and no file of ours;"
            f" {_NAME} contract list shows what is"
        )
    if as_json:
        print_json({"path": path, "exists": os.path.lexists(path), **_owner_json(found)})
        return
    for number, row in enumerate(found.rows):
        click.echo("\n" * bool(number) + f"{row.id} {row.shape}")
        print_facts(_why_facts(found, row))
    if not found.rows:
        click.echo("no row: a file of ours that is no state of a conversation")
        print_facts({"holds": found.place.holds, "survival": found.place.survival,
                     "written by": found.place.written_by})  # fmt: skip


def _why_facts(found: Owner, row: Row) -> dict[str, str]:
    place = next((one for one in row.places if one.path == found.place.path), found.place)
    return {
        "is": f"{found.companion} of what follows" if found.companion else "",
        "holds": place.holds,
        "where": f"{place.where}: {place.path}",
        "survival": place.survival,
        "session key": found.key,
        "owner": row.owner,
        "written by": row.written_by,
        "rule": row.write_rule,
        "read": ", ".join(f"{_NAME} {named}" for named in row.read),
        "write": ", ".join(f"{_NAME} {named}" for named in row.write),
    }


def _owner_json(found: Owner) -> dict[str, Any]:
    return {
        "rows": [row.id for row in found.rows],
        "companion": found.companion or None,
        "key": found.key or None,
        "where": found.place.where,
        "pattern": found.place.path,
        "survival": found.place.survival,
        "holds": found.place.holds,
        "written_by": [row.written_by for row in found.rows] or [found.place.written_by],
        "read": [f"{_NAME} {named}" for row in found.rows for named in row.read],
        "write": [f"{_NAME} {named}" for row in found.rows for named in row.write],
    }


@command.command("lint")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True))
@click.option(
    "--format", "form", type=click.Choice(("text", "json", "github")), default="text",
    show_default=True, help="For people, for programs, or as annotations of GitHub Actions.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def _lint(paths: tuple[str, ...], form: str, as_json: bool) -> int:
    """Check that Markdown documents keep to the contract.

    Folders are searched for Markdown, without what git ignores; links are not followed. Findings
    end with exit code 1. <!-- contract-lint: ignore CODE --> on a line, or on the one before,
    silences it; <!-- contract-lint: off --> silences the rest, up to one with on.
    """
    from session_memory.contract.lint.run import lint

    found, skipped, count = lint(paths)
    if as_json or form == "json":
        print_json({
            "documents": count,
            "findings": [formats.as_json(one) for one in found],
            "skipped": [{"path": path, "reason": reason} for path, reason in skipped],
        })  # fmt: skip
    else:
        line = formats.as_annotation if form == "github" else formats.as_text
        for one in found:
            click.echo(printable(line(one)))
        _summarise(found, skipped, count)
    return _FINDINGS if found else 0


def _summarise(found: list[Finding], skipped: list[tuple[str, str]], count: int) -> None:
    for path, reason in skipped[:_MAX_SHOWN]:
        click.echo(printable(f"{path}: not read: {reason}"), err=True)
    if len(skipped) > _MAX_SHOWN:
        click.echo(f"{len(skipped) - _MAX_SHOWN} more not read", err=True)
    findings = counted(len(found), "finding")
    click.echo(f"{findings} in {counted(count, 'document')}", err=True)
