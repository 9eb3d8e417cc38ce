"""Settings files, registrations and whole installations for the tests of the room install."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command_line import Ran, run
from session_memory.install import plan
from session_memory.install.commands import Runner
from session_memory.install.place import FLAT, GROUPED, Place
from session_memory.library import Library
from support import Repository

RUNNER = Runner("/usr/bin/python3")
LIBRARY = Library(Path("/opt/session memory/hooks"), Path("/opt/session memory/lib/session_memory"))
SHAPES = (GROUPED, FLAT)

# Another tool's hook, under an event that we use as well.
FOREIGN: dict[str, Any] = {
    "matcher": "Edit",
    "hooks": [{"type": "command", "command": "format-it", "timeout": 5}],
}


@dataclass(frozen=True)
class Settings:
    """One settings file below a folder that links may not leave."""

    place: Place

    @classmethod
    def at(cls, folder: Path, shape: str = GROUPED, name: str = "settings.json") -> "Settings":
        return cls(Place("claude", "user", folder / name, shape, (folder,)))

    @property
    def path(self) -> Path:
        return self.place.path

    def install(self, runner: Runner = RUNNER) -> plan.Plan:
        made = plan.to_install(self.place, runner, LIBRARY)
        if made.changes:
            made.install()
        return made

    def uninstall(self) -> plan.Plan:
        made = plan.to_uninstall(self.place, LIBRARY)
        if made.changes:
            made.uninstall()
        return made

    def value(self) -> Any:
        return json.loads(self.path.read_text("utf-8-sig"))

    def commands(self) -> list[str]:
        return commands_in(self.value())

    def ours(self) -> list[str]:
        return [text for text in self.commands() if "--registered-by=" in text]


def commands_in(value: Any) -> list[str]:
    """The commands of all handlers, in order."""
    found = []
    for items in (value.get("hooks") or {}).values():
        for item in items or []:
            found += [handler["command"] for handler in item.get("hooks", [item])]
    return found


@dataclass(frozen=True)
class Machine:
    """A user's home, a repository, and a copy of the bundle under a name that needs quotes."""

    home: Path
    repo: Repository
    bundle: Path

    def run(self, *arguments: str, cwd: "Path | None" = None, **env: str) -> Ran:
        variables = {"HOME": str(self.home), "PYTHONPATH": str(self.bundle / "lib"), **env}
        return run(*arguments, cwd=cwd or self.repo.root, env=variables)

    def install(self, host: str = "claude", scope: str = "user", *options: str, **env: str) -> Ran:
        return self.run("install", "--host", host, "--scope", scope, *options, cwd=None, **env)

    def uninstall(self, host: str = "claude", scope: str = "user", *options: str) -> Ran:
        return self.run("uninstall", "--host", host, "--scope", scope, *options)

    def file(self, host: str, scope: str) -> Path:
        return (self.home if scope == "user" else self.repo.root) / FILES[host, scope]

    def commands(self, host: str = "claude", scope: str = "user") -> list[str]:
        return commands_in(json.loads(self.file(host, scope).read_text("utf-8")))


FILES = {
    ("claude", "user"): ".claude/settings.json",
    ("claude", "project"): ".claude/settings.local.json",
    ("copilot", "user"): ".copilot/hooks/session-memory.json",
    ("copilot", "project"): ".github/hooks/session-memory.json",
    ("vscode", "user"): ".copilot/hooks/session-memory.json",
    ("vscode", "project"): ".github/hooks/session-memory.json",
}
