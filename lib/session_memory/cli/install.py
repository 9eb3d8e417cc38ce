"""``session-memory install``."""

from typing import Any

import click

from session_memory.cli import errors, output
from session_memory.editors.locations import HOSTS
from session_memory.editors.surroundings import NoHome, Surroundings
from session_memory.install import installation, registered
from session_memory.install.installation import Installation
from session_memory.install.place import SCOPES, Refused


def options(command: Any) -> Any:
    """The options that choose a place."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--dry-run", is_flag=True, help="Print a diff and write nothing."),
        click.option(
            "--scope",
            type=click.Choice(SCOPES),
            default="user",
            show_default=True,
            help="For all your folders, or for this repository.",
        ),
        click.option("--host", type=click.Choice(list(HOSTS)), required=True, help="The editor."),
    ):
        command = option(command)
    return command


def surroundings(cwd: str = ".") -> Surroundings:
    """The environment of this process, and the folder ``cwd``."""
    try:
        return Surroundings.of(cwd)
    except NoHome as fault:
        raise errors.Refused(str(fault)) from None


@click.command("install")
@options
@click.option("--python", default="", help="The interpreter; default: the one that runs this.")
@click.option("--force", is_flag=True, help="Even where the host has the hooks already.")
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    host: str, scope: str, dry_run: bool, as_json: bool, python: str, force: bool
) -> None:
    """Register the hooks in the settings of an editor.

    What else the settings hold stays as it is, to the byte. A second call changes nothing; one
    after an update brings the registration up to date.
    """
    around = surroundings()
    try:
        prepared = installation.prepare(around, host, scope, python)
        doubles = registered.doubles(around, prepared.plan.place, prepared.wanted)
        if doubles and not force:
            raise errors.Refused(
                f"{HOSTS[host]} has the hooks already, from {' and '.join(doubles)}; with --force"
                " they are registered twice, which does no harm but costs twice"
            )
        notes = installation.warnings(around, prepared)
        changes = prepared.plan.changes
        modules = 0
        if not dry_run:
            modules, more = prepared.carry_out()
            notes += more
    except Refused as fault:
        raise errors.Refused(str(fault)) from None
    facts = _facts(prepared, changes, dry_run, modules, notes)
    if as_json:
        output.print_json(facts)
    else:
        _print(facts)


def _facts(
    prepared: Installation, changes: bool, dry_run: bool, modules: int, notes: list[str]
) -> dict[str, Any]:
    place = prepared.plan.place
    return {
        "host": place.host,
        "scope": place.scope,
        "file": str(prepared.plan.file.path),
        "changed": changes and not dry_run,
        "would_change": changes,
        "interpreter": prepared.interpreter.path,
        "interpreter_version": prepared.interpreter.version_text,
        "entry_points": str(prepared.library.hooks),
        "version": prepared.library.version,
        "compiled": modules,
        "pycache": prepared.runner.pycache,
        "notes": notes,
        **({"diff": prepared.plan.diff()} if dry_run else {}),
    }


def _print(facts: dict[str, Any]) -> None:
    if "diff" in facts:
        print_diff(facts["diff"])
    else:
        done = "registered in" if facts["changed"] else "registered already in"
        shown = {
            done: facts["file"],
            "interpreter": f"{facts['interpreter']} ({facts['interpreter_version']})",
            "entry points": f"{facts['entry_points']} ({facts['version']})",
            "compiled": f"{facts['compiled']} modules",
        }
        output.print_facts(shown)
    for note in facts["notes"]:
        click.echo(f"note: {output.printable(note)}", err=True)


def print_diff(diff: str) -> None:
    """A diff, or that there is none, safe for a terminal."""
    for line in diff.splitlines() or ["nothing would change"]:
        click.echo(output.printable(line.rstrip("\r")))
