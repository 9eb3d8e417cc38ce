"""Registering the hooks: what is needed, what it would do, and doing it."""

import os
from dataclasses import dataclass

from session_memory import library
from session_memory.editors.locations import CLAUDE, HOSTS, PROJECT, USER, reads
from session_memory.editors.surroundings import Surroundings
from session_memory.install import (
    commands,
    compiled,
    git_exclude,
    interpreters,
    place,
    plan,
    registered,
    registration,
)
from session_memory.install.commands import Runner
from session_memory.install.place import Place, Refused
from session_memory.install.registration import Wanted
from session_memory.library import Library


@dataclass(frozen=True)
class Installation:
    """A registration that could be made: who runs what, and what the file would become."""

    plan: plan.Plan
    interpreter: interpreters.Interpreter
    runner: Runner
    library: Library

    @property
    def wanted(self) -> list[Wanted]:
        """What would be registered."""
        return registration.wanted(self.plan.place.shape, self.runner, self.library.hooks)

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
    bundle = library.locate()
    at = place.place(around, host, scope)
    _check_entry_points(bundle)
    if scope == USER and not os.path.isdir(around.home):
        raise Refused(f"HOME is {around.home}, which is no folder; nothing is made there")
    interpreter = interpreters.choose(python)
    pycache = "" if compiled.is_writable(bundle) else str(around.cache / "pycache")
    runner = Runner(interpreter.path, pycache)
    return Installation(plan.to_install(at, runner, bundle), interpreter, runner, bundle)


def warnings(around: Surroundings, installation: Installation) -> list[str]:
    """What keeps a registration from having an effect, or gives it one elsewhere."""
    found = []
    at, line = installation.plan.place, installation.plan.extension
    if line:
        found.append(
            f"line {line} has a comment or a trailing comma: {HOSTS[at.host]} reads strict JSON"
            " and ignores the whole file"
        )
    if installation.runner.pycache:
        found.append(
            f"{installation.library.package} is not writable; compiled modules lie in"
            f" {installation.runner.pycache}"
        )
    return found + _other_readers(around, installation.plan.place)


def _other_readers(around: Surroundings, at: Place) -> list[str]:
    twice = registered.readers_with_doubles(around, at)
    if at.scope == PROJECT and at.host != CLAUDE:
        return ["Copilot CLI and VS Code read this file both, in a folder that they trust", *twice]
    others = [host for host in HOSTS if host != at.host and reads(around, host, at.path)]
    return twice or [f"{HOSTS[host]} reads this file too" for host in others]


def _check_entry_points(bundle: Library) -> None:
    missing = [path for path in commands.scripts(bundle.hooks) if not path.is_file()]
    if missing:
        raise Refused(f"the entry point {missing[0]} is missing; mend it: {bundle.mend(missing)}")
