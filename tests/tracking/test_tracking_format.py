"""The format of tracking documents: every fault is found, on its line."""

from typing import Any

import jsonschema
import pytest

from session_memory import schemas
from session_memory.tracking.document_check import check, is_document
from session_memory.tracking.front_matter import parse, priority

PATH = ".copilot-tracking/issue-185-export.md"
GOOD = {"status": "pending", "priority": "p1", "issue_id": '"185"', "created": "2026-04-20"}


def document(**changes: str | None) -> str:
    lines = [f"{k}: {v}" for k, v in {**GOOD, **changes}.items() if v is not None]
    return "\n".join(["---", *lines, "---", "# Export", ""])


def faults(text: str, path: str = PATH) -> list[tuple[int, str]]:
    return [(fault.line, fault.message) for fault in check(path, text)]


FAULTS = [
    ({"status": "done"}, 2, "status is not one of pending"),
    ({"status": "Pending"}, 2, "status is not one of pending"),
    ({"status": None}, 1, "status is missing"),
    ({"status": ""}, 2, "status is missing"),
    ({"priority": "high"}, 3, "priority is not one of p1, p2"),
    ({"priority": "1"}, 3, "priority is not one of"),
    ({"issue_id": "185"}, 4, 'as text it is "185"'),
    ({"issue_id": '"#185"'}, 4, "issue_id is not the number"),
    ({"issue_id": "[185]"}, 4, "issue_id is not the number"),
    ({"created": "20.04.2026"}, 5, "created is not a date"),
    ({"updated": "yesterday"}, 6, "updated is not a date"),
    ({"updated": "[2026-04-20]"}, 6, "updated is not a date"),
    ({"tags": "{a: b}"}, 6, "tags is not a list"),
    ({"blocked_by": "[true]"}, 6, "blocked_by is not a list"),
    ({"related_issues": "[[1]]"}, 6, "related_issues is not a list"),
    ({"assigned_agent": "7"}, 6, "assigned_agent is not a name"),
]
BEYOND_SCHEMA = [
    ({"created": "2026-02-30"}, 5, "created is not a date"),
    ({"issue_id": '"186"'}, 4, "issue_id is 186, and the name says 185"),
    ({"completed": "2026-04-19"}, 6, "completed is before created"),
]
FINE: list[dict[str, str | None]] = [
    {},
    {"status": "on-hold", "priority": "p4"},
    {"issue_id": "'185'"},
    {"issue_id": '"0185"'},
    {"tags": "[a, 7]", "blocked_by": "[12]", "related_issues": "12", "assigned_agent": "Smith"},
    {"updated": "2026-05-01", "completed": "2026-04-20"},
    {"tags": None, "updated": ""},
    {"effort": "{any: thing}"},
]


@pytest.mark.parametrize(("changes", "line", "message"), [*FAULTS, *BEYOND_SCHEMA])
def test_fault(changes: dict[str, str | None], line: int, message: str) -> None:
    found = faults(document(**changes))

    assert len(found) == 1
    assert found[0][0] == line
    assert message in found[0][1]


@pytest.mark.parametrize("changes", FINE)
def test_good_document(changes: dict[str, str | None]) -> None:
    assert faults(document(**changes)) == []


def test_line_ends_do_not_matter() -> None:
    assert faults(document().replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("changes", "valid"), [(row[0], False) for row in FAULTS] + [(row, True) for row in FINE]
)
def test_schema_agrees(changes: dict[str, str | None], valid: bool) -> None:
    values: dict[str, Any] = parse(document(**changes)).values
    validator = jsonschema.Draft202012Validator(schemas.load("tracking-front-matter"))

    assert validator.is_valid(values) is valid


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        pytest.param("# Export\n", 1, "no front matter", id="none"),
        pytest.param("", 1, "no front matter", id="empty"),
        pytest.param("\n" + document(), 1, "no front matter", id="not-at-the-start"),
        pytest.param("---\nstatus: pending\n", 1, "not closed", id="open"),
        pytest.param("---\n- a\n---\n", 1, "no list of keys and values", id="a-list"),
        pytest.param("---\n---\n", 1, "no list of keys and values", id="nothing"),
        pytest.param("---\nstatus: *x\n---\n", 2, "not YAML: an alias", id="alias"),
        pytest.param("---\na: 1\na: 2\n---\n", 3, "a key twice", id="twice"),
        pytest.param("---\na: [\n---\n", 2, "not YAML", id="broken"),
    ],
)
def test_unreadable_front_matter(text: str, line: int, message: str) -> None:
    found = faults(text)

    assert [found[0][0], len(found)] == [line, 1]
    assert message in found[0][1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("issue-185.md", "the name is not"),
        ("issue-x-export.md", "the name is not"),
        ("plan-issue-185.md", "a plan belongs into session memory"),
        ("research/2026-04-20-export.md", ""),
        ("archived/issue-185-export.md", "completed is missing"),
    ],
)
def test_name(name: str, message: str) -> None:
    found = faults(document(), f".copilot-tracking/{name}")

    assert [text for _, text in found if message in text] == [text for _, text in found]
    assert bool(found) is bool(message)


def test_archived_document_with_its_date() -> None:
    path = ".copilot-tracking/archived/issue-185-export.md"

    assert faults(document(completed="2026-05-01"), path) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [(PATH, True), (".copilot-tracking/a.json", False), ("issue-185-export.md", False)],
)
def test_format_holds_for_markdown_in_the_folder(path: str, expected: bool) -> None:
    assert is_document(path) is expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("priority: high", "p1"),
        ("Priority:Low", "p3"),
        ("medium", "p2"),
        ("bug", "p2"),
        ("", "p2"),
        (None, "p2"),
    ],
)
def test_priority_of_a_label(label: str | None, expected: str) -> None:
    assert priority(label) == expected
