"""The command itself: groups are imported when they are asked for."""

import importlib

import click

from session_memory import __version__

# Command name to the module that defines it, as ``command``, and its line in the help.
COMMANDS = {
    "demo": ("session_memory.cli.demo", "Replay a recorded conversation through the hooks."),
    "gate": ("session_memory.cli.gate", "Decision tokens and question events of a session."),
    "hook": ("session_memory.cli.hook", "Run one hook by hand, or explain what it would do."),
    "key": ("session_memory.cli.key", "Show the session key that hooks would use here."),
    "references": ("session_memory.cli.references", "Reference documents of this repository."),
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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="session-memory")
def main() -> None:
    """Session memory for Claude Code and GitHub Copilot, by hand."""
