"""Settings files and registrations for the tests of this room."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.install import plan
from session_memory.install.commands import Runner
from session_memory.install.compiled import Library
from session_memory.install.locations import FLAT, GROUPED, Place

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
