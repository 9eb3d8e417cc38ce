"""``session-memory uninstall``."""

from typing import Any

import click

from session_memory import library
from session_memory.cli import errors, output
from session_memory.cli.install import options, print_diff, surroundings
from session_memory.install import git_exclude, plan
from session_memory.install import place as places
from session_memory.install.place import Refused


@click.command("uninstall")
@options
def command(host: str, scope: str, dry_run: bool, as_json: bool) -> None:
    """Take the hooks out of the settings of an editor.

    Settings that nobody else changed since are restored to the byte. Otherwise exactly our entries
    go, and a backup stays. Session state in your repositories is not touched.
    """
    around = surroundings()
    try:
        place = places.place(around, host, scope)
        planned = plan.to_uninstall(place, library.locate())
        changes = planned.changes
        backup = None
        if not dry_run:
            backup = planned.uninstall() if changes else None
            git_exclude.uncover(place)
    except Refused as fault:
        raise errors.Refused(str(fault)) from None
    facts = {
        "host": host,
        "scope": scope,
        "file": str(planned.file.path),
        "changed": changes and not dry_run,
        "would_change": changes,
        "restored": changes and (planned.exact or planned.after is None),
        "file_removed": changes and planned.after is None,
        "backup": str(backup or ""),
        **({"diff": planned.diff()} if dry_run else {}),
    }
    if as_json:
        output.print_json(facts)
    else:
        _print(facts)


def _print(facts: dict[str, Any]) -> None:
    if "diff" in facts:
        print_diff(facts["diff"])
        return
    if not facts["changed"]:
        output.print_facts({"not registered in": facts["file"]})
        return
    done = "removed" if facts["file_removed"] else "taken out of"
    output.print_facts({done: facts["file"], "backup": facts["backup"]})
