"""Groups of commands whose help is whole."""

import click

# No first sentence is so long.
_WHOLE = 1000


class Group(click.Group):
    """Tells of each command its first sentence, where click would cut it to one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        commands = [(name, self.get_command(ctx, name)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(_WHOLE)) for name, one in commands if one]
            )
