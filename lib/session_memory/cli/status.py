"""``session-memory status``."""

import os
from pathlib import Path
from typing import Any

import click

from session_memory import __version__
from session_memory.cli import errors, output
from session_memory.cli.install import surroundings
from session_memory.editors.locations import CLAUDE, HOSTS, PROJECT
from session_memory.install import status
from session_memory.install.place import Refused


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """Show where the hooks are registered, and whether what they name is there."""
    try:
        states = list(status.survey(surroundings()))
    except Refused as fault:
        raise errors.Refused(str(fault)) from None
    if as_json:
        output.print_json({"version": __version__, "registrations": states})
        return
    for number, state in enumerate(states):
        click.echo("\n" * bool(number) + f"{HOSTS[state['host']]}, {state['scope']}:")
        output.print_facts({f"  {name}": text for name, text in _lines(state).items()})


def _lines(state: dict[str, Any]) -> dict[str, str]:
    shown = {"registered": "no" if state["how"] == "none" else _HOW[state["how"]]}
    root = state["plugin"]
    shown["plugin"] = root and _present(root, os.path.isdir(root))
    shown["file"] = state["file"]
    shown["problem"] = state["problem"]
    if state["how"] in ("settings", "both"):
        shown["interpreter"] = _present(state["interpreter"], state["interpreter_exists"])
        shown["entry points"] = _present(state["entry_points"], state["entry_points_present"])
        shown["version"] = state["version"]
        shown["up to date"] = "yes" if state["up_to_date"] else f"no: {_again(state)}"
    return shown


_HOW = {
    "settings": "in settings",
    "plugin": "as a plugin",
    "both": "twice: in settings, as a plugin",
}


def _again(state: dict[str, Any]) -> str:
    # Copilot CLI reads a file of Claude Code's, too; whoever it belongs to is to be installed.
    owner = CLAUDE if Path(state["file"]).parent.name == ".claude" else state["host"]
    scope = " --scope project" if state["scope"] == PROJECT else ""
    return f"session-memory install --host {owner}{scope}"


def _present(path: str, exists: bool) -> str:
    return f"{path or 'unknown'}{'' if exists else ' (missing)'}"
