"""What the reference commands remember of a worktree, in ``.copilot-tracking`` (SMC-22)."""

import json
from contextlib import suppress

from session_memory.core import document, ignore
from session_memory.core.folder import Folder
from session_memory.references.tree import Tree
from session_memory.yaml_text import YamlError, load

FOLDER = ".copilot-tracking"
STATE = "references-state.yml"
MANIFEST = "references-init.manifest"

SETUP_COMPLETE = "references_setup_complete"
NUDGE_DISMISSED = "references_nudge_dismissed"

_MAX_BYTES = 1 << 20


def read_state(tree: Tree) -> dict[str, bool]:
    """Both flags; a file that is missing or cannot be read has neither set."""
    try:
        known = load(_read(tree, STATE))
    except YamlError:
        known = None
    values = known if isinstance(known, dict) else {}
    return {key: values.get(key) is True for key in (SETUP_COMPLETE, NUDGE_DISMISSED)}


def change_state(tree: Tree, key: str, value: bool) -> None:
    """Set one flag. Raises :class:`OSError`."""
    flags = {**read_state(tree), key: value}
    _write(tree, STATE, "".join(f"{name}: {json.dumps(flags[name])}\n" for name in flags))


def read_manifest(tree: Tree) -> list[str]:
    """The files that runs of ``init`` have made, or were about to make."""
    try:
        created = json.loads(_read(tree, MANIFEST) or "{}").get("created")
    except (ValueError, AttributeError, RecursionError):
        created = None
    names = created if isinstance(created, list) else []
    return [name for name in names if isinstance(name, str)]


def write_manifest(tree: Tree, created: list[str]) -> None:
    """Replace the manifest. Raises :class:`OSError`."""
    _write(tree, MANIFEST, json.dumps({"created": sorted(set(created))}, indent=2) + "\n")


def remove_manifest(tree: Tree) -> None:
    """Forget what was made. Raises :class:`OSError`."""
    with suppress(FileNotFoundError):
        folder = Folder(tree.root, (FOLDER,), create=False)
        try:
            folder.remove(MANIFEST)
        finally:
            folder.close()


def _read(tree: Tree, name: str) -> str:
    return (tree.read(f"{FOLDER}/{name}", _MAX_BYTES) or b"").decode("utf-8-sig", "replace")


def _write(tree: Tree, name: str, text: str) -> None:
    folder = Folder(tree.root, (FOLDER,), create=True)
    try:
        if folder.created:
            ignore.hide(folder)
        document.replace(folder, name, text.encode())
    finally:
        folder.close()
