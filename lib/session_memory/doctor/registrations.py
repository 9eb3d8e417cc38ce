"""Which hooks are registered for this user and this repository."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import file_faults, handlers, switches
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.handlers import Handler
from session_memory.editors import json_files, plugins
from session_memory.editors.claude_settings import ClaudeSettings
from session_memory.editors.json_files import JsonFile
from session_memory.editors.locations import CLAUDE, COPILOT, HOSTS, Source, settings_files
from session_memory.editors.plugins import Plugin
from session_memory.editors.surroundings import DISTRIBUTION, Surroundings
from session_memory.events.post_tool_use import EDIT_TOOLS, QUESTION_TOOLS

CHECK = "registrations"

# Enough for any user; a hostile file may hold a hundred thousand.
_MAX_HANDLERS = 200


@dataclass(frozen=True)
class Registered:
    """What one file registers for one host."""

    host: str
    source: Source
    entries: tuple[str, ...]


class Registry:
    """Everything that the editors would read here."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.claude = ClaudeSettings.of(around)
        self.off = switches.off(around, self.claude)

    @cached_property
    def plugins(self) -> list[Plugin]:
        """The plugins of ours, also those that are switched off."""
        return plugins.installed(self.around)

    @cached_property
    def files(self) -> list[tuple[Source, JsonFile]]:
        """Every file that exists, with its content."""
        active = [plugin.source for plugin in self.plugins if plugin.enabled]
        sources = [*settings_files(self.around), *active]
        found = [(source, json_files.read(source.path, source.comments)) for source in sources]
        return [(source, file) for source, file in found if file.exists]

    @cached_property
    def handlers(self) -> list[Handler]:
        """Every hook of ours in them."""
        found = (handler for source, file in self.files for handler in handlers.ours(source, file))
        return list(islice(found, _MAX_HANDLERS))

    @cached_property
    def ignored(self) -> list[tuple[str, Source]]:
        """The files that a host passes over as a whole, since they are broken."""
        return [
            (host, source)
            for source, file in self.files
            for host in source.readers
            if file_faults.is_ignored(source, file, host)
        ]

    def of(self, host: str) -> list[Handler]:
        """The hooks that ``host`` runs."""
        return [handler for handler in self.handlers if self._runs(host, handler.source)]

    def _runs(self, host: str, source: Source) -> bool:
        passed_over = (host, source) in self.ignored or source in self.switched_off
        stopped = any(one.host == host and one.holds_for(source) for one in self.off)
        return host in source.readers and not passed_over and not stopped

    @cached_property
    def switched_off(self) -> list[Source]:
        """The files of Copilot CLI that switch off no hooks but their own."""
        return [
            source
            for source, file in self.files
            if CLAUDE not in source.readers and file.value.get("disableAllHooks") is True
        ]

    @cached_property
    def active(self) -> list[Registered]:
        """What runs for whom, file by file."""
        found: dict[tuple[str, Source], list[str]] = {}
        for host in HOSTS:
            for handler in self.of(host):
                found.setdefault((host, handler.source), []).append(handler.entry)
        return [
            Registered(host, source, tuple(dict.fromkeys(entries)))
            for (host, source), entries in found.items()
        ]


def broken(registry: Registry) -> Iterator[Finding]:
    """What explains the rest: no home, and files that an editor passes over."""
    home = registry.around.home
    if not home.is_dir():
        what = f"HOME is {home}, which is no folder."
        why = "Nobody finds any settings of the user there."
        yield Finding(CHECK, Level.FAULT, what, why, "set HOME to your folder", str(home))
    for source, file in registry.files:
        matters = not registry.active or file_faults.is_about_us(source, file)
        yield from file_faults.check(source, file, matters)


def check(registry: Registry) -> Iterator[Finding]:
    """What is registered for each host, and what is missing."""
    if not (registry.handlers or registry.ignored or registry.plugins):
        yield _nothing(registry)
    for plugin in registry.plugins:
        yield from _plugin(plugin, registry)
    for file in registry.active:
        events = ", ".join(EVENT_NAMES[entry] for entry in file.entries)
        what = f"{HOSTS[file.host]} runs {events}."
        yield Finding(CHECK, Level.OK, what, where=str(file.source.path))
    for host in HOSTS:
        yield from _gaps(host, registry.of(host))
    yield from _switched_off(registry)


def _nothing(registry: Registry) -> Finding:
    return Finding(
        CHECK,
        Level.WARNING,
        "No editor runs these hooks here.",
        "No settings file and no plugin registers them.",
        "session-memory install --host claude (or copilot, vscode)",
        str(registry.around.project),
    )


def _plugin(plugin: Plugin, registry: Registry) -> Iterator[Finding]:
    host, around = HOSTS[plugin.host], registry.around
    unknown = any(reader == plugin.host for reader, _ in registry.ignored)
    if not plugin.enabled and not unknown:
        yield Finding(
            CHECK,
            Level.NOTE if registry.handlers else Level.WARNING,
            f"The plugin {plugin.name} is installed in {host} but switched off.",
            mend=f"{_command(plugin)} plugin enable {plugin.name}",
            where=str(plugin.where),
        )
    elif plugin.enabled and not os.path.isfile(plugin.source.path):
        yield Finding(
            CHECK,
            Level.FAULT,
            f"The plugin {plugin.name} of {host} has no hooks at {around.shown(plugin.root)}.",
            f"{host} passes over it, so none of its hooks run.",
            _again(plugin),
            str(plugin.where),
        )


def _command(plugin: Plugin) -> str:
    return "copilot" if plugin.host == COPILOT else "claude"


def _again(plugin: Plugin) -> str:
    """How to install a plugin whose folder is gone.

    From a marketplace that is gone as well, which is what a clone that was moved comes to, neither
    client installs anything; removing the marketplace removes the plugin.
    """
    command, market = f"{_command(plugin)} plugin", plugin.name.partition("@")[2]
    if not market:
        return f"{command} uninstall {plugin.name}, then install it again"
    return (
        f"with the path where the clone is now: {command} marketplace remove {market}"
        f" && {command} marketplace add /path/to/{DISTRIBUTION}"
        f" && {command} install {plugin.name}"
    )


def _gaps(host: str, found: list[Handler]) -> Iterator[Finding]:
    """Events, or tools of an event, that a host registered elsewhere is not asked to report."""
    if not found:
        return
    entries = {handler.entry for handler in found}
    for entry in EVENT_NAMES.keys() - entries:
        yield _gap(host, EVENT_NAMES[entry], found[0], "Nothing happens at that event.")
    tools = {
        tool
        for handler in found
        if handler.entry == "post_tool_use"
        for tool in handler.tools(host)
    }
    if tools and not tools & QUESTION_TOOLS:
        yield _gap(
            host, "PostToolUse of questions", found[0], "Questions are not logged.", "SMC-21"
        )
    if tools and not tools & EDIT_TOOLS:
        yield _gap(host, "PostToolUse of edits", found[0], "Edits are not watched.", "SMC-12")


def _gap(host: str, event: str, example: Handler, why: str, row: str = "") -> Finding:
    return Finding(
        CHECK,
        Level.NOTE,
        f"{event} is not registered for {HOSTS[host]}, which has other hooks of ours.",
        why,
        f"session-memory install --host {host}",
        str(example.source.path),
        row,
    )


def _switched_off(registry: Registry) -> Iterator[Finding]:
    for source in registry.switched_off:
        yield Finding(
            CHECK,
            Level.WARNING,
            "The hooks of this file are switched off by disableAllHooks.",
            "Those of this bundle that it registers do not run either.",
            "remove disableAllHooks, or set it to false",
            str(source.path),
        )
