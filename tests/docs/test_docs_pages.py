"""Links lead somewhere, commands exist, and samples are of the form that they claim."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

import markdown_pages as md
from session_memory.cli import errors
from session_memory.cli.main import main
from session_memory.core.toml_subset import read_table
from session_memory.references.configuration import Configuration, read_configuration
from session_memory.references.sidecar import parse_sidecar
from session_memory.references.tree import Tree
from session_memory.yaml_text import load
from support import ROOT

pages = pytest.mark.parametrize("page", md.PAGES, ids=md.name_of)
# Pages with samples of sidecars and settings; other pages may show other formats.
SAMPLES = (md.README, ROOT / "docs" / "references.md")
COMMANDS = [(page, command) for page in md.PAGES for command in md.commands(page)]


def schema(name: str) -> Any:
    return json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text("utf-8"))


def labelled(*blocks: md.Block) -> list[Any]:
    return [pytest.param(block, id=block.label) for block in blocks]


def test_readme_can_be_read_in_two_minutes() -> None:
    before, _, rest = md.README.read_text("utf-8").partition("<!-- benchmark: begin")
    text = before + rest.partition("<!-- benchmark: end")[2]
    assert 150 <= text.count("\n") <= 225


@pages
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    for link in md.links(page):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), link
        assert not anchor or anchor in md.anchors(target), link


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in md.links(md.README)}
    assert {md.name_of(page) for page in md.PAGES if page.parent == ROOT / "docs"} <= linked


@pytest.mark.parametrize(
    ("page", "command"), COMMANDS, ids=[f"{md.name_of(p)}: {c}" for p, c in COMMANDS]
)
def test_command_exists_with_its_options(page: Path, command: str) -> None:
    group: click.Command = main
    words = shlex.split(command)
    context = click.Context(group)
    while isinstance(group, click.Group) and words:
        found = group.get_command(context, words.pop(0))
        assert found, command
        group = found
    known = {option for parameter in group.params for option in parameter.opts} | {"--help"}
    if group.name == "demo":  # which parses its options itself
        known |= {"--keep", "--json", "--verbose"}
    assert {word for word in words if word.startswith("--")} <= known


@pages
def test_script_that_a_command_runs_exists(page: Path) -> None:
    shell = "\n".join([*md.code_spans(page), *(block.text for block in md.blocks("sh", page))])
    for path in re.findall(r"\bpython3 (\S+\.py)\b", shell):
        assert (ROOT / path).is_file()


@pytest.mark.parametrize("block", labelled(*md.blocks("json")))
def test_json_sample_can_be_parsed(block: md.Block) -> None:
    assert json.loads(block.text)


@pytest.mark.parametrize("block", labelled(*md.blocks("toml", *SAMPLES)))
def test_toml_sample_is_of_the_schema_of_settings(block: md.Block) -> None:
    settings = read_table(block.text, ("tool", "session-memory"))
    assert settings
    jsonschema.validate(settings, schema("settings"))


@pytest.mark.parametrize("block", labelled(*md.blocks("yaml", *SAMPLES)))
def test_yaml_sample_is_a_sidecar_or_the_default_configuration(
    block: md.Block, tmp_path: Path
) -> None:
    value = load(block.text)
    if isinstance(value, dict) and "references" in value:
        (tmp_path / ".agent-orchestra.yml").write_text(block.text, "utf-8")
        found = read_configuration(Tree(str(tmp_path)))
        assert found.declared_roots == Configuration().declared_roots
        assert found.doc_count_threshold == Configuration().doc_count_threshold
        assert found.budgets.as_dict() == Configuration().budgets.as_dict()
    else:
        jsonschema.validate(value, schema("reference-sidecar"))
        assert not parse_sidecar("Documents/csv-dialect.md.ref.yml", block.text).unknown_keys


def test_exit_codes_are_those_of_the_command_line() -> None:
    page = (ROOT / "docs" / "diagnosis.md").read_text("utf-8")
    documented = [int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    assert documented == [
        int(code) for code in re.findall(r"^ +(\d+)  ", errors.TABLE, re.MULTILINE)
    ]


def test_schemas_that_the_pages_on_records_name_are_all_there_are() -> None:
    pages = [ROOT / "docs" / name for name in ("state.md", "markers.md")]
    known = {path.name.partition(".")[0] for path in (ROOT / "schemas").iterdir()}
    assert known <= {span for page in pages for span in md.code_spans(page)}
