"""What is wrong inside a file that registers hooks: its form, its events, its commands."""

import os
import re
import shutil
from collections.abc import Iterator

from session_memory.core.deadline import BUDGET_S
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import handlers
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.json_files import JsonFile, member
from session_memory.editors.locations import CLAUDE, COPILOT, HOSTS, Source

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
# Also spelled userPromptSubmitted by Copilot CLI.
_ANSWERED = {entry: {name.lower(), name.lower() + "ted"} for entry, name in EVENT_NAMES.items()}
_MAX_EVENTS = 10
_MAX_NAME = 80
_ROOT_VARIABLE = re.compile(r"\$\{?(?:CLAUDE_|COPILOT_)?PLUGIN_ROOT")


def check(registry: Registry) -> Iterator[Finding]:
    """The faults of every file, then of every command of ours."""
    for source, file in registry.files:
        yield from _form(source, file)
        if CLAUDE in source.readers and any(handlers.ours(source, file)):
            yield from _events(file)
    for handler in registry.handlers:
        yield from _wrong_event(handler)
        yield from _time(handler)
        yield from _matcher(handler)
        yield from _command(handler, registry)


def _form(source: Source, file: JsonFile) -> Iterator[Finding]:
    where = str(file.path)
    if file.fault:
        level = Level.FAULT if source.plugin or handlers.mentions(file.text) else Level.WARNING
        why = "The editor passes over the whole file, with every hook in it."
        mend = "correct the file; python3 -m json.tool FILE shows the place"
        yield Finding(CHECK, level, f"A settings file is broken: {file.fault}.", why, mend, where)
    if file.bom:
        what = "A settings file begins with a byte order mark."
        why = "Strict readers take the whole file for broken JSON."
        mend = "save it as UTF-8 without BOM"
        yield Finding(CHECK, Level.WARNING, what, why, mend, where)


def _events(file: JsonFile) -> Iterator[Finding]:
    why = "Claude Code up to 2.1.197 drops every hook of a file that has an event it does not know."
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


def _wrong_event(handler: Handler) -> Iterator[Finding]:
    if handler.event.lower() not in _ANSWERED[handler.entry]:
        right, named = EVENT_NAMES[handler.entry], handler.event[:_MAX_NAME]
        yield Finding(
            CHECK,
            Level.FAULT,
            f"{handler.entry} is registered for {named}, which it does not answer.",
            f"It does its work at {right} only.",
            f"register it for {right}",
            str(handler.source.path),
        )


def _time(handler: Handler) -> Iterator[Finding]:
    given, needed = handler.timeout, BUDGET_S[handler.entry]
    where, event = str(handler.source.path), handler.event
    mend = f'set "timeout" to {needed + 12:.0f} (seconds), or remove it'
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        what = f"The timeout of {event} is not a number."
        why = "Claude Code drops such a hook."
        yield Finding(CHECK, Level.FAULT, what, why, mend, where)
    elif given < needed:
        what = f"The timeout of {event} is {max(given, 0):g} s, but the hook may take {needed:g} s."
        why = "The editor ends it before it can give up in good order, and its context is lost."
        yield Finding(CHECK, Level.WARNING, what, why, mend, where)


def _matcher(handler: Handler) -> Iterator[Finding]:
    host = CLAUDE if CLAUDE in handler.source.readers else COPILOT
    if handler.entry == "post_tool_use" and not handler.tools(host):
        shown = repr(handler.matcher)[:_MAX_NAME]
        yield Finding(
            CHECK,
            Level.WARNING,
            f"The matcher {shown} fits none of the tools that the hook is for.",
            "Upper and lower case count. The hook never runs.",
            'use "^(Edit|Write|MultiEdit|AskUserQuestion)$"',
            str(handler.source.path),
        )


def _command(handler: Handler, registry: Registry) -> Iterator[Finding]:
    around = registry.around
    where = str(handler.source.path)
    if handler.in_shell and _is_unquoted(handler.command):
        spaces = handler.source.plugin is not None and " " in str(handler.source.plugin)
        what = f"The command of {handler.event} has the plugin's folder outside quotes."
        why = (
            "The folder has a blank in its name, so the command is torn apart there."
            if spaces
            else ("It fails as soon as the folder has a blank in its name.")
        )
        mend = 'write "${CLAUDE_PLUGIN_ROOT}/hooks/run", in double quotes'
        yield Finding(CHECK, Level.FAULT if spaces else Level.WARNING, what, why, mend, where)
        return
    script = handler.expand(handler.script, around.project, around.home)
    if script and "$" not in script:
        yield from _script(handler, script)
    python = handler.expand(handler.interpreter, around.project, around.home)
    if python and "$" not in python:
        yield from _interpreter(handler, python, around.environ.get("PATH", ""))


def _script(handler: Handler, script: str) -> Iterator[Finding]:
    where = str(handler.source.path)
    host = next(iter(handler.source.readers))
    again = f"session-memory install --host {host}"
    if not os.path.isabs(script):
        torn = _torn(handler, script)
        if torn:
            what = f"The command of {handler.event} has a blank outside quotes, in {torn}."
            why = "The shell tears the path apart there, and the hook never runs."
            yield Finding(CHECK, Level.FAULT, what, why, f"quote the path, or: {again}", where)
            return
        what = f"The command of {handler.event} has a relative path, {script}."
        why = "It is lost as soon as the agent changes its folder."
        yield Finding(CHECK, Level.WARNING, what, why, again, where)
    elif not os.path.isfile(script):
        what = f"The command of {handler.event} runs {script}, which is not there."
        why = f"{HOSTS[host]} goes on without the hook and says nothing."
        yield Finding(CHECK, Level.FAULT, what, why, again, where)


def _torn(handler: Handler, script: str) -> str:
    """The whole path of which ``script`` is the last part, when a blank cut it."""
    start = handler.command.find("/")
    end = handler.command.find(script) + len(script)
    whole = handler.command[start:end]
    return whole if " " in whole and os.path.isfile(whole) else ""


def _interpreter(handler: Handler, python: str, path: str) -> Iterator[Finding]:
    found = shutil.which(python, path=path)
    if found is None:
        yield Finding(
            CHECK,
            Level.FAULT,
            f"The command of {handler.event} starts {python}, which is not there.",
            "The hook never runs; the editor goes on and says nothing.",
            f"session-memory install --host {next(iter(handler.source.readers))}",
            str(handler.source.path),
        )


def _is_unquoted(command: str) -> bool:
    return any(
        _open_quote(command[: match.start()]) != '"' for match in _ROOT_VARIABLE.finditer(command)
    )


def _open_quote(text: str) -> str:
    """The quote that is open at the end of ``text``; ``""`` when none is."""
    quote = ""
    escaped = False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif character in ('"', "'") and quote in ("", character):
            quote = "" if quote else character
    return quote
