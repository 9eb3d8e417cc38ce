"""The table: its schema, its words, its commands, and the page that is generated from it."""

import re
import shlex
from typing import Any

import click
import jsonschema
import pytest

from command_line import run
from session_memory import schemas
from session_memory.cli.main import main
from session_memory.contract import table
from session_memory.contract.ownership import rows_of_marker
from session_memory.contract.table import HOSTS, NoSuchRow, Row, contract
from session_memory.contract.vocabulary import fungibility_problem, label_problem
from session_memory.markers.families import FAMILIES
from support import ROOT

PAGE = ROOT / "docs" / "contract.md"
ROWS = list(contract().rows.values())
rows = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


def test_data_is_of_its_schema() -> None:
    jsonschema.validate(table.raw(), schemas.load("contract"))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("id", "SMC-7"),
        ("survival", [{"label": "forever", "when": ""}]),
        ("survival", [{"label": "per-process:hooks", "when": ""}]),
        ("fungibility", "partial"),
        ("hosts", {"claude-code": {"works": "yes", "mechanism": "x", "gap": ""}}),
        ("read", []),
    ],
)
def test_schema_refuses_a_row_that_is_none(part: str, value: object) -> None:
    data = table.raw()
    data["rows"][0][part] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schemas.load("contract"))


def test_rows_are_all_there() -> None:
    assert list(contract().rows) == [f"SMC-{n:02}" for n in range(1, 25) if n != 4]


@rows
def test_row_uses_the_vocabulary(row: Row) -> None:
    given = [*(one.label for one in row.survival), *(place.survival for place in row.places)]
    assert [problem for label in given if (problem := label_problem(label))] == []
    assert fungibility_problem(row.fungibility) == ""
    assert set(row.hosts) == set(HOSTS)


@rows
def test_place_survives_as_one_of_the_labels_of_its_row(row: Row) -> None:
    assert {place.survival.partition(":")[0] for place in row.places} <= row.bases


@rows
def test_host_without_support_says_what_is_missing(row: Row) -> None:
    for host in row.hosts.values():
        assert host.gap or host.works in ("yes", "n/a")


@pytest.mark.parametrize(
    "family", [one for one in FAMILIES.values() if one.row], ids=lambda family: family.name
)
def test_marker_family_has_its_row(family: Any) -> None:
    assert family.row in [row.id for row in rows_of_marker(family.name)]


@pytest.mark.parametrize("name", ["SMC-07", "smc-07", "smc-7", "SMC7", "07", "7", " 7 "])
def test_row_is_found_by(name: str) -> None:
    assert contract().find(name).id == "SMC-07"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("4", "SMC-04. The table goes from SMC-03 to SMC-05"),
        ("SMC-25", "its rows are SMC-01 to SMC-24"),
        ("0", "no row 0"),
        ("seven", "no row seven"),
        ("SMC-", "no row SMC-"),
        ("9999999999", "no row 9999999999"),
    ],
)
def test_row_that_there_is_not(name: str, words: str) -> None:
    with pytest.raises(NoSuchRow, match=re.escape(words)):
        contract().find(name)


def commands() -> list[Any]:
    return [
        pytest.param(command, id=f"{row.id} {command}")
        for row in ROWS
        for command in (*row.read, *row.write)
    ]


@pytest.mark.parametrize("command", commands())
def test_command_of_a_row_exists_with_its_options(command: str) -> None:
    found: click.Command = main
    words = shlex.split(command)
    while isinstance(found, click.Group) and words:
        inner = found.get_command(click.Context(found), words.pop(0))
        assert inner is not None, command
        found = inner
    assert not isinstance(found, click.Group), command
    options = {name for parameter in found.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_page_holds_the_table(tmp_path: Any) -> None:
    generated = run("contract", "list", "--markdown", cwd=tmp_path).stdout
    text = PAGE.read_text("utf-8")
    _, _, rest = text.partition("<!-- contract:begin -->\n\n")
    assert rest.partition("\n<!-- contract:end -->")[0] == generated


@rows
def test_page_has_a_section_that_ends_with_the_commands(row: Row) -> None:
    section = PAGE.read_text("utf-8").partition(f"\n## {row.id} ")[2].partition("\n## ")[0]
    ending = section.replace("<!-- contract:end -->", "").strip().rpartition("\n\n")[2]
    for command in (*row.read, *row.write):
        assert f"`{command}`" in ending
    assert f"Honest gap: {row.gap}" in section
