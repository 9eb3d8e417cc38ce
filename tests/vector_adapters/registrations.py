"""Area ``hooks-config``: what the registration files and manifests say, and where they look."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import ROOT
from vector_adapters import Operation, Workspace

FILES = {
    "hooks/hooks.json": ("hooks/hooks.json",),
    "hooks.json (Copilot)": ("hooks.json",),
    "plugin.json": (".github/plugin/plugin.json",),
    ".claude-plugin/plugin.json": (".claude-plugin/plugin.json",),
    "any": ("hooks/hooks.json", "hooks.json"),
}
FOUND = "found by the search"


def _check(row: dict[str, Any], workspace: Workspace) -> None:
    expected = row["expect"]
    if "product_dirs" in expected:
        _cache_search(expected, workspace)
        return
    if unknown := expected.keys() - CHECKS.keys():
        pytest.skip(f"not covered: hooks-config / {sorted(unknown)}")
    for name in FILES.get(row["given"]["file"], (row["given"]["file"],)):
        document = json.loads((ROOT / name).read_text(encoding="utf-8"))
        for key, value in expected.items():
            CHECKS[key](document, row["when"], value)


def _entries(document: Any, when: str) -> list[Any]:
    entries = document["hooks"].get(when.split(maxsplit=1)[0], [])
    assert isinstance(entries, list)
    return entries


def _keys(document: Any) -> set[str]:
    hooks = document.get("hooks")
    return {*document, *(hooks if isinstance(hooks, dict) else ())}


def _selects(entry: Any, matcher: str) -> bool:
    """Whether an entry fires for everything that ``matcher`` spells out; without one, for all."""
    own = entry.get("matcher") or ""
    names = [name for name in re.split(r"[|^$()]+", matcher) if name]
    return own in ("", "*") or all(re.search(own, name) for name in names)


def _has_matcher(document: Any, when: str, matcher: str) -> None:
    assert any(_selects(entry, matcher) for entry in _entries(document, when))


def _count(document: Any, when: str, count: int) -> None:
    """Entries that fire for the same thing would run the hook that many times."""
    matchers = {entry.get("matcher") for entry in _entries(document, when)}
    for matcher in matchers:
        same = [entry for entry in _entries(document, when) if _selects(entry, matcher or "")]
        assert len(same) == count
        assert all(len(entry.get("hooks", [entry])) == 1 for entry in same)


def _none_match(document: Any, when: str, names: str) -> None:
    for entry in _entries(document, when):
        assert not any(_selects(entry, name) for name in names.split("|"))


def _equals(document: Any, when: str, value: object) -> None:
    assert document.get(when.split(maxsplit=1)[0]) == value


def _absent(document: Any, _: str, names: list[str]) -> None:
    assert _keys(document).isdisjoint(names)


def _present(document: Any, _: str, names: list[str]) -> None:
    assert _keys(document).issuperset(names)


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "matcher": _has_matcher,
    "entries_with_matcher": _count,
    "entries": _count,
    "none_match": _none_match,
    "equals": _equals,
    "absent": _absent,
    "present": _present,
}


def _cache_search(expected: dict[str, Any], workspace: Workspace) -> None:
    """Run the registered command with nothing but the caches of editors to look in."""
    assert _searched(workspace, {}, "none") == ""
    places = [
        (base, f"{product}/{_suffix(expected['suffix'])}")
        for base in expected["bases"]
        for product in expected["product_dirs"]
    ]
    for base, below in places:
        assert _searched(workspace, {base: below}, f"{base}/{below}") == f"{FOUND}: {base}"
    first, *_, last = places
    assert _searched(workspace, dict((first, last)), "two") == f"{FOUND}: {first[0]}"


def _suffix(pattern: str) -> str:
    return pattern.replace("<owner>", "some owner").replace("<plugin name>", "session-memory-hooks")


def _searched(workspace: Workspace, places: dict[str, str], name: str) -> str:
    """What the command prints when the launchers at ``places`` tell who they are."""
    folder = workspace.folder / re.sub(r"\W", "_", name)
    environment = {"PATH": "/usr/bin:/bin"}
    for base, below in places.items():
        environment |= _install(folder, base, below)
    document = json.loads((ROOT / "hooks.json").read_text(encoding="utf-8"))
    command = document["hooks"]["SessionStart"][0]["command"]
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        ["sh", "-c", command], env=environment, cwd=folder, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().strip()


def _install(folder: Path, base: str, below: str) -> dict[str, str]:
    """A launcher below ``base``, which is like ``$HOME/.config``; the variable that leads there."""
    variable, _, rest = base.lstrip("$").partition("/")
    hooks = folder / variable / rest / below / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "run").write_text(f"echo '{FOUND}: {base}'\n", encoding="utf-8")
    return {variable: str(folder / variable)}


OPERATIONS: dict[tuple[str, str], Operation] = {("hooks-config", "*"): _check}
