"""Where the hooks are registered, and whether what the registrations name is there."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from session_memory.install import commands, compiled, jsonc, locations, plugins, registration
from session_memory.install.commands import Runner
from session_memory.install.locations import Place, Refused, Surroundings
from session_memory.install.settings_file import SettingsFile


def survey(around: Surroundings) -> Iterator[dict[str, Any]]:
    """For each host and scope: whether and how the hooks are registered, and whether they run."""
    for host in locations.HOSTS:
        plugin = plugins.find(around, host)
        own = [locations.place(around, host, scope) for scope in locations.SCOPES]
        for place in own:
            yield _state(host, place.scope, place, plugin)
        # Files of another host, or of another scope, that this host reads too.
        for place in locations.read_by(around, host):
            if place.path not in [one.path for one in own] and registered(place):
                yield _state(host, place.scope, place, plugin)


def _state(host: str, scope: str, place: Place, plugin: str) -> dict[str, Any]:
    entries = registered(place)
    ways = [*(["settings"] if entries else []), *(["plugin"] if plugin else [])]
    facts: dict[str, Any] = {
        "host": host,
        "scope": scope,
        "file": str(place.path),
        "registered": bool(ways),
        "how": "both" if len(ways) == 2 else "".join(ways) or "none",
        "plugin": plugin,
        "interpreter": "",
        "interpreter_exists": None,
        "entry_points": "",
        "entry_points_present": None,
        "version": "",
        "up_to_date": None,
        "problem": _problem(place),
    }
    if entries:
        facts.update(_registration_facts(place, entries))
    return facts


def _registration_facts(place: Place, entries: list[registration.Entry]) -> dict[str, Any]:
    parsed = [commands.parse(entry.command) for entry in entries]
    pythons = [python for python, _ in parsed if python]
    scripts = [Path(script) for _, script in parsed if script]
    hooks = scripts[0].parent if scripts else Path()
    return {
        "interpreter": pythons[0] if pythons else "",
        "interpreter_exists": bool(pythons) and all(os.access(p, os.X_OK) for p in pythons),
        "entry_points": str(hooks) if scripts else "",
        "entry_points_present": bool(scripts) and all(path.is_file() for path in scripts),
        "version": _version(hooks) if scripts else "",
        "up_to_date": bool(pythons) and _is_up_to_date(place, entries, pythons[0]),
    }


def _is_up_to_date(place: Place, entries: list[registration.Entry], python: str) -> bool:
    """Whether an installation with the same interpreter would leave the entries as they are."""
    library = compiled.locate()
    pycache = commands.pycache(entries[0].command)
    wanted = registration.wanted(place.shape, Runner(python, pycache), library.hooks)
    present = [(e.event, e.matcher, e.node.plain()) for e in entries]
    return all((w.event, w.matcher, w.handler) in present for w in wanted) and len(present) == len(
        wanted
    )


def _version(hooks: Path) -> str:
    """The version of the package that the entry points in ``hooks`` run."""
    for package in (hooks.parent, hooks.parent / "lib" / compiled.PACKAGE):
        version = compiled.version_of(package)
        if version:
            return version
    return ""


def _problem(place: Place) -> str:
    """Why a settings file could not be read; empty when it could."""
    try:
        file = SettingsFile.read(place)
        if (file.data or b"").strip():
            jsonc.parse(file.text)
    except (OSError, Refused, jsonc.Malformed) as error:
        return str(error)
    return ""


def registered(place: Place) -> list[registration.Entry]:
    """Our entries in a settings file; none when it cannot be read."""
    library = compiled.locate()
    try:
        file = SettingsFile.read(place)
        if not (file.data or b"").strip():
            return []
        return registration.entries(jsonc.parse(file.text), library.hooks)
    except (OSError, Refused, jsonc.Malformed):
        return []
