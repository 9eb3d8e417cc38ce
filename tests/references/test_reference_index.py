"""Reading an index that anyone may have written."""

import json

import pytest

from reference_support import entry
from session_memory.references.index import BadIndex, parse_entries, read_index
from session_memory.references.tree import Tree
from support import Repository


def _read(repo: Repository, text: str) -> list[str]:
    repo.write(".references/index.json", text)
    return [entry.name for entry in read_index(Tree(str(repo.root)))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('[{"name": "a", "target_path": "a.md"}]', ["a"]),
        ('{"entries": [{"name": "a", "target_path": "a.md"}]}', ["a"]),
        ('\ufeff[{"name": "a", "target_path": "a.md"}]\n', ["a"]),
        ('[{"name": "a"}, {"target_path": "b"}, 5, null, {"name": 5, "target_path": "c"}]', []),
        ("[]", []),
    ],
    ids=["array", "object", "bom", "unusable-rows", "empty"],
)
def test_accepted(repo: Repository, text: str, names: list[str]) -> None:
    assert _read(repo, text) == names


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[] []", "more than one value"),
        ("5", "holds no list"),
        ("{}", "holds no list"),
        ("[" * 100_000, "nested too deeply"),
        (" " * (2 << 20) + "[]", "exceeds"),
    ],
    ids=["empty", "cut", "two", "number", "object", "deep", "large"],
)
def test_refused(repo: Repository, text: str, reason: str) -> None:
    with pytest.raises(BadIndex, match=reason):
        _read(repo, text)


def test_every_field() -> None:
    row = {
        "name": " a ",
        "target_path": "d\\a.md",
        "description": "d",
        "load-when": "w",
        "load-priority": "Critical",
        "triggers": [
            {"labels": ["x", 5, " "], "globs": "g", "keywords": None, "critical": "true"},
            "no trigger",
            {"critical": True},
        ],
    }
    (entry,) = parse_entries([row])
    assert entry.as_dict() == {
        "name": "a",
        "target_path": "d/a.md",
        "description": "d",
        "load-when": "w",
        "load-priority": "critical",
        "triggers": [
            {"labels": ["x"], "globs": ["g"], "keywords": [], "critical": False},
            {"labels": [], "globs": [], "keywords": [], "critical": True},
        ],
    }


def test_other_spellings() -> None:
    row = {
        "name": "a",
        "target_path": "b",
        "load_when": "w",
        "load_priority": "x",
        "triggers": {"globs": ["g"]},
    }
    (entry,) = parse_entries([json.loads(json.dumps(row))])
    assert (entry.load_when, entry.load_priority) == ("w", "optional")
    assert entry.triggers[0].globs == ("g",)


@pytest.mark.parametrize(
    ("priority", "critical", "expected"),
    [("optional", False, False), ("optional", True, True), ("critical", False, True)],
)
def test_critical(priority: str, critical: bool, expected: bool) -> None:
    row = {
        "name": "a",
        "target_path": "b",
        "load-priority": priority,
        "triggers": [{"critical": critical}],
    }
    (entry,) = parse_entries([row])
    assert entry.critical is expected


def test_an_index_of_too_many_entries_is_refused(repo: Repository) -> None:
    with pytest.raises(BadIndex, match="2001 entries, of which 2000 are allowed"):
        parse_entries([entry(f"e{at}") for at in range(2001)])


def test_triggers_and_texts_are_bounded() -> None:
    words = [f"w{at}" for at in range(100_000)]
    row = {**entry("e"), "triggers": [{"keywords": words}] * 1000}
    (parsed,) = parse_entries([row])
    assert [len(trigger.keywords) for trigger in parsed.triggers] == [64] * 16
