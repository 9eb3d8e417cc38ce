"""What Claude Code's settings come to, taken together."""

from dataclasses import dataclass
from pathlib import Path

from session_memory.editors.json_files import JsonFile, member, read
from session_memory.editors.locations import MANAGED, Source, claude_settings
from session_memory.editors.surroundings import Surroundings


@dataclass(frozen=True)
class Setting:
    """A value, and the file that has the last word on it; both ``None`` without any."""

    value: object = None
    source: "Source | None" = None

    @property
    def path(self) -> Path:
        """Where that file is."""
        return self.source.path if self.source else Path()

    @property
    def is_managed(self) -> bool:
        """Whether an administrator has said so."""
        return self.source is not None and self.source.scope == MANAGED


@dataclass(frozen=True)
class ClaudeSettings:
    """The files in the order of precedence, the strongest last; broken ones hold nothing."""

    files: tuple[tuple[Source, JsonFile], ...]

    @classmethod
    def of(cls, around: Surroundings) -> "ClaudeSettings":
        """The settings for the folder that is looked at."""
        return cls(tuple((source, read(source.path)) for source in claude_settings(around)))

    def setting(self, *names: str) -> Setting:
        """The value of the member ``names``, which may be of any type."""
        found = Setting()
        *outer, name = names
        for source, file in self.files:
            table = member(file.value, *outer) if outer else file.value
            if name in table:
                found = Setting(table[name], source)
        return found

    def members(self, name: str) -> list[str]:
        """The names in the table ``name``, which adds up over the files."""
        tables = [member(file.value, name) for _, file in self.files]
        return list(dict.fromkeys(key for table in tables for key in table))
