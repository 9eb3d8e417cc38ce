"""The values of settings as hooks see them, and where they come from."""

from typing import Any

import pytest

from session_memory.cli.reading import allowed_authors
from session_memory.core.settings import read_settings
from session_memory.settings import table
from session_memory.settings.files import read_files
from session_memory.settings.resolution import Around, Value, resolve
from support import Repository

USER = "../home/.config/session-memory/settings.toml"
OWN = ".session-memory.toml"
PROJECT = "pyproject.toml"


def surroundings(repo: Repository, **env: str) -> Around:
    root = str(repo.root)
    environ = {"HOME": str(repo.root.parent / "home"), **env}
    return Around(root, root, environ, read_files(root, lambda name: environ.get(name, "")))


def value(repo: Repository, name: str, **env: str) -> Value:
    return next(one for one in resolve(surroundings(repo, **env)) if one.setting.name == name)


SOURCES: dict[str, tuple[dict[str, str], str, tuple[Any, str, str, int]]] = {
    "user": ({USER: "\ngates.enabled = false"}, "gates.enabled", (False, "user settings", USER, 2)),
    "project": (
        {PROJECT: "[tool.session-memory]\nbump_command = 'x'"},
        "bump_command",
        ("x", PROJECT, PROJECT, 2),
    ),
    "own file before project": (
        {PROJECT: "[tool.session-memory]\nbump_command = 'x'", OWN: "bump_command = 'y'"},
        "bump_command",
        ("y", OWN, OWN, 1),
    ),
    "user forbids": (
        {USER: "startup.network = false", OWN: "startup.network = true"},
        "startup.network",
        (False, "user settings", USER, 1),
    ),
    "repository forbids": (
        {USER: "startup.network = true", OWN: "[startup]\nnetwork = false"},
        "startup.network",
        (False, OWN, OWN, 2),
    ),
    "unusable": ({OWN: "references.match = 'x'"}, "references.match", ("labels", OWN, OWN, 1)),
    "no table": ({OWN: "\nhygiene = 1"}, "hygiene.enabled", (False, OWN, OWN, 2)),
    "misplaced": (
        {USER: "bump_command = 'x'"},
        "bump_command",
        (".github/scripts/bump-version.ps1", "default", "", 0),
    ),
    "orchestra": (
        {".agent-orchestra.yml": "references:\n  max_critical_loaded: 3\n"},
        "references.max_critical_loaded",
        (3, ".agent-orchestra.yml", ".agent-orchestra.yml", 0),
    ),
    "broken orchestra": (
        {".agent-orchestra.yml": "references: 3\n"},
        "references.declared_roots",
        (["Documents/**"], "default", "", 0),
    ),
}


@pytest.mark.parametrize(("files", "name", "expected"), SOURCES.values(), ids=SOURCES)
def test_value_and_source(
    repo: Repository, files: dict[str, str], name: str, expected: tuple[Any, str, str, int]
) -> None:
    for path, text in files.items():
        repo.write(path, text + "\n")
    found = value(repo, name)
    path = found.path.replace(f"{repo.root}/", "").replace(str(repo.root.parent), "..")
    assert (found.value, found.source, path, found.line) == expected


def test_what_does_not_count_is_named(repo: Repository) -> None:
    repo.write(USER, "startup.network = false\n")
    repo.write(OWN, "\nstartup.network = true\n")
    assert value(repo, "startup.network").others == (f"{repo.root}/{OWN}:2",)


def test_variable_before_files(repo: Repository) -> None:
    repo.write(OWN, "startup.network = false\n")
    found = value(repo, "startup.network", SESSION_MEMORY_NETWORK="1")
    assert (found.value, found.source) == (True, "environment")
    assert found.others == (f"{repo.root}/{OWN}:1",)


def test_values_are_what_hooks_read(repo: Repository) -> None:
    repo.write(USER, "enabled = true\nstartup = 1\nreferences.match = 'labels'\n")
    repo.write(PROJECT, "[tool.session-memory]\nhygiene.enabled = false\nbump_command = 'a'\n")
    repo.write(OWN, "bump_command = 'b'\nreferences.match = 'any'\nstartup.network = true\n")
    around = surroundings(repo)
    shown = {one.setting.name: one.value for one in resolve(around)}
    hooks = read_settings(str(repo.root), None, around.variable)
    assert hooks == {
        "enabled": shown["enabled"],
        "startup": {"enabled": shown["startup.enabled"], "network": shown["startup.network"]},
        "references": {"match": shown["references.match"]},
        "hygiene": {"enabled": shown["hygiene.enabled"]},
        "bump_command": shown["bump_command"],
    }
    assert (shown["startup.enabled"], shown["references.match"]) == (False, "labels")


def test_defaults(repo: Repository) -> None:
    for found in resolve(surroundings(repo)):
        if found.setting not in (*table.IN_ENVIRONMENT, *table.GIVEN):
            assert (found.value, found.source) == (found.setting.default, "default")


def test_credentials_in_an_address_are_not_shown(repo: Repository) -> None:
    found = value(repo, "GH_REPO", GH_REPO="https://me:s3cret@github.com/o/r")
    assert found.value == "https://***@github.com/o/r"


def test_secret_is_told_to_be_set(repo: Repository) -> None:
    found = value(repo, "GH_TOKEN", GH_TOKEN="s3cret")
    assert (found.shown, found.as_dict()["is_set"]) == ("set, not shown", True)
    assert "s3cret" not in str(found.as_dict())


def test_long_value_is_cut(repo: Repository) -> None:
    repo.write(OWN, f"bump_command = '{'x' * 200}'\n")
    found = value(repo, "bump_command")
    assert (found.valid, len(found.shown)) == (True, 100)


def test_trusted_authors_are_read_from_git(repo: Repository) -> None:
    repo.git("config", "--add", table.TRUSTED_AUTHOR, "a b#7")
    repo.git("config", "--add", table.TRUSTED_AUTHOR, "c[bot]")
    found = value(repo, table.TRUSTED_AUTHOR)
    assert (found.value, found.source) == (["a", "b#7", "c[bot]"], "git config")
    assert {"a", "b#7", "c[bot]"} == allowed_authors(str(repo.root))
