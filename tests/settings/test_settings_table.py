"""The table of settings, the schema, the page and the code are one."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import markdown_pages as md
from session_memory import schemas
from session_memory.core import settings as core
from session_memory.core.toml_subset import read_table
from session_memory.references.configuration import Configuration
from session_memory.settings import page, table
from session_memory.settings.findings import validator
from support import ROOT

PAGE = ROOT / "docs" / "settings.md"
SCHEMA: dict[str, Any] = schemas.load("settings")

# What the package hands on to programs that it starts, takes out of their environment, or writes
# into that of the demo; none of it is read.
HANDED_ON = {
    *("GH_PROMPT_DISABLED", "GH_NO_UPDATE_NOTIFIER", "GH_TELEMETRY"),
    *("GH_DEBUG", "GH_FORCE_TTY", "GH_PAGER"),
    *("GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT"),
    *("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_TEMPLATE_DIR"),
    *("GIT_SSH", "GIT_ASKPASS", "GIT_ATTR_NOSYSTEM", "GIT_NO_REPLACE_OBJECTS"),
    *("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"),
}
VARIABLE = re.compile(
    r"(SESSION_MEMORY|CLAUDE|COPILOT|PLUGIN|GH|GITHUB|GIT|XDG)_[A-Z0-9_]*[A-Z0-9]"
)


def members(schema: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    """The settings in a schema by their dotted names."""
    found: dict[str, dict[str, Any]] = {}
    for name, listed in schema.get("properties", {}).items():
        member = SCHEMA["$defs"].get(listed.get("$ref", "").rpartition("/")[2], listed)
        if member.get("type") == "object":
            found |= members(member, f"{prefix}{name}.")
        else:
            found[prefix + name] = member
    return found


IN_SCHEMA = members(SCHEMA)


def test_schema_has_the_settings_of_the_table() -> None:
    assert set(IN_SCHEMA) == {setting.name for setting in table.IN_FILES}


@pytest.mark.parametrize("setting", table.IN_FILES, ids=lambda setting: setting.name)
def test_default_is_that_of_the_schema(setting: table.Setting) -> None:
    member = IN_SCHEMA[setting.name]
    if "default" in member:
        assert member["default"] == setting.default
    if setting.kind == "boolean":
        assert member["type"] == "boolean"


def test_hooks_know_the_settings_of_the_table() -> None:
    narrowing = {
        f"{name}.{key}".lstrip(".") for name, keys in core.NARROWING.items() for key in keys
    }
    assert narrowing | core.OF_THE_REPOSITORY == {setting.name for setting in table.IN_FILES}
    assert set(SCHEMA["properties"]) == core.KEYS


@pytest.mark.parametrize("setting", table.IN_FILES, ids=lambda setting: setting.name)
def test_places_are_those_of_the_hooks(setting: table.Setting) -> None:
    assert table.REPOSITORY in setting.places
    assert (table.USER in setting.places) == (setting.name not in core.OF_THE_REPOSITORY)


@pytest.mark.parametrize(
    "setting",
    [one for one in table.IN_FILES if one.instead is not None],
    ids=lambda setting: setting.name,
)
def test_what_counts_instead_is_valid_and_narrow(setting: table.Setting) -> None:
    group, _, key = setting.name.rpartition(".")
    value = {key: setting.instead}
    assert validator().is_valid({group: value} if group else value)
    if setting.name not in core.OF_THE_REPOSITORY:
        assert setting.instead != core.NARROWING[group][key]


def test_defaults_of_references_are_those_of_the_code() -> None:
    found = Configuration()
    defaults = {setting.name.partition(".")[2]: setting.default for setting in table.IN_ORCHESTRA}
    assert defaults == {
        "declared_roots": list(found.declared_roots),
        "doc_count_threshold": found.doc_count_threshold,
        **found.budgets.as_dict(),
    }


def test_names_occur_once() -> None:
    names = [setting.name for setting in table.ALL]
    assert len(names) == len(set(names))


def test_page_has_the_present_table() -> None:
    written = PAGE.read_text("utf-8")
    assert written == page.render(written), (
        "python -m session_memory.settings.page docs/settings.md"
    )


def test_page_is_mended_by_the_program(tmp_path: Path) -> None:
    copy = tmp_path / "settings.md"
    written = PAGE.read_text("utf-8")
    copy.write_text(written.replace("| boolean |", "| old |"), "utf-8")
    command = [sys.executable, "-m", "session_memory.settings.page", str(copy)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "lib")})
    assert copy.read_text("utf-8") == written


@pytest.mark.parametrize("block", md.blocks("toml", PAGE), ids=lambda block: block.label)
def test_sample_is_valid(block: md.Block) -> None:
    settings = read_table(block.text, ())
    assert settings
    assert list(validator().iter_errors(settings)) == []


def named_variables() -> set[str]:
    """Every text in the package that looks like the name of a variable, and what launchers read."""
    found: set[str] = set()
    for path in (ROOT / "lib").rglob("*.py"):
        if "settings/table" in path.as_posix():
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} if VARIABLE.fullmatch(node.value) else set()
    for name in ("run", "run.ps1"):
        text = (ROOT / "hooks" / name).read_text("utf-8")
        found |= set(re.findall(r"(?:\$\{?|\$env:)(SESSION_MEMORY_\w+|XDG_\w+|HOME)", text))
    return found


def test_every_variable_that_is_read_is_in_the_table() -> None:
    assert named_variables() - HANDED_ON <= {setting.name for setting in table.ALL}


@pytest.mark.parametrize(
    "setting", [*table.IN_ENVIRONMENT, *table.GIVEN], ids=lambda setting: setting.name
)
def test_every_variable_of_the_table_is_read(setting: table.Setting) -> None:
    sources = [*(ROOT / "lib").rglob("*.py"), *(ROOT / "hooks").glob("run*")]
    texts = [path.read_text("utf-8") for path in sources if path.name != "table.py"]
    assert any(re.search(rf"\b{setting.name}\b", text) for text in texts)
