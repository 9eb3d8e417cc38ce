"""``session-memory key``."""

import click

from session_memory.cli import output
from session_memory.cli.conversation import Conversation, options
from session_memory.gates import log_path


@click.command("key")
@options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(conversation: Conversation, as_json: bool) -> None:
    """Show the session key that hooks would use here, and the gate-event log it names."""
    session = conversation.session
    facts = {
        "key": session.key,
        "rung": session.rung,
        "variable": conversation.variable,
        "root": session.root,
        "log": log_path(session.root, session.key) if session.root else "",
    }
    if as_json:
        output.print_json(facts)
    else:
        facts["root"] = session.root or "none: outside any repository, where hooks record nothing"
        output.print_facts(facts)
