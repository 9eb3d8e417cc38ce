"""``session-memory doctor``."""

import sys

import click

from session_memory.cli import errors, output
from session_memory.cli.install import surroundings


@click.command("doctor")
@click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="Folder of the repository; default: this one.",
)
@click.option("--github", is_flag=True, help="Ask GitHub, too, whether markers could be written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--verbose", "-v", is_flag=True, help="Show what is in order, too.")
def command(cwd: str, github: bool, as_json: bool, verbose: bool) -> None:
    """Find what is wrong with the hooks here, and say how to mend it.

    Nothing is changed, and no network is used without --github: hooks are tried in a temporary
    folder. The exit code is 1 when there is a fault, else 0; warnings and notes do not count.
    """
    from session_memory.doctor import examination, report
    from session_memory.doctor.finding import Level

    done = examination.examine(surroundings(cwd), github=github)
    if as_json:
        output.print_json(report.as_dict(done))
    else:
        for line in report.lines(done, verbose):
            click.echo(output.printable(line))
    sys.exit(errors.FAULTY if done.worst == Level.FAULT else 0)
