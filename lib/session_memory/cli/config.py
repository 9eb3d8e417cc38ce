"""``session-memory config``: settings, where they come from, and what is wrong with them."""

import json
import os
from pathlib import Path

import click

from session_memory import schemas
from session_memory.cli import errors, output
from session_memory.cli.groups import Group
from session_memory.core.checkout import locate
from session_memory.settings import findings, table
from session_memory.settings.files import read_files
from session_memory.settings.findings import Finding
from session_memory.settings.resolution import Around, Value, of_orchestra, resolve

_GROUPS = {
    "Settings": table.IN_FILES,
    f"In {table.ORCHESTRA}": table.IN_ORCHESTRA,
    "In git's configuration": table.IN_GIT,
    "Environment": table.IN_ENVIRONMENT,
    "From editors and the system": table.GIVEN,
}

_as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Every setting, its value, and where it comes from; alone, the same as show.

    Values are what hooks would see here. Those of secrets are never shown.
    """
    if context.invoked_subcommand is None:
        context.invoke(show)


@command.command()
@click.option("--all", "everything", is_flag=True, help="Also what editors and the system tell.")
@_as_json
def show(everything: bool, as_json: bool) -> None:
    """Show every setting, its value and its source."""
    around = _around()
    values = {value.setting.name: value for value in resolve(around)}
    if as_json:
        output.print_json({"root": around.root, "settings": [v.as_dict() for v in values.values()]})
        return
    groups = {title: rows for title, rows in _GROUPS.items() if everything or rows != table.GIVEN}
    width = max(len(setting.name) for rows in groups.values() for setting in rows)
    for number, (title, rows) in enumerate(groups.items()):
        click.echo("\n" * bool(number) + f"{title}:")
        for setting in rows:
            _print_value(values[setting.name], width)
    _summarise(_findings(around))


def _print_value(value: Value, width: int) -> None:
    line = f"  {value.setting.name:<{width}}  {value.shown}  ({_source(value)})"
    click.echo(output.printable(line))
    for other in value.others:
        click.echo(output.printable(f"  {'':<{width}}  also made in {_short(other)}"))


def _source(value: Value) -> str:
    place = f"{value.path}:{value.line}" if value.line else value.path
    source = _short(place) if place else value.source
    return source if value.valid else f"in place of what {source} says"


def _short(path: str) -> str:
    home = str(Path.home())
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def _summarise(found: list[Finding]) -> None:
    if found:
        told = output.counted(len(found), "setting needs", "settings need")
        click.echo(f"\n{told} a look: session-memory config check")


@command.command()
@click.argument("name")
@_as_json
def get(name: str, as_json: bool) -> None:
    """Print the value of the setting NAME."""
    value = next((one for one in resolve(_around()) if one.setting.name == name), None)
    if value is None:
        known = ", ".join(setting.name for setting in table.IN_FILES)
        raise click.UsageError(
            f"There is no setting called {name}; among others there are {known}."
        )
    if as_json:
        output.print_json(value.as_dict())
    elif value.setting.secret or isinstance(value.value, str):
        click.echo(output.printable(value.shown if value.setting.secret else str(value.value)))
    else:
        click.echo(json.dumps(value.value))


@command.command()
@_as_json
def check(as_json: bool) -> None:
    """Tell of settings that are broken, in a wrong place or not known.

    The exit code is 2 when there is an error, else 0; warnings do not count.
    """
    found = _findings(_around())
    errors_found = [finding for finding in found if finding.severity == findings.ERROR]
    if as_json:
        output.print_json({"findings": [finding.as_dict() for finding in found]})
    else:
        _print_findings(found, len(errors_found))
    if errors_found:
        click.get_current_context().exit(errors.REFUSED)


def _print_findings(found: list[Finding], error_count: int) -> None:
    for finding in found:
        place = _short(finding.place)
        text = f"{place}: {finding.severity}: {finding.message}; {finding.used} [{finding.code}]"
        click.echo(output.printable(text))
    warnings = output.counted(len(found) - error_count, "warning")
    click.echo(f"{output.counted(error_count, 'error')}, {warnings}")


@command.command()
@_as_json
def path(as_json: bool) -> None:
    """Show which files hold settings, and which of them are there."""
    files = _around().files
    if as_json:
        rows = [{"name": file.name, "path": file.path, "exists": file.exists} for file in files]
        output.print_json({"files": rows})
        return
    output.print_facts({file.name: _presence(file.path, file.exists) for file in files})


def _presence(path: str, exists: bool) -> str:
    if not path:
        return "nowhere: neither XDG_CONFIG_HOME nor HOME tells"
    return path if exists else f"{path} (absent)"


@command.command()
def schema() -> None:
    """Print the JSON Schema of the files."""
    click.echo(json.dumps(schemas.load("settings"), indent=2))


def _around() -> Around:
    here = str(Path.cwd())
    checkout = locate(here)
    root = checkout.root if checkout else ""
    environ = dict(os.environ)
    return Around(root, here, environ, read_files(root, lambda name: environ.get(name, "")))


def _findings(around: Around) -> list[Finding]:
    return [
        *findings.of_files(around.files),
        *(of_orchestra(around.root) if around.root else ()),
        *findings.of_environment(around.environ),
    ]
