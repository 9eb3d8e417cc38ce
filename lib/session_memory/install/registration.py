"""Our entries in the text of a settings file: found, added, brought up to date, taken out."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.core.guard import EVENT_NAMES
from session_memory.editors import jsonc
from session_memory.events.post_tool_use import EDIT_TOOLS, QUESTION_TOOLS
from session_memory.install import commands, edit
from session_memory.install.commands import Runner
from session_memory.install.edit import Change
from session_memory.install.place import FLAT, GROUPED, Refused

# Seconds, as in the plugin's registrations, beyond the deadline that a hook sets itself.
TIMEOUT_S = {"SessionStart": 20, "UserPromptSubmit": 25, "PostToolUse": 20}
_ALL = "^(" + "|".join(sorted(EDIT_TOOLS | QUESTION_TOOLS)) + ")$"
MATCHERS = {GROUPED: ("^(Edit|Write|MultiEdit)$", "^AskUserQuestion$"), FLAT: (_ALL,)}

# A new file, before anything is added.
EMPTY = {GROUPED: "{}\n", FLAT: '{\n  "version": 1\n}\n'}

# The containers on the way to a value, outermost first, each with the index of what comes next.
Steps = tuple[tuple[jsonc.Node, int], ...]

_HANDLER_KEYS = ("command", "bash", "windows", "powershell")


@dataclass(frozen=True)
class Wanted:
    """A handler that should be registered for ``event``; ``matcher`` is empty where none is."""

    event: str
    matcher: str
    handler: dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A handler of ours in a text: the containers on the way to it, outermost first."""

    event: str
    matcher: str
    node: jsonc.Node
    path: Steps

    @property
    def command(self) -> str:
        """The command that a POSIX host runs."""
        plain = self.node.plain()
        return str(plain.get("command") or plain.get("bash") or "")


def wanted(shape: str, runner: Runner, hooks: Path) -> list[Wanted]:
    """All that should be registered with a host of ``shape``."""
    found = []
    for entry, event in EVENT_NAMES.items():
        text = commands.texts(runner, hooks / f"{entry}.py")
        for matcher in MATCHERS[shape] if event == "PostToolUse" else ("",):
            handler = {"type": "command", **text, "timeout": TIMEOUT_S[event]}
            if shape == FLAT:
                handler = {**({"matcher": matcher} if matcher else {}), **handler}
                handler["timeoutSec"] = TIMEOUT_S[event]
            found.append(Wanted(event, matcher, handler))
    return found


def entries(document: jsonc.Document, hooks: Path) -> list[Entry]:
    """Our handlers in ``document``, in its order; raises :class:`Refused` for a strange shape."""
    return [e for e in _handlers(document) if _is_ours(e.node.plain(), hooks)]


def add(text: str, shape: str, hooks: Path, all_wanted: list[Wanted]) -> str:
    """The text with exactly ``all_wanted`` of ours registered; what is right already stays."""
    document = jsonc.parse(text)
    missing = list(all_wanted)
    wrong: list[Entry] = []
    changes: list[Change] = []
    for entry in entries(document, hooks):
        at = (entry.event, entry.matcher)
        match = next((one for one in missing if (one.event, one.matcher) == at), None)
        if match is None:
            wrong.append(entry)
            continue
        missing.remove(match)
        if entry.node.plain() != match.handler:
            changes.append(edit.replace(document, entry.node, match.handler))
    corrected = edit.apply(text, [*changes, *_without(document, wrong)])
    return _append(corrected, shape, missing) if missing else corrected


def strip(text: str, hooks: Path) -> str:
    """The text without any entry of ours, and without the containers that this leaves empty."""
    document = jsonc.parse(text)
    return edit.apply(text, _without(document, entries(document, hooks)))


def is_empty(text: str) -> bool:
    """Whether a file holds nothing but what :data:`EMPTY` has."""
    document = jsonc.parse(text)
    root = document.root
    bare = root.kind == "object" and set(root.keys) <= {"version"}
    return bare and not document.comments


def _append(text: str, shape: str, missing: list[Wanted]) -> str:
    """Add entries, together with the containers that they need."""
    document = jsonc.parse(text)
    items: dict[str, list[Any]] = {}
    for one in missing:
        items.setdefault(one.event, []).append(_item(one, shape))
    hooks = _child(document, document.root, "hooks", "object")
    if hooks is None:
        return edit.apply(text, _put(document, document.root, {"hooks": items}))
    lists = {event: _child(document, hooks, event, "array") for event in items}
    changes = _put(document, hooks, {e: items[e] for e, present in lists.items() if not present})
    for event, present in lists.items():
        if present:
            changes += edit.insert(document, present, [(None, item) for item in items[event]])
    return edit.apply(text, changes)


def _item(one: Wanted, shape: str) -> dict[str, Any]:
    if shape == FLAT:
        return one.handler
    return {**({"matcher": one.matcher} if one.matcher else {}), "hooks": [one.handler]}


def _put(document: jsonc.Document, into: jsonc.Node, members: dict[str, Any]) -> list[Change]:
    """Set members that are absent or null."""
    present = {key: into.get(key) for key in members}
    changes = [edit.replace(document, node, members[key]) for key, node in present.items() if node]
    absent = [(key, members[key]) for key, node in present.items() if not node]
    return [*changes, *(edit.insert(document, into, absent) if absent else [])]


def _without(document: jsonc.Document, found: list[Entry]) -> Iterator[Change]:
    """Remove entries, with the outermost containers that would hold nothing else."""
    doomed: dict[int, tuple[jsonc.Node, set[int]]] = {}
    for path in _outermost(document, [entry.path for entry in found]):
        container, index = path[-1]
        doomed.setdefault(container.start, (container, set()))[1].add(index)
    for container, indices in doomed.values():
        yield from edit.remove(document, container, indices)


def _outermost(document: jsonc.Document, paths: list[Steps]) -> list[Steps]:
    """The ways to what has to go, with a container in the place of all that it holds."""
    for depth in range(max(map(len, paths), default=0), 1, -1):
        together: dict[int, list[Steps]] = {}
        for path in paths:
            if len(path) == depth:
                together.setdefault(path[-1][0].start, []).append(path)
        paths = [path for path in paths if len(path) != depth]
        for siblings in together.values():
            container, (outer, position) = siblings[0][-1][0], siblings[0][-2]
            stray = document.has_comment(outer.items[position], besides=container.items)
            holds_more = stray or len(siblings) < len(container.items)
            paths += siblings if holds_more else [siblings[0][:-1]]
    return paths


def _handlers(document: jsonc.Document) -> Iterator[Entry]:
    hooks = _child(document, document.root, "hooks", "object")
    if hooks is None:
        return
    top = (document.root, document.root.keys.index("hooks"))
    for number, event in enumerate(hooks.keys):
        listed = _child(document, hooks, event, "array")
        if listed is None:
            continue
        for index, item in enumerate(listed.items):
            path = (top, (hooks, number), (listed, index))
            yield from _in_item(event, item, path)


def _in_item(event: str, item: jsonc.Node, path: Steps) -> Iterator[Entry]:
    """The handlers of a list's item, which hosts accept in either shape."""
    if item.kind != "object":
        return
    matcher = item.get("matcher")
    named = str(matcher.value or "") if matcher else ""
    inner = item.get("hooks")
    if inner is None or inner.kind != "array":
        yield Entry(event, named, item, path)
        return
    for index, handler in enumerate(inner.items):
        if handler.kind == "object":
            yield Entry(event, named, handler, (*path, (inner, index)))


def _is_ours(handler: dict[str, Any], hooks: Path) -> bool:
    return any(commands.is_ours(handler.get(key), hooks) for key in _HANDLER_KEYS)


def _child(document: jsonc.Document, node: jsonc.Node, key: str, kind: str) -> "jsonc.Node | None":
    """The member ``key``, which must be of ``kind``; ``None`` when it is absent or null."""
    if node.kind != "object":
        raise Refused(f"line {document.line(node)}: not an object")
    if node.keys.count(key) > 1:
        again = [item for name, item in zip(node.keys, node.items, strict=True) if name == key][1]
        raise Refused(f"line {document.line(again)}: {key!r} is there twice")
    found = node.get(key)
    if found is None or (found.kind == "scalar" and found.value is None):
        return None
    if found.kind != kind:
        raise Refused(f"line {document.line(found)}: {key!r} is not an {kind}")
    return found
