"""Our entries in settings files as they are, whether or not these files could be edited."""

from dataclasses import replace

from session_memory import library
from session_memory.core.system import read_file
from session_memory.editors import jsonc, plugins
from session_memory.editors.locations import CLAUDE, HOSTS, reads
from session_memory.editors.surroundings import Surroundings
from session_memory.install import registration
from session_memory.install.place import Place, Refused, others
from session_memory.install.registration import Entry, Wanted
from session_memory.install.settings_file import MAX_BYTES


def entries(at: Place) -> list[Entry]:
    """Our entries in a settings file; none when it cannot be read."""
    text = (read_file(str(at.path), MAX_BYTES) or b"").decode("utf-8", "replace")
    if not text.strip(jsonc.BOM + " \t\r\n"):
        return []
    try:
        return registration.entries(jsonc.parse(text), library.locate().hooks)
    except (Refused, jsonc.Malformed):
        return []


def doubles(around: Surroundings, at: Place, wanted: list[Wanted]) -> list[str]:
    """Where else the host of ``at`` has the hooks from, in words, so that they would run twice."""
    found = [f"the plugin {plugin.root}" for plugin in plugins.enabled(around, at.host)]
    for other in others(around, at.host, at):
        present = entries(other)
        if present and not _run_once(at.host, present, wanted):
            found.append(str(other.path))
    return found


def readers_with_doubles(around: Surroundings, at: Place) -> list[str]:
    """Other hosts that read the file as well, and have the hooks from elsewhere; in words."""
    found = []
    for host, title in HOSTS.items():
        elsewhere = doubles(around, replace(at, host=host), []) if host != at.host else []
        if elsewhere and reads(around, host, at.path):
            places = " and ".join(elsewhere)
            found.append(f"{title} reads this file too, and has the hooks from {places}: twice")
    return found


def _run_once(host: str, present: list[Entry], wanted: list[Wanted]) -> bool:
    """Whether Claude Code runs both registrations once: it compares the texts of commands."""
    new = {(one.event, one.handler["command"]) for one in wanted}
    return host == CLAUDE and {(entry.event, entry.command) for entry in present} == new
