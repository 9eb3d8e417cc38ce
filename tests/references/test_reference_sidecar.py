"""Sidecars: real YAML, no guessed types, every trigger."""

import json
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from session_memory import schemas
from session_memory.references.index import parse_entries
from session_memory.references.index_writer import render_index
from session_memory.references.sidecar import InvalidSidecar, Sidecar, generate, parse_sidecar

PATH = "docs/guide.md.ref.yml"

FULL = """\
schema_version: 1
target_path: docs/guide.md
name: The guide
description: "How: it works"
load-when: touching the parser
load-priority: critical
triggers:
  - labels: [NO, 1.10, 42, true]
    globs: ["src/**"]
  - keywords:
      - on
    critical: true
generated_by: manual
generated_at: 2026-01-02
"""


def _parse(text: str) -> Sidecar:
    return parse_sidecar(PATH, text)


def test_every_field() -> None:
    entry = _parse(FULL).entry
    assert (entry.name, entry.description) == ("The guide", "How: it works")
    assert (entry.load_when, entry.load_priority) == ("touching the parser", "critical")
    first, second = entry.triggers
    assert first.labels == ("NO", "1.10", "42", "true")
    assert (first.globs, first.critical) == (("src/**",), False)
    assert (second.keywords, second.critical) == (("on",), True)


def test_defaults() -> None:
    sidecar = _parse("schema_version: 1\n")
    entry = sidecar.entry
    assert (entry.name, entry.target_path) == ("guide", "docs/guide.md")
    assert (entry.load_priority, entry.triggers, sidecar.generated_by) == ("optional", (), "manual")


@pytest.mark.parametrize(
    ("given", "kept"),
    [("name: 1.10", "1.10"), ("name: 42", "42"), ("name: NO", "NO"), ("name: true", "true")],
)
def test_a_name_is_what_is_written(given: str, kept: str) -> None:
    assert _parse(f"schema_version: 1\n{given}\n").entry.name == kept


def test_the_target_is_normalised() -> None:
    text = "schema_version: 1\ntarget_path: ./docs//sub/..\\a.md\n"
    assert _parse(text).entry.target_path == "docs/a.md"


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("", 1, "invalid-sidecar"),
        ("- a\n", 1, "invalid-sidecar"),
        ("name: a\n", 1, "schema-version"),
        ("name: a\nschema_version: 2\n", 2, "schema-version"),
        ("schema_version: 1.0\n", 1, "schema-version"),
        ("schema_version: [1]\n", 1, "invalid-sidecar"),
        ("schema_version: 1\nload-priority: high\n", 2, "invalid-sidecar"),
        ("schema_version: 1\nload-priority: critical\n", 2, "invalid-sidecar"),
        ("schema_version: 1\ngenerated_by: me\n", 2, "invalid-sidecar"),
        ("schema_version: 1\ntriggers:\n- a\n", 2, "invalid-sidecar"),
        ("schema_version: 1\ntriggers:\n- label: [a]\n", 3, "invalid-sidecar"),
        ("schema_version: 1\ntriggers:\n- labels: [[a]]\n", 3, "invalid-sidecar"),
        ("schema_version: 1\ntriggers:\n- labels: ['']\n", 3, "invalid-sidecar"),
        ("schema_version: 1\ntriggers:\n- critical: yes\n", 3, "invalid-sidecar"),
        ("schema_version: 1\nname: {}\n", 2, "invalid-sidecar"),
        ("schema_version: 1\nname: a\nname: b\n", 3, "invalid-sidecar"),
        ("schema_version: 1\nname: &x a\n", 2, "invalid-sidecar"),
        ("schema_version: 1\nname: !!str a\n", 2, "invalid-sidecar"),
        ("schema_version: 1\n---\nname: a\n", 2, "invalid-sidecar"),
        ("schema_version: 1\nname: [\n", 3, "invalid-sidecar"),
    ],
)
def test_refused(text: str, line: int, code: str) -> None:
    with pytest.raises(InvalidSidecar) as caught:
        _parse(text)
    assert (caught.value.line, caught.value.code) == (line, code)
    assert str(caught.value).startswith(f"{PATH}:{line}: ")


def test_unknown_keys_are_remembered() -> None:
    assert _parse("schema_version: 1\nload_when: x\n").unknown_keys == ("load_when",)


@pytest.mark.parametrize("name", ["guide", "NO", "a: b # c", 'q"uote', "\u00e9\U0001f600", "- x"])
def test_what_is_generated_can_be_read(name: str) -> None:
    text = generate(f"docs/{name}.md", name, name, "2026-01-02T03:04:05Z")
    entry = _parse(text).entry
    assert (entry.name, entry.target_path, entry.description) == (name, f"docs/{name}.md", name)
    jsonschema.validate(YAML(typ="safe", pure=True).load(text), schemas.load("reference-sidecar"))


@pytest.mark.parametrize(
    "text", [FULL.replace("2026-01-02", "'x'").replace("1.10, ", ""), "schema_version: 1\n"]
)
def test_schema_takes_what_is_read(text: str) -> None:
    _parse(text)
    jsonschema.validate(YAML(typ="safe", pure=True).load(text), schemas.load("reference-sidecar"))


@pytest.mark.parametrize(
    "near_miss",
    [
        {},
        {"schema_version": 2},
        {"schema_version": "1"},
        {"schema_version": 1, "load-priority": "high"},
        {"schema_version": 1, "load-priority": "critical"},
        {"schema_version": 1, "load-priority": "critical", "triggers": []},
        {"schema_version": 1, "triggers": [{"label": ["a"]}]},
        {"schema_version": 1, "triggers": [{"critical": "yes"}]},
        {"schema_version": 1, "generated_by": "me"},
    ],
)
def test_schema_refuses_near_misses(near_miss: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(near_miss, schemas.load("reference-sidecar"))


def test_index_follows_its_schema_and_is_read_back() -> None:
    entries = [_parse(FULL).entry, _parse("schema_version: 1\n").entry]
    rows = json.loads(render_index(entries))
    jsonschema.validate(rows, schemas.load("reference-index"))
    assert [entry.as_dict() for entry in parse_entries(rows)] == rows


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"target_path": 5},
        {"load-priority": "high"},
        {"load-priority": "critical", "triggers": []},
        {"triggers": [{"labels": []}]},
        {"load_when": "x"},
    ],
)
def test_index_schema_refuses_near_misses(change: dict[str, Any]) -> None:
    row = {**_parse("schema_version: 1\n").entry.as_dict(), **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([row], schemas.load("reference-index"))


@pytest.mark.parametrize(
    "change",
    [
        {"issue_number": 0},
        {"issue_number": 2_147_483_648},
        {"session_id": ""},
        {"session_id": "x" * 201},
        {"body_hash": "0123456789ABCDEF"},
        {"body_hash": "0123"},
        {"injected_at": "2026-01-02"},
        {"repository": "o"},
        {"other": 1},
    ],
)
def test_marker_schema_refuses_near_misses(change: dict[str, Any]) -> None:
    marker = {
        "issue_number": 5,
        "session_id": "abc",
        "body_hash": "0123456789abcdef",
        "injected_at": "2026-01-02T03:04:05Z",
    }
    schema = schemas.load("references-preflight")
    jsonschema.validate(marker, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**marker, **change}, schema)
