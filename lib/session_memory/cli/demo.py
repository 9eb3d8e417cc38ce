"""``session-memory demo``."""

import sys

import click

from session_memory import demo


@click.command()
@click.option("--keep", is_flag=True, help="Keep the scratch folder and print its path.")
@click.option("--verbose", is_flag=True, help="Show every file that was written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(keep: bool, verbose: bool, as_json: bool) -> None:
    """Replay recorded events through the real hooks in a scratch repository."""
    given = {"--keep": keep, "--verbose": verbose, "--json": as_json}
    options = [name for name, on in given.items() if on]
    sys.exit(demo.main(options))
