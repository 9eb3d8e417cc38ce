"""Files that an editor passes over as a whole, so that nothing in them counts.

What the editors forgive was tried with Claude Code 2.1.112 and 2.1.332 and Copilot CLI 1.0.102.
"""

import shlex
from collections.abc import Iterator

from session_memory.core.guard import SWITCH
from session_memory.doctor import handlers
from session_memory.doctor.finding import Finding, Level
from session_memory.editors.json_files import UNREADABLE, JsonFile, member
from session_memory.editors.locations import (
    CLAUDE,
    COPILOT,
    HOSTS,
    LOCAL_SETTINGS,
    SETTINGS,
    Source,
)
from session_memory.editors.surroundings import DISTRIBUTION

CHECK = "registrations"

# Claude Code 2.1.112 knows the first, 2.1.332 all of them.
_OLD_EVENTS = frozenset(
    (
        *("PreToolUse", "PostToolUse", "PostToolUseFailure", "Notification", "UserPromptSubmit"),
        *("SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop"),
        *("PreCompact", "PostCompact", "PermissionRequest", "PermissionDenied", "Setup"),
        *("TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult"),
        *("ConfigChange", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged"),
        "FileChanged",
    )
)
_NEW_EVENTS = frozenset(
    (
        *("PostToolBatch", "UserPromptExpansion", "MessageDisplay", "PreModelSwitch"),
        *("PostModelSwitch", "DirectoryAdded", "PreSkillShellCommand"),
    )
)
_HANDLER_TYPES = ("command", "prompt", "agent", "http", "mcp_tool")
_MAX_EVENTS = 10
_MAX_NAME = 80
_JSON = "correct the file; this shows the place: python3 -m json.tool {}"
_CLOSED = "make it a file of yours that can be read: ls -ld {}"


def check(source: Source, file: JsonFile, matters: bool) -> Iterator[Finding]:
    """What is wrong with the form of ``file``: a fault if it ``matters`` to our hooks."""
    level = Level.FAULT if matters else Level.WARNING
    where = str(file.path)
    if file.fault:
        why = f"{_readers(source)} over the whole file, with every hook and switch in it."
        mend = (_CLOSED if file.fault == UNREADABLE else _JSON).format(shlex.quote(where))
        what = f"A settings file is broken: {file.fault}."
        yield Finding(CHECK, level, what, why, mend, where)
    elif CLAUDE in source.readers:
        fault = strange_part(file.value)
        if fault:
            what = f"A settings file is not as Claude Code wants it: {fault}."
            why = "Claude Code 2.1.112 passes over the whole file for it, 2.1.332 over that part."
            yield Finding(CHECK, level, what, why, "correct or remove it", where)
    if _has_strange_version(source, file):
        what = "The version of a hook file is not 1."
        why = "Copilot CLI passes over the whole file for it."
        yield Finding(CHECK, level, what, why, 'write "version": 1', where)
    if file.bom and COPILOT in source.readers:
        what = "A settings file begins with a byte order mark."
        why = "Copilot CLI passes over the whole file for it."
        only = level if CLAUDE not in source.readers else Level.WARNING
        yield Finding(CHECK, only, what, why, "save it as UTF-8 without BOM", where)


def is_ignored(source: Source, file: JsonFile, host: str) -> bool:
    """Whether ``host`` surely passes over the file, whatever it holds."""
    for_copilot = file.bom or _has_strange_version(source, file)
    return bool(file.fault) or (for_copilot and host == COPILOT and host in source.readers)


def _has_strange_version(source: Source, file: JsonFile) -> bool:
    """Whether a hook file, which settings and plugins are not, is of a version nobody knows."""
    if CLAUDE in source.readers or source.plugin or source.path.name in (SETTINGS, LOCAL_SETTINGS):
        return False
    version = file.value.get("version", 1)
    return isinstance(version, bool) or version != 1


def is_about_us(source: Source, file: JsonFile) -> bool:
    """Whether a file, broken or not, registers, enables or switches our hooks."""
    named = DISTRIBUTION in file.text or SWITCH in file.text or "disableAllHooks" in file.text
    return bool(source.plugin) or named or handlers.mentions(file.text)


def events(source: Source, file: JsonFile) -> Iterator[Finding]:
    """Events of a plugin for which some releases of Claude Code drop all of its hooks."""
    if CLAUDE not in source.readers or not source.plugin:
        return
    why = "Claude Code up to 2.1.197 drops every hook of a plugin with an event it does not know."
    for event in sorted(member(file.value, "hooks").keys() - _OLD_EVENTS)[:_MAX_EVENTS]:
        known = event in _NEW_EVENTS
        whose = "every" if known else "any"
        yield Finding(
            CHECK,
            Level.NOTE if known else Level.WARNING,
            f"{event[:_MAX_NAME]} is no event that {whose} Claude Code knows.",
            why,
            "update Claude Code, or take the event out" if known else "correct the event's name",
            str(file.path),
        )


def strange_part(settings: dict[str, object]) -> str:
    """What in the hooks, or the variables, has another form than Claude Code documents."""
    env, hooks = settings.get("env"), settings.get("hooks")
    if not isinstance(env, dict | None):
        return "env is no object"
    if not isinstance(hooks, dict | None):
        return "hooks is no object"
    for event, groups in (hooks or {}).items():
        name = f"hooks.{event[:_MAX_NAME]}"
        if not isinstance(groups, list):
            return f"{name} is no list"
        for number, group in enumerate(groups):
            fault = _strange_group(group)
            if fault:
                return f"{name}[{number}] {fault}"
    return ""


def _strange_group(group: object) -> str:
    if not isinstance(group, dict):
        return "is no object"
    if not isinstance(group.get("matcher", ""), str):
        return "has a matcher that is no text"
    inner = group.get("hooks")
    if not isinstance(inner, list):
        return "has no list of hooks"
    return next(filter(None, map(_strange_handler, inner)), "")


def _strange_handler(handler: object) -> str:
    if not isinstance(handler, dict):
        return "has a hook that is no object"
    if handler.get("type") not in _HANDLER_TYPES:
        return "has a hook of no known type"
    if handler["type"] == "command" and not isinstance(handler.get("command"), str):
        return "has a command that is no text"
    timeout = handler.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        return "has a hook with a timeout that is no number"
    return ""


def _readers(source: Source) -> str:
    names = [HOSTS[host] for host in source.readers]
    return f"{' and '.join(names)} {'passes' if len(names) == 1 else 'pass'}"
