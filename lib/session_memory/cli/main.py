"""The command itself: groups are imported when they are asked for; every fault ends here."""

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from session_memory import __version__
from session_memory.cli import errors, output

NAME = "session-memory"
# Command name to the module that defines it, as ``command``, and its line in the help.
COMMANDS = {
    "calibration": (
        "session_memory.cli.calibration",
        "What reviews found, and how closely the next one looks.",
    ),
    "config": ("session_memory.cli.config", "Every setting, its value and its source."),
    "contract": (
        "session_memory.cli.contract",
        "Which state lives where, how long, and whose it is.",
    ),
    "credits": ("session_memory.cli.credits", "What phases claim for their ports."),
    "demo": ("session_memory.cli.demo", "Replay recorded events through the real hooks."),
    "dispositions": (
        "session_memory.cli.dispositions",
        "What became of the findings of a design or a review.",
    ),
    "doctor": ("session_memory.cli.doctor", "Find what is wrong with the hooks here."),
    "followups": ("session_memory.cli.followups", "The queue of proposed follow-ups."),
    "gate": ("session_memory.cli.gate", "Decision tokens and question events of a session."),
    "handshake": ("session_memory.cli.handshake", "Whether a subagent sees its parent's tree."),
    "hook": ("session_memory.cli.hook", "Run one hook by hand, or explain what it would do."),
    "hygiene": ("session_memory.cli.hygiene", "The decision on a version bump."),
    "install": ("session_memory.cli.install", "Register the hooks in an editor's settings."),
    "key": ("session_memory.cli.key", "Show the session key that hooks would use here."),
    "markers": ("session_memory.cli.markers", "Records in GitHub comments: write, list, show."),
    "memory": ("session_memory.cli.memory", "Plans, designs, review state, deferred work."),
    "reconcile": (
        "session_memory.cli.reconcile",
        "Hold the gate-event log against what GitHub records.",
    ),
    "records": ("session_memory.cli.records", "Engagement records: read, write down, compare."),
    "references": ("session_memory.cli.references", "Reference documents of this repository."),
    "resume": ("session_memory.cli.resume", "Which phases of an issue are complete."),
    "sentinel": ("session_memory.cli.sentinel", "Whether a review ran, and left its credit."),
    "startup": (
        "session_memory.cli.startup",
        "The start-up check by hand, and what was said before.",
    ),
    "state": ("session_memory.cli.state", "List the state files that are here."),
    "status": ("session_memory.cli.status", "Show where the hooks are registered."),
    "tracking": ("session_memory.cli.tracking", "Files in .copilot-tracking, and their archive."),
    "uninstall": ("session_memory.cli.uninstall", "Take the hooks out of an editor's settings."),
}


class LazyGroup(click.Group):
    """A group that imports a command only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader who goes away, as ``head`` does, ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # left to itself, click would make it a failure
            output.abandon_stdout()
            return 0

    def main(  # type: ignore[override]  # never returns
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run, print a fault as one line on stderr, and exit as :mod:`.errors` tells."""
        output.replace_closed_streams()
        output.tolerate_any_encoding()
        extra["standalone_mode"] = False
        try:
            code = super().main(args, prog_name or NAME, **extra)
        except click.ClickException as fault:
            code = _tell(fault)
        except (click.Abort, KeyboardInterrupt):
            code = errors.INTERRUPTED
        except OSError as fault:
            code = _tell(errors.Undelivered(_describe(fault)))
        sys.exit(code if isinstance(code, int) else 0)


def _tell(fault: click.ClickException) -> int:
    """Print the fault; the exit code it stands for."""
    if isinstance(fault, click.exceptions.NoArgsIsHelpError):
        fault.show()
        return errors.USAGE
    context: click.Context | None = getattr(fault, "ctx", None)
    path = context.command_path if context else NAME
    text = " ".join(fault.format_message().split())
    if isinstance(fault, click.UsageError):
        text += f" See {path} --help."
    click.echo(f"{path}: {output.printable(text)}", err=True)
    return errors.USAGE if isinstance(fault, click.UsageError) else fault.exit_code


def _describe(fault: OSError) -> str:
    if isinstance(fault, FileNotFoundError) and not fault.filename:
        return "the working directory is gone; change to a folder that is there."
    reason = fault.strerror or str(fault) or type(fault).__name__
    return f"{reason}: {fault.filename}" if fault.filename else reason


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=errors.TABLE
)
@click.version_option(__version__, prog_name=NAME)
def main() -> None:
    """Session memory for Claude Code and GitHub Copilot, by hand.

    Names such as SMC-21 stand for rows of the session-memory contract, one for each kind of thing
    that is remembered.
    """
