"""``session-memory demo``."""

import sys

import click

from session_memory import demo


@click.command()
@click.option("--keep", is_flag=True, help="Keep the scratch folder and print its path.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(keep: bool, as_json: bool) -> None:
    """Replay a recorded conversation through the real hooks in a scratch repository."""
    options = [name for name, on in (("--keep", keep), ("--json", as_json)) if on]
    sys.exit(demo.main(options))
