"""Whether an editor has the hooks from the plugin as well."""

from pathlib import Path
from typing import Any

from session_memory.install import jsonc
from session_memory.install.locations import Surroundings

NAME = "session-memory-hooks"
_MAX_BYTES = 4 << 20
_CODE_FOLDERS = (".config", "Library/Application Support", "AppData/Roaming")
_CODE_PRODUCTS = ("Code", "Code - Insiders", "VSCodium", "Cursor")


def find(around: Surroundings, host: str) -> str:
    """Where the plugin of ``host`` is installed and enabled here; empty if it is not."""
    return {"claude": _in_claude, "copilot": _in_copilot, "vscode": _in_vscode}[host](around)


def _in_claude(around: Surroundings) -> str:
    listed = _read(around.claude / "plugins" / "installed_plugins.json").get("plugins")
    for name, installations in listed.items() if isinstance(listed, dict) else ():
        if not _is_ours(name) or not _claude_enables(around, name):
            continue
        for one in installations if isinstance(installations, list) else ():
            if isinstance(one, dict) and _applies(around, one):
                return str(one.get("installPath") or name)
    return ""


def _applies(around: Surroundings, installation: dict[str, Any]) -> bool:
    if installation.get("scope") not in ("project", "local"):
        return True
    return installation.get("projectPath") in (str(around.root), str(around.cwd))


def _claude_enables(around: Surroundings, name: str) -> bool:
    """The later of Claude Code's settings files decide."""
    enabled = False
    files = [around.claude / "settings.json"]
    files += [around.root / ".claude" / f for f in ("settings.json", "settings.local.json")]
    for path in files:
        enabled = bool(_members(_read(path), "enabledPlugins").get(name, enabled))
    return enabled


def _in_copilot(around: Surroundings) -> str:
    """From a marketplace it is a setting; a folder or repository installed directly is listed."""
    enabled = _members(_read(around.copilot / "settings.json"), "enabledPlugins")
    for name, on in enabled.items():
        if on and _is_ours(name):
            return str(name)
    listed = _read(around.copilot / "config.json").get("installedPlugins")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and _is_direct(one):
            return str(one.get("cache_path") or NAME)
    return ""


def _is_direct(one: dict[str, Any]) -> bool:
    named = one.get("name") == NAME and not one.get("marketplace")
    return named and bool(one.get("enabled", True))


def _in_vscode(around: Surroundings) -> str:
    for folder in _CODE_FOLDERS:
        for product in _CODE_PRODUCTS:
            base = around.home / folder / product / "agentPlugins" / "github.com"
            for path in sorted(base.glob(f"*/{NAME}/hooks.json")) if base.is_dir() else ():
                return str(path.parent)
    return ""


def _is_ours(name: object) -> bool:
    return isinstance(name, str) and name.partition("@")[0] == NAME


def _members(value: dict[str, Any], key: str) -> dict[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    """The object in a file of the editor's; empty if there is none that could be read."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return {}
        value = jsonc.parse(path.read_text(encoding="utf-8")).root.plain()
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
