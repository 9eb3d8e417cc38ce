"""``session-memory key``."""

import click

from session_memory.cli import conversation, output
from session_memory.gates import log_path


@click.command("key")
@conversation.options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(session_id: str, cwd: str, as_json: bool) -> None:
    """Show the session key that hooks would use here, and the gate-event log it names."""
    found = conversation.find(session_id, cwd)
    session = found.session
    facts = {
        "key": session.key,
        "rung": session.rung,
        "variable": found.variable,
        "root": session.root,
        "log": log_path(session.root, session.key) if session.root else "",
    }
    if as_json:
        output.print_json(facts)
    else:
        output.print_facts(facts)
