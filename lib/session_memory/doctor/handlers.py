"""The hooks of ours among all that a file registers."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.core.guard import EVENT_NAMES
from session_memory.core.system import WINDOWS
from session_memory.doctor import matchers
from session_memory.editors.json_files import JsonFile, member
from session_memory.editors.locations import CLAUDE, VSCODE, Source
from session_memory.events.post_tool_use import EDIT_TOOLS, QUESTION_TOOLS

TOOLS = EDIT_TOOLS | QUESTION_TOOLS
# Names in another case, or of another host, fit no tool of Claude Code.
_CLAUDE_TOOLS = TOOLS & {"Edit", "Write", "MultiEdit", "AskUserQuestion"}

_ENTRIES = "|".join(EVENT_NAMES)
# A clone has the entry points in hooks, a wheel in entry_points.
_FOLDER = r"(?:hooks|entry_points)[/\\]"
_OURS = re.compile(
    rf"{_FOLDER}(?:run(?:\.ps1)?[\"']*\s+[\"']?(?P<run>{_ENTRIES})|(?P<script>{_ENTRIES})\.py)"
)
_SCRIPT = re.compile(rf"(?:^|[/\\]){_FOLDER}(?:run(?:\.ps1)?|(?:{_ENTRIES})\.py)$")
_PYTHON = re.compile(r"(?:^|[/\\])(?:python[\d.]*|pypy[\d.]*|py)(?:\.exe)?$")
_COMMANDS = ("windows", "powershell", "command") if WINDOWS else ("command", "bash", "linux", "osx")
_CACHE_OPTION = "pycache_prefix="
_ROOT_VARIABLES = ("CLAUDE_PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT")


@dataclass(frozen=True)
class Handler:
    """One command under one event, as a file has it. ``entry`` is the hook that it runs."""

    source: Source
    event: str
    entry: str
    command: str
    words: tuple[str, ...]
    in_shell: bool
    matcher: object
    timeout: object
    kind: object

    @property
    def script(self) -> str:
        """The path of our script or launcher as the command spells it; ``""`` if it has none."""
        return next((word for word in reversed(self.words) if _SCRIPT.search(word)), "")

    @property
    def interpreter(self) -> str:
        """The Python that the command names; ``""`` when the launcher is to choose."""
        if not self.script.endswith(".py"):
            return ""
        behind = self.words[::-1]
        before = behind[behind.index(self.script) + 1 :]
        return next((word for word in before if _PYTHON.search(word)), "")

    @property
    def pycache(self) -> str:
        """Where the command keeps compiled modules; ``""`` for beside the sources."""
        found = (word for word in self.words if word.startswith(_CACHE_OPTION))
        return next(found, "")[len(_CACHE_OPTION) :]

    def tools(self, host: str) -> frozenset[str]:
        """The tools of ours for which ``host`` runs it; all of them for other events.

        All of them, too, where that cannot be told.
        """
        tools = _CLAUDE_TOOLS if host == CLAUDE else TOOLS
        if self.entry != "post_tool_use" or host == VSCODE or self.matcher in (None, "", "*"):
            return tools
        if not isinstance(self.matcher, str):
            return frozenset()
        return matchers.fitting(self.matcher, tools)

    def expand(self, word: str, project: Path, home: Path) -> str:
        """``word`` with the variables of hosts filled in; what is left of ``$`` is unknown."""
        values = {"CLAUDE_PROJECT_DIR": project, "COPILOT_PROJECT_DIR": project, "HOME": home}
        if self.source.plugin:
            values |= dict.fromkeys(_ROOT_VARIABLES, self.source.plugin)
        for name, value in values.items():
            word = word.replace(f"${{{name}}}", str(value))
            # A path may hold what a replacement text would take for a group.
            word = str(value).join(re.split(rf"\${name}(?!\w)", word))
        return str(home) + word[1:] if word.startswith("~/") else word


def ours(source: Source, file: JsonFile) -> Iterator[Handler]:
    """The handlers in ``file`` that run a hook of this bundle."""
    for event, items in member(file.value, "hooks").items():
        for item in items if isinstance(items, list) else []:
            for entry in _commands(item):
                handler = _handler(source, event, item, entry)
                if handler:
                    yield handler


def mentions(text: str) -> bool:
    """Whether a text, which may be no JSON at all, runs a hook of this bundle."""
    return bool(_OURS.search(text.replace("\\\\", "\\").replace('\\"', '"')))


def _commands(item: object) -> list[dict[str, Any]]:
    """The commands of an item: those of a matcher group, or the item itself."""
    if not isinstance(item, dict):
        return []
    inner = item.get("hooks", [item])
    return [entry for entry in inner if isinstance(entry, dict)] if isinstance(inner, list) else []


def _handler(source: Source, event: str, item: Any, entry: dict[str, Any]) -> "Handler | None":
    arguments = entry.get("args")
    command = next((entry[key] for key in (*_COMMANDS, "exec") if _is_text(entry.get(key))), "")
    words = _words(command)
    if isinstance(arguments, list):
        words = (command, *map(str, arguments))
    found = _OURS.search(shlex.join(words) if isinstance(arguments, list) else command)
    if not found:
        return None
    return Handler(
        source,
        event,
        found["run"] or found["script"],
        command,
        words,
        in_shell=not isinstance(arguments, list),
        matcher=item.get("matcher"),
        timeout=entry.get("timeout", entry.get("timeoutSec")),
        kind=entry.get("type", "command"),
    )


def _words(command: str) -> tuple[str, ...]:
    """The words of a shell command; operators that touch a word are cut off."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = ""
        return tuple(lexer)
    except ValueError:  # a quote that is never closed
        return tuple(command.split())


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""
