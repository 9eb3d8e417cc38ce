"""Plugins of ours that an editor has installed: each host keeps its own books."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.doctor.json_files import member, read
from session_memory.doctor.locations import (
    CLAUDE,
    COPILOT,
    VSCODE,
    Source,
    claude_home,
    copilot_home,
)
from session_memory.doctor.surroundings import DISTRIBUTION, Surroundings

_MANIFESTS = ("plugin.json", ".github/plugin/plugin.json", ".claude-plugin/plugin.json")
_MARKETPLACES = (".claude-plugin/marketplace.json", ".github/plugin/marketplace.json")
_PRODUCTS = ("Code", "Code - Insiders", "VSCodium", "Cursor")


@dataclass(frozen=True)
class Plugin:
    """``where`` is the file that says that it is installed, ``name`` what its host calls it."""

    host: str
    name: str
    root: Path
    enabled: bool
    where: Path
    data: "Path | None" = None

    @property
    def source(self) -> Source:
        """The file that registers its hooks."""
        return Source((self.host,), self._hooks(), self.root, self.data, self.name)

    def _hooks(self) -> Path:
        claude = self.root / "hooks" / "hooks.json"
        if self.host == CLAUDE:
            return claude
        for name in _MANIFESTS:
            named = read(self.root / name).value.get("hooks")
            if isinstance(named, str):
                return self.root / named
        return self.root / "hooks.json" if os.path.exists(self.root / "hooks.json") else claude


def installed(around: Surroundings) -> list[Plugin]:
    """Every plugin of ours, also those that are switched off."""
    found = [*_claude(around), *_copilot(around), *_copilot_live(around), *_vscode(around)]
    # The same plugin in two scopes runs once.
    return list({(plugin.host, plugin.name, plugin.root): plugin for plugin in found}.values())


def _claude(around: Surroundings) -> Iterator[Plugin]:
    folder = claude_home(around)
    books = folder / "plugins" / "installed_plugins.json"
    enabled = _claude_enabled(around)
    for name, records in member(read(books).value, "plugins").items():
        if not _is_ours(name):
            continue
        data = folder / "plugins" / "data" / name.replace("@", "-")
        for record in records if isinstance(records, list) else [records]:
            if _is_for(record, around.project):
                root = _claude_live(folder, name) or Path(str(record["installPath"]))
                yield Plugin(CLAUDE, name, root, enabled.get(name) is True, books, data)


def _claude_live(folder: Path, name: str) -> "Path | None":
    """A plugin of a marketplace that is a folder is run from there; the copy is not used."""
    plugin, _, market = name.partition("@")
    known = member(read(folder / "plugins" / "known_marketplaces.json").value, market, "source")
    path = known.get("path")
    live = known.get("source") == "directory" and isinstance(path, str)
    return _listed(Path(str(path)), plugin) if live else None


def _claude_enabled(around: Surroundings) -> dict[str, Any]:
    """Local settings go before those of the project, and these before those of the user."""
    project = around.project / ".claude"
    files = (claude_home(around) / "settings.json", project / "settings.json")
    enabled: dict[str, Any] = {}
    for path in (*files, project / "settings.local.json"):
        enabled |= member(read(path).value, "enabledPlugins")
    return enabled


def _is_for(record: object, project: Path) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("installPath"), str):
        return False
    return record.get("projectPath") in (None, "", str(project))


def _copilot(around: Surroundings) -> Iterator[Plugin]:
    """Plugins that Copilot CLI has copied."""
    books = copilot_home(around) / "config.json"
    records = read(books, comments=True).value.get("installedPlugins")
    for record in records if isinstance(records, list) else []:
        if isinstance(record, dict) and _is_ours(str(record.get("name"))):
            root = Path(str(record.get("cache_path") or ""))
            market = str(record.get("marketplace") or "")
            data = copilot_home(around) / "plugin-data" / (market or "_direct") / root.name
            on = record.get("enabled") is not False
            yield Plugin(COPILOT, str(record["name"]), root, on, books, data)


def _copilot_live(around: Surroundings) -> Iterator[Plugin]:
    """Plugins of a marketplace that is a folder, which are loaded from there."""
    home = copilot_home(around)
    books = home / "settings.json"
    settings = read(books).value
    for name, on in member(settings, "enabledPlugins").items():
        plugin, _, market = name.partition("@")
        path = member(settings, "extraKnownMarketplaces", market, "source").get("path")
        if _is_ours(name) and isinstance(path, str):
            root = _listed(Path(path), plugin)
            yield Plugin(
                COPILOT, name, root, on is True, books, home / "plugin-data" / market / plugin
            )


def _listed(market: Path, plugin: str) -> Path:
    for name in _MARKETPLACES:
        listed = read(market / name).value.get("plugins")
        for item in listed if isinstance(listed, list) else []:
            if isinstance(item, dict) and item.get("name") == plugin:
                source = item.get("source")
                return market / source if isinstance(source, str) else market
    return market


def _vscode(around: Surroundings) -> Iterator[Plugin]:
    for base in _vscode_bases(around):
        for product in _PRODUCTS:
            hub = base / product / "agentPlugins" / "github.com"
            for root in sorted(hub.glob(f"*/{DISTRIBUTION}")):
                yield Plugin(VSCODE, f"{root.parent.name}/{root.name}", root, True, root)


def _vscode_bases(around: Surroundings) -> list[Path]:
    named = [around.environ.get(name) for name in ("APPDATA", "XDG_CONFIG_HOME")]
    own = [around.home / ".config", around.home / "Library" / "Application Support"]
    return list(dict.fromkeys([*[Path(path) for path in named if path], *own]))


def _is_ours(name: str) -> bool:
    return name.partition("@")[0] == DISTRIBUTION
