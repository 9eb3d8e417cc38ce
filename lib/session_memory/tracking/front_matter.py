"""The front matter of a tracking document: what it must say, and in which words."""

import re
from dataclasses import dataclass

from session_memory.yaml_text import YamlError, load

STATUSES = ("pending", "in-progress", "complete", "blocked", "on-hold")
PRIORITIES = ("p1", "p2", "p3", "p4")
REQUIRED = ("status", "priority", "issue_id", "created")

# What the labels of an issue mean; an issue without such a label is of medium priority.
_OF_LABEL = {"high": "p1", "medium": "p2", "low": "p3"}
_DEFAULT_PRIORITY = "p2"
_LABEL_PREFIX = "priority:"

_FENCE = "---"
_TOP_KEY = re.compile(r"""(["']?)([\w-]+)\1\s*:""")


class Unreadable(ValueError):
    """There is no front matter, or it cannot be read. ``line`` counts from 1."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class FrontMatter:
    """The values by key, and the line that each key stands on."""

    values: dict[str, object]
    lines: dict[str, int]

    def text(self, key: str) -> str:
        """The value if it is text, else ``""``."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""


def priority(label: str | None) -> str:
    """The priority that an issue's label stands for, such as ``p1`` for ``priority: high``."""
    level = (label or "").strip().lower().removeprefix(_LABEL_PREFIX).strip()
    return _OF_LABEL.get(level, _DEFAULT_PRIORITY)


def parse(text: str) -> FrontMatter:
    """The front matter that ``text`` begins with. Raises :class:`Unreadable`."""
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise Unreadable(f"the first line is not {_FENCE}: there is no front matter")
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), 0)
    if not end:
        raise Unreadable(f"the front matter is not closed by a line {_FENCE}")
    try:
        values = load("\n".join(lines[1:end]))
    except YamlError as error:
        raise Unreadable(f"the front matter is not YAML: {error.reason}", error.line + 1) from None
    if not isinstance(values, dict):
        raise Unreadable("the front matter is no list of keys and values")
    return FrontMatter(values, _lines(lines[:end]))


def _lines(lines: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        match = _TOP_KEY.match(line)
        if match:
            found.setdefault(match[2], number)
    return found
