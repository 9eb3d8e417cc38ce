"""Plugins of ours that an editor has installed: each host keeps its own books."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.editors.claude_settings import ClaudeSettings
from session_memory.editors.json_files import member, read
from session_memory.editors.locations import (
    CLAUDE,
    COPILOT,
    PROJECT,
    SETTINGS,
    USER,
    VSCODE,
    Source,
    claude_home,
    copilot_home,
)
from session_memory.editors.surroundings import DISTRIBUTION, Surroundings

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
    scope: str = USER

    @property
    def source(self) -> Source:
        """The file that registers its hooks."""
        path = self._hooks()
        return Source((self.host,), path, plugin=self.root, data=self.data, name=self.name)

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
    found = [*_claude(around), *_copilot_markets(around), *_copilot(around), *_vscode(around)]
    # The same plugin in two scopes runs once.
    return list({(plugin.host, plugin.name, plugin.root): plugin for plugin in found}.values())


def enabled(around: Surroundings, host: str) -> list[Plugin]:
    """The plugins of ours that ``host`` runs here."""
    return [plugin for plugin in installed(around) if plugin.host == host and plugin.enabled]


def _claude(around: Surroundings) -> Iterator[Plugin]:
    folder = claude_home(around)
    books = folder / "plugins" / "installed_plugins.json"
    settings = ClaudeSettings.of(around)
    for name, records in member(read(books).value, "plugins").items():
        if not _is_ours(name):
            continue
        data = folder / "plugins" / "data" / name.replace("@", "-")
        on = settings.setting("enabledPlugins", name).value is True
        for record in records if isinstance(records, list) else [records]:
            if _is_for(record, around):
                root = _claude_live(folder, name) or Path(str(record["installPath"]))
                scope = PROJECT if record.get("projectPath") else USER
                yield Plugin(CLAUDE, name, root, on, books, data, scope)


def _claude_live(folder: Path, name: str) -> "Path | None":
    """A plugin of a marketplace that is a folder is run from there; the copy is not used."""
    plugin, _, market = name.partition("@")
    known = member(read(folder / "plugins" / "known_marketplaces.json").value, market, "source")
    path = known.get("path")
    live = known.get("source") == "directory" and isinstance(path, str)
    return _listed(Path(str(path)), plugin) if live else None


def _is_for(record: object, around: Surroundings) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("installPath"), str):
        return False
    return record.get("projectPath") in (None, "", str(around.project), str(around.cwd))


def _copilot(around: Surroundings) -> Iterator[Plugin]:
    """Plugins that Copilot CLI has copied without a marketplace, or of one it does not name."""
    home = copilot_home(around)
    books = home / "config.json"
    listed = {plugin.name for plugin in _copilot_markets(around)}
    records = read(books, comments=True).value.get("installedPlugins")
    for record in records if isinstance(records, list) else []:
        if not isinstance(record, dict) or not _is_ours(str(record.get("name"))):
            continue
        market = str(record.get("marketplace") or "")
        name = f"{record['name']}@{market}" if market else str(record["name"])
        on = record.get("enabled") is not False
        root = Path(str(record.get("cache_path") or ""))
        data = home / "plugin-data" / (market or "_direct") / root.name
        if name not in listed:
            yield Plugin(COPILOT, name, root, on, books, data)


def _copilot_markets(around: Surroundings) -> Iterator[Plugin]:
    """Plugins of a marketplace; of one that is a folder, they are loaded from there."""
    home = copilot_home(around)
    books = home / SETTINGS
    settings = read(books, comments=True).value
    for name, on in member(settings, "enabledPlugins").items():
        plugin, _, market = name.partition("@")
        if _is_ours(name):
            path = member(settings, "extraKnownMarketplaces", market, "source").get("path")
            copy = home / "installed-plugins" / market / plugin
            root = _listed(Path(path), plugin) if isinstance(path, str) else copy
            data = home / "plugin-data" / market / plugin
            # One that was removed leaves its name behind, switched off.
            if on is True or root.exists():
                yield Plugin(COPILOT, name, root, on is True, books, data)


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
    folders = (".config", "Library/Application Support", "AppData/Roaming")
    own = [around.home / folder for folder in folders]
    return list(dict.fromkeys([*[Path(path) for path in named if path], *own]))


def _is_ours(name: str) -> bool:
    return name.partition("@")[0] == DISTRIBUTION
