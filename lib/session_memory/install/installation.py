"""Registering the hooks: what is needed, what it would do, and doing it."""

import os
from dataclasses import dataclass
from pathlib import Path

from session_memory.install import (
    commands,
    compiled,
    git_exclude,
    interpreters,
    locations,
    plan,
    plugins,
    status,
)
from session_memory.install.commands import Runner
from session_memory.install.locations import Place, Refused, Surroundings


@dataclass(frozen=True)
class Installation:
    """A registration that could be made: who runs what, and what the file would become."""

    plan: plan.Plan
    interpreter: interpreters.Interpreter
    runner: Runner
    library: compiled.Library

    def carry_out(self) -> tuple[int, list[str]]:
        """Do it: how many modules were compiled, and what a person should know.

        Raises :class:`OSError`, and then nothing was registered.
        """
        notes = []
        modules, failed = compiled.compile_for(self.runner, self.library)
        if failed:
            notes.append(f"{failed} of {modules} modules could not be compiled; hooks will be slow")
        if self.plan.place.root and git_exclude.cover(self.plan.place) == git_exclude.TRACKED:
            notes.append("git tracks this file; it names an interpreter of this machine")
        if self.plan.changes:
            self.plan.install()
        return modules - failed, notes


def prepare(around: Surroundings, host: str, scope: str, python: str = "") -> Installation:
    """What an installation would do; raises :class:`Refused`."""
    library = compiled.locate()
    _check_entry_points(library)
    interpreter = interpreters.choose(python)
    pycache = "" if compiled.is_writable(library) else str(_cache(around) / "pycache")
    runner = Runner(interpreter.path, pycache)
    place = locations.place(around, host, scope)
    return Installation(plan.to_install(place, runner, library), interpreter, runner, library)


def warnings(around: Surroundings, installation: Installation) -> list[str]:
    """What keeps a registration from having an effect, or gives it one elsewhere."""
    found = []
    place, line = installation.plan.place, installation.plan.extension
    if line and place.host == "claude":
        found.append(
            f"line {line} has a comment or a trailing comma: Claude Code reads strict JSON and"
            " ignores the whole file"
        )
    if installation.runner.pycache:
        found.append(
            f"{installation.library.package} is not writable; compiled modules lie in"
            f" {installation.runner.pycache}"
        )
    if place.host != "claude" and place.scope == "project":
        found.append("Copilot CLI and VS Code read this file both, in a folder that they trust")
    elif place.host == "vscode" and "COPILOT_HOME" not in around.env:
        found.append("Copilot CLI reads this file too")
    elif place.host == "copilot" and "COPILOT_HOME" not in around.env:
        found.append("VS Code reads this file too")
    return found


def doubles(around: Surroundings, place: Place) -> list[str]:
    """Where else the host of ``place`` has the hooks from already, in words."""
    found = []
    plugin = plugins.find(around, place.host)
    if plugin:
        found.append(f"the plugin {plugin}")
    others = [p for p in locations.read_by(around, place.host) if p.path != place.path]
    return found + [str(other.path) for other in others if status.registered(other)]


def _check_entry_points(library: compiled.Library) -> None:
    missing = [path for path in commands.scripts(library.hooks) if not path.is_file()]
    if missing:
        raise Refused(f"the entry point {missing[0]} is missing; this installation is not whole")


def _cache(around: Surroundings) -> Path:
    named = around.env.get("XDG_CACHE_HOME", "")
    base = Path(named) if os.path.isabs(named) else around.home / ".cache"
    return base / "session-memory-hooks"
