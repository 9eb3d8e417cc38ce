"""Where the hooks are registered, and whether what the registrations name is there."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from session_memory import library
from session_memory.editors import jsonc, plugins
from session_memory.editors.locations import HOSTS
from session_memory.editors.surroundings import Surroundings
from session_memory.install import commands, place, registered, registration
from session_memory.install.commands import Runner
from session_memory.install.place import SCOPES, Place, Refused
from session_memory.install.registration import Entry
from session_memory.install.settings_file import SettingsFile
from session_memory.library import Library


def survey(around: Surroundings) -> Iterator[dict[str, Any]]:
    """For each host and scope: whether and how the hooks are registered, and whether they run."""
    for host in HOSTS:
        own = [place.place(around, host, scope) for scope in SCOPES]
        installed = {plugin.scope: str(plugin.root) for plugin in plugins.enabled(around, host)}
        for at in own:
            yield _state(at, registered.entries(at), installed.get(at.scope, ""))
        # Files of another host, or of another scope, that this host reads too.
        paths = [one.path for one in own]
        for at in place.others(around, host, own[0]):
            found = registered.entries(at) if at.path not in paths else []
            if found:
                yield _state(at, found, "")


def _state(at: Place, entries: list[Entry], plugin: str) -> dict[str, Any]:
    ways = [*(["settings"] if entries else []), *(["plugin"] if plugin else [])]
    facts: dict[str, Any] = {
        "host": at.host,
        "scope": at.scope,
        "file": str(at.path),
        "registered": bool(ways),
        "how": "both" if len(ways) == 2 else "".join(ways) or "none",
        "plugin": plugin,
        "interpreter": "",
        "interpreter_exists": None,
        "entry_points": "",
        "entry_points_present": None,
        "version": "",
        "up_to_date": None,
        "problem": _problem(at),
    }
    if entries:
        facts.update(_registration_facts(at, entries))
    return facts


def _registration_facts(at: Place, entries: list[Entry]) -> dict[str, Any]:
    parsed = [commands.parse(entry.command) for entry in entries]
    pythons = [python for python, _ in parsed if python]
    scripts = [Path(script) for _, script in parsed if script]
    hooks = scripts[0].parent if scripts else Path()
    return {
        "interpreter": pythons[0] if pythons else "",
        "interpreter_exists": bool(pythons) and all(os.access(p, os.X_OK) for p in pythons),
        "entry_points": str(hooks) if scripts else "",
        "entry_points_present": bool(scripts) and all(path.is_file() for path in scripts),
        "version": Library.at(hooks).version if scripts else "",
        "up_to_date": bool(pythons) and _is_up_to_date(at, entries, pythons[0]),
    }


def _is_up_to_date(at: Place, entries: list[Entry], python: str) -> bool:
    """Whether an installation with the same interpreter would leave the entries as they are."""
    pycache = commands.pycache(entries[0].command)
    wanted = registration.wanted(at.shape, Runner(python, pycache), library.locate().hooks)
    present = [(e.event, e.matcher, e.node.plain()) for e in entries]
    return all((w.event, w.matcher, w.handler) in present for w in wanted) and len(present) == len(
        wanted
    )


def _problem(at: Place) -> str:
    """Why a settings file could not be read; empty when it could."""
    try:
        file = SettingsFile.read(at)
        if (file.data or b"").strip():
            jsonc.parse(file.text)
    except (OSError, Refused, jsonc.Malformed) as error:
        return str(error)
    return ""
