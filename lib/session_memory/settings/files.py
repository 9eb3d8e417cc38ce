"""The files that hold settings, read as hooks read them."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.core import places
from session_memory.core import settings as core
from session_memory.core.settings import USER
from session_memory.settings.lines import Lines

_LINE = re.compile(r"(?s)(.*) in line ([0-9]+)\Z")

_LIMITS = ("nested too deeply", "more than", "larger than")


@dataclass(frozen=True)
class SettingsFile:
    """``table`` is empty when the file is absent, or unusable as ``problem`` tells."""

    name: str
    path: str
    table: dict[str, Any]
    problem: str = ""
    problem_line: int = 0
    lines: "Lines | None" = None

    @property
    def exists(self) -> bool:
        """Whether anything lies at :attr:`path`."""
        return bool(self.path) and (Path(self.path).exists() or Path(self.path).is_symlink())

    def line(self, *path: object) -> int:
        """The line of a key; 0 when it is not known."""
        return self.lines.find(path) if self.lines else 0


def read_files(root: str, variable: Callable[[str], str]) -> list[SettingsFile]:
    """The files in the order of their rank; without a ``root``, the user's alone."""
    path = places.user_settings(variable)
    found = [_file(USER, path, lambda: core.content_of_user(variable))]
    return found + (files_of_repository(root) if root else [])


def files_of_repository(root: str) -> list[SettingsFile]:
    """``pyproject.toml`` and ``.session-memory.toml``."""
    return [_of_repository(root, name) for name in core.SOURCES]


def _of_repository(root: str, name: str) -> SettingsFile:
    return _file(name, str(Path(root, name)), lambda: core.content_of_source(root, name))


def _file(name: str, path: str, read: Callable[[], bytes]) -> SettingsFile:
    content, header = b"", core.SOURCES.get(name, ())
    try:
        content = read()
        table = core.parsed(content, header)
    except OSError as error:
        return SettingsFile(name, path, {}, error.strerror or str(error))
    except ValueError as error:
        reason, line = _parted(str(error))
        return SettingsFile(name, path, {}, _plain(reason, content), line)
    lines = Lines(content.decode("utf-8-sig"), header) if table else None
    return SettingsFile(name, path, table, lines=lines)


def _parted(message: str) -> tuple[str, int]:
    """A reader's message as its reason and its line."""
    found = _LINE.fullmatch(message)
    return (found[1], int(found[2])) if found else (message, 0)


def _plain(reason: str, content: bytes) -> str:
    """Says it when the fault is with us, unless the reason is a limit, which says so itself."""
    if reason.startswith(_LIMITS) or not is_full_toml(content):
        return reason
    return f"{reason}; this is TOML, but more than hooks read"


def is_full_toml(content: bytes) -> bool:
    """Whether the reader of Python takes it; no when it is missing, before Python 3.11."""
    try:
        toml: Any = importlib.import_module("tomllib")
    except ModuleNotFoundError:
        return False
    # Larger ones could keep the full reader busy for long.
    if not content or len(content) > core.MAX_BYTES:
        return False
    try:
        toml.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True
