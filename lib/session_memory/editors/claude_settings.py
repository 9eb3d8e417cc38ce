"""What Claude Code's settings come to, taken together."""

from dataclasses import dataclass
from pathlib import Path

from session_memory.editors.json_files import JsonFile, member, read
from session_memory.editors.locations import MANAGED, claude_settings
from session_memory.editors.surroundings import Surroundings


@dataclass(frozen=True)
class Setting:
    """A value, and the file that has the last word on it; ``None`` and no file without any."""

    value: object = None
    path: Path = Path()


@dataclass(frozen=True)
class ClaudeSettings:
    """``files`` are in the order of precedence, the strongest last; broken ones hold nothing."""

    files: tuple[JsonFile, ...]
    managed: frozenset[Path]

    @classmethod
    def of(cls, around: Surroundings) -> "ClaudeSettings":
        """The settings for the folder that is looked at."""
        sources = claude_settings(around)
        managed = frozenset(source.path for source in sources if source.scope == MANAGED)
        return cls(tuple(read(source.path) for source in sources), managed)

    def setting(self, *names: str) -> Setting:
        """The value of the member ``names``, which may be of any type."""
        found = Setting()
        *outer, name = names
        for file in self.files:
            table = member(file.value, *outer) if outer else file.value
            if name in table:
                found = Setting(table[name], file.path)
        return found

    def is_on(self, *names: str) -> bool:
        """Whether the member ``names`` is true."""
        return self.setting(*names).value is True

    def managed_hooks_only(self) -> Setting:
        """Whether an administrator allows no hooks but the managed ones."""
        found = self.setting("allowManagedHooksOnly")
        return found if found.path in self.managed and found.value is True else Setting()
