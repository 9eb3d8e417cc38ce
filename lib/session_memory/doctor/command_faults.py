"""What is wrong with the commands that are registered: event, time, matcher, paths, interpreter.

The same fault of several commands is told once, with all the places.
"""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory import library
from session_memory.core.deadline import BUDGET_S
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import file_faults, matchers
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.locations import CLAUDE, COPILOT, HOSTS
from session_memory.editors.surroundings import Surroundings
from session_memory.library import Library

# Copilot CLI's own names, which VS Code takes too. No client overlooks the case of a letter.
_COPILOT_NAMES = {
    "session_start": "sessionStart",
    "user_prompt_submit": "userPromptSubmitted",
    "post_tool_use": "postToolUse",
}
_MAX_NAME = 80
_ROOT_VARIABLE = re.compile(r"\$\{?(?:CLAUDE_|COPILOT_)?PLUGIN_ROOT")


@dataclass(frozen=True)
class Fault:
    """What is wrong with a command, apart from where; ``what`` begins a sentence."""

    level: Level
    what: str
    why: str
    mend: str


def check(registry: Registry) -> Iterator[Finding]:
    """The faults of every command of ours, those first that are the same for many."""
    for source, file in registry.files:
        yield from file_faults.events(source, file)
    found: dict[Fault, list[Handler]] = {}
    for handler in registry.handlers:
        for fault in _faults(handler, registry.around):
            found.setdefault(fault, []).append(handler)
    for fault, handlers in found.items():
        yield _finding(fault, handlers, registry.around)


def _finding(fault: Fault, handlers: list[Handler], around: Surroundings) -> Finding:
    events: dict[str, list[str]] = {}
    for handler in handlers:
        events.setdefault(around.shown(handler.source.path), []).append(handler.event[:_MAX_NAME])
    named = [f"{', '.join(dict.fromkeys(names))} in {path}" for path, names in events.items()]
    what = f"{fault.what} ({'; '.join(named)})."
    where = str(handlers[0].source.path)
    return Finding(CHECK, fault.level, what, fault.why, fault.mend, where)


def _faults(handler: Handler, around: Surroundings) -> Iterator[Fault]:
    yield from _wrong_event(handler)
    yield from _type(handler)
    yield from _time(handler)
    yield from _matcher(handler)
    yield from _command(handler, around)


def _wrong_event(handler: Handler) -> Iterator[Fault]:
    right, other = EVENT_NAMES[handler.entry], _COPILOT_NAMES[handler.entry]
    mend = f"register it for {right}"
    if handler.event.lower() not in (right.lower(), other.lower()):
        what = f"{handler.entry} is registered for an event that it does not answer"
        why = f"It does its work at {right} only."
        yield Fault(Level.FAULT, what, why, mend)
        return
    names = {host: (right,) if host == CLAUDE else (right, other) for host in HOSTS}
    deaf = [host for host in handler.source.readers if handler.event not in names[host]]
    if deaf:
        level = Level.FAULT if len(deaf) == len(handler.source.readers) else Level.WARNING
        what = f"{' and '.join(HOSTS[host] for host in deaf)} knows no event of this name"
        yield Fault(level, what, "Upper and lower case count. The hook never runs there.", mend)


def _type(handler: Handler) -> Iterator[Fault]:
    # Of the files that Claude Code reads, that is told with all else about their form.
    if handler.kind != "command" and CLAUDE not in handler.source.readers:
        what = "A registered command has no type that Copilot CLI takes"
        why = "Copilot CLI skips it and says so in its log only."
        yield Fault(Level.FAULT, what, why, 'set "type" to "command"')


def _time(handler: Handler) -> Iterator[Fault]:
    given, needed = handler.timeout, BUDGET_S[handler.entry]
    if isinstance(given, int | float) and given < needed:
        what = f"A timeout is {max(given, 0):g} s, but the hook may take {needed:g} s"
        why = "The editor ends it before it can give up in good order, and its context is lost."
        mend = f'set "timeout" to {needed + 12:.0f} (seconds), or remove it'
        yield Fault(Level.WARNING, what, why, mend)


def _matcher(handler: Handler) -> Iterator[Fault]:
    host = CLAUDE if CLAUDE in handler.source.readers else COPILOT
    if handler.entry != "post_tool_use":
        return
    shown = repr(handler.matcher)[:_MAX_NAME]
    mend = 'use "^(Edit|Write|MultiEdit|AskUserQuestion)$"'
    if not handler.tools(host):
        what = f"The matcher {shown} fits none of the tools that the hook is for"
        why = "Upper and lower case count. The hook never runs."
        yield Fault(Level.WARNING, what, why, mend)
    elif isinstance(handler.matcher, str) and not matchers.is_known(handler.matcher):
        what = f"The matcher {shown} is too involved to be tried"
        yield Fault(Level.NOTE, what, "Which tools it fits is not known.", mend)


def _command(handler: Handler, around: Surroundings) -> Iterator[Fault]:
    if handler.in_shell and _is_unquoted(handler.command):
        yield _unquoted(handler)
        return
    script = handler.expand(handler.script, around.project, around.home)
    if script and "$" not in script:
        yield from _script(handler, script)
    python = handler.expand(handler.interpreter, around.project, around.home)
    if python and "$" not in python and not shutil.which(python, path=around.environ.get("PATH")):
        what = f"A registered command starts {python}, which is not there"
        why = "The hooks never run; the editor goes on and says nothing."
        yield Fault(Level.FAULT, what, why, _again(handler))


def _unquoted(handler: Handler) -> Fault:
    what = "A registered command has the plugin's folder outside quotes"
    mend = 'write "${CLAUDE_PLUGIN_ROOT}/hooks/run", in double quotes'
    if handler.source.plugin and " " in str(handler.source.plugin):
        why = "The folder has a blank in its name, so the command is torn apart there."
        return Fault(Level.FAULT, what, why, mend)
    why = "It fails as soon as the folder has a blank in its name."
    return Fault(Level.WARNING, what, why, mend)


def _script(handler: Handler, script: str) -> Iterator[Fault]:
    again = _again(handler)
    torn = _torn(handler, script) if not os.path.isabs(script) else ""
    if torn:
        what = f"A registered command has a blank outside quotes, in {torn}"
        why = "The shell tears the path apart there, and the hook never runs."
        yield Fault(Level.FAULT, what, why, f"quote the path, or: {again}")
    elif not os.path.isabs(script):
        what = f"A registered command has a relative path, {script}"
        why = "It is lost as soon as the agent changes its folder."
        yield Fault(Level.WARNING, what, why, again)
    elif not os.path.isfile(script):
        what, mend = _missing(Path(script), again)
        why = "The editor goes on without the hooks and says nothing."
        yield Fault(Level.FAULT, what, why, mend)


def _missing(script: Path, again: str) -> tuple[str, str]:
    """What is not there, and what brings it back: an installation that is not whole cannot."""
    hooks, own = script.parent, library.locate()
    mend = Library.at(hooks).mend([script]) if hooks.is_dir() or hooks == own.hooks else again
    if hooks.is_dir():
        return f"A registered command runs {script}, which is not there", mend
    return f"Registered commands run what lies in {hooks}, which is not there", mend


def _again(handler: Handler) -> str:
    return f"session-memory install --host {handler.source.readers[0]}"


def _torn(handler: Handler, script: str) -> str:
    """The whole path of which ``script`` is the last part, when a blank cut it."""
    start = handler.command.find("/")
    end = handler.command.find(script) + len(script)
    whole = handler.command[start:end]
    return whole if " " in whole and os.path.isfile(whole) else ""


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
