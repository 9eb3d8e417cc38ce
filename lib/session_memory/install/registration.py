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
from session_memory.install.place import FLAT, GROUPED, Refused

# Seconds, as in the plugin's registrations, beyond the deadline that a hook sets itself.
TIMEOUT_S = {"SessionStart": 20, "UserPromptSubmit": 25, "PostToolUse": 20}
_ALL = "^(" + "|".join(sorted(EDIT_TOOLS | QUESTION_TOOLS)) + ")$"
MATCHERS = {GROUPED: ("^(Edit|Write|MultiEdit)$", "^AskUserQuestion$"), FLAT: (_ALL,)}

# A new file, before anything is added.
EMPTY = {GROUPED: "{}\n", FLAT: '{\n  "version": 1\n}\n'}

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
    path: tuple[tuple[jsonc.Node, int], ...]

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
    missing = list(all_wanted)
    while True:
        document = jsonc.parse(text)
        changed = _correct(document, hooks, missing := list(all_wanted))
        if changed is None:
            break
        text = changed
    for one in missing:
        text = _append(text, shape, one)
    return text


def strip(text: str, hooks: Path) -> str:
    """The text without any entry of ours, and without the containers that this leaves empty."""
    while True:
        document = jsonc.parse(text)
        found = entries(document, hooks)
        if not found:
            return text
        text = _take_out(document, found[0])


def is_empty(text: str) -> bool:
    """Whether a file holds nothing but what :data:`EMPTY` has."""
    document = jsonc.parse(text)
    root = document.root
    bare = root.kind == "object" and set(root.keys) <= {"version"}
    return bare and not document.comments


def _correct(document: jsonc.Document, hooks: Path, missing: list[Wanted]) -> "str | None":
    """The text with the first wrong entry of ours put right, and what is there off ``missing``.

    ``None`` when all that is there is right.
    """
    for entry in entries(document, hooks):
        at = (entry.event, entry.matcher)
        match = next((one for one in missing if (one.event, one.matcher) == at), None)
        if match is None:
            return _take_out(document, entry)
        if entry.node.plain() != match.handler:
            return edit.replace(document, entry.node, match.handler)
        missing.remove(match)
    return None


def _append(text: str, shape: str, one: Wanted) -> str:
    """Add an entry, together with the containers that it needs."""
    item: dict[str, Any] = one.handler
    if shape == GROUPED:
        item = {**({"matcher": one.matcher} if one.matcher else {}), "hooks": [one.handler]}
    document = jsonc.parse(text)
    hooks = _child(document, document.root, "hooks", "object")
    if hooks is None:
        return _put(document, document.root, "hooks", {one.event: [item]})
    event = _child(document, hooks, one.event, "array")
    if event is None:
        return _put(document, hooks, one.event, [item])
    return edit.insert(document, event, None, item)


def _put(document: jsonc.Document, into: jsonc.Node, key: str, value: Any) -> str:
    """Set a member that is absent or null."""
    present = into.get(key)
    if present is not None:
        return edit.replace(document, present, value)
    return edit.insert(document, into, key, value)


def _take_out(document: jsonc.Document, entry: Entry) -> str:
    """Remove an entry, with the outermost container that would hold nothing else."""
    *outside, (container, index) = entry.path
    while outside and len(container.items) == 1:
        outer, position = outside[-1]
        if document.has_comment(outer.items[position], besides=container.items[index]):
            break
        container, index = outside.pop()
    return edit.remove(document, container, index)


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


def _in_item(
    event: str, item: jsonc.Node, path: tuple[tuple[jsonc.Node, int], ...]
) -> Iterator[Entry]:
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
