"""The marker's front matter and its schema agree."""

from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from session_memory.core.hosts import NAMES
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.schemas import load
from session_memory.startup import PROMPT, SOURCES, marker_name, record
from startup.looks import Start
from support import Repository

VALIDATOR = jsonschema.Draft202012Validator(load("startup-marker"))

GOOD = {
    "session_key": "s-one",
    "key_rung": "session_id",
    "host": "claude",
    "source": "startup",
    "outcome": "reported",
    "completed_at": "2026-01-02T03:04:05Z",
}


def _front_matter(text: str) -> dict[str, Any]:
    start, front, _ = text.split("---\n", 2)
    assert start == ""
    parsed = YAML(typ="safe", pure=True).load(front)
    assert isinstance(parsed, dict)
    return parsed


def _render(payload: dict[str, object], source: str, outcome: str) -> dict[str, Any]:
    session = Session(Event(payload))
    return _front_matter(record.render(session, source, outcome).decode())


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(load("startup-marker"))


def test_schema_and_code_know_the_same_words() -> None:
    properties = load("startup-marker")["properties"]
    assert set(properties["source"]["enum"]) == {*SOURCES, record.UNKNOWN_SOURCE}
    assert set(properties["host"]["enum"]) == {*NAMES, "command-line"}


@pytest.mark.parametrize("source", [*SOURCES, "whatever", "", 'x"\n---\n'])
def test_what_is_written_validates(repo: Repository, source: str) -> None:
    outcome = record.INHERITED if source == "fork" else record.NOTHING
    written = _render({"session_id": "one", "cwd": str(repo.root)}, source, outcome)
    VALIDATOR.validate(written)
    assert written["source"] == (source if source in SOURCES else "unknown")


def test_every_rung_validates(repo: Repository) -> None:
    written = _render({"cwd": str(repo.root)}, PROMPT, record.REPORTED)
    VALIDATOR.validate(written)
    assert (written["session_key"], written["key_rung"]) == ("b-main", "branch_slug")
    repo.git("switch", "--quiet", "--detach")
    written = _render({"cwd": str(repo.root)}, PROMPT, record.REPORTED)
    VALIDATOR.validate(written)
    assert written["key_rung"] == "sha"


def test_marker_on_disk_is_bound_to_its_key(start: Start, untidy: Repository) -> None:
    start()
    marker = untidy.session / marker_name("s-one")
    written = _front_matter(marker.read_text(encoding="ascii"))
    VALIDATOR.validate(written)
    assert {name: written[name] for name in ("session_key", "host", "source", "outcome")} == {
        "session_key": "s-one",
        "host": "claude",
        "source": "startup",
        "outcome": "reported",
    }
    assert marker.stat().st_mode & 0o777 == 0o600


def test_good_record_validates() -> None:
    VALIDATOR.validate(GOOD)


@pytest.mark.parametrize(
    "change",
    [
        {"session_key": "b-main"},
        {"session_key": "s-a/b"},
        {"session_key": "s-"},
        {"session_key": "s-" + "a" * 200},
        {"session_key": "session"},
        {"key_rung": "branch"},
        {"host": "emacs"},
        {"source": "whatever"},
        {"source": "fork"},
        {"outcome": "inherited"},
        {"outcome": ""},
        {"completed_at": "2026-01-02 03:04:05"},
        {"completed_at": None},
        {"more": 1},
    ],
    ids=str,
)
def test_near_misses_do_not_validate(change: dict[str, object]) -> None:
    assert not VALIDATOR.is_valid({**GOOD, **change})


@pytest.mark.parametrize("name", GOOD)
def test_every_field_is_required(name: str) -> None:
    assert not VALIDATOR.is_valid({key: value for key, value in GOOD.items() if key != name})
