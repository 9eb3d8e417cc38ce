"""The scanner of the two scalars, and its agreement with YAML."""

import pytest

from session_memory.references.budgets import byte_count, scan_budgets
from session_memory.references.configuration import (
    DEFAULT_ROOTS,
    InvalidConfiguration,
    read_configuration,
)
from session_memory.references.tree import Tree
from support import Repository

DEFAULT = (10, 102_400)

_ALIKE = [
    pytest.param("", DEFAULT, id="empty"),
    pytest.param("references:\n  max_critical_loaded: 3\n", (3, 102_400), id="one"),
    pytest.param(
        "references:  # of ours\n    max_total_loaded_bytes: 1MB  # all\n\n    # note\n"
        "    max_critical_loaded: '4'\n",
        (4, 1_048_576),
        id="comments-quotes-units",
    ),
    pytest.param(
        "other:\n  max_critical_loaded: 3\nreferences:\n  x: 1\n", DEFAULT, id="other-block"
    ),
    pytest.param("references:\n  x:\n    max_critical_loaded: 3\n", DEFAULT, id="deeper"),
    pytest.param("references:\n  a: 1\nb:\n  max_critical_loaded: 3\n", DEFAULT, id="block-ended"),
    pytest.param(
        'references:\n  declared_roots:\n  - "a"\n  max_critical_loaded: 2\n',
        (2, 102_400),
        id="list",
    ),
    pytest.param("references:\n  max_total_loaded_bytes: 50kb\n", (10, 51_200), id="lower-case"),
    pytest.param("references:\n  max_critical_loaded: 0\n", (0, 102_400), id="zero"),
]


@pytest.mark.parametrize(("text", "expected"), _ALIKE)
def test_scanned(text: str, expected: tuple[int, int]) -> None:
    assert tuple(scan_budgets(text).as_dict().values()) == expected


@pytest.mark.parametrize(("text", "expected"), _ALIKE)
def test_read_as_yaml(text: str, expected: tuple[int, int], repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", text)
    read = read_configuration(Tree(str(repo.root)))
    assert tuple(read.budgets.as_dict().values()) == expected


@pytest.mark.parametrize(
    "text",
    ["references:\n  max_critical_loaded: -1\n", "references:\n  max_total_loaded_bytes: many\n"],
)
def test_nonsense_has_the_default_in_the_hook_and_is_an_error_by_hand(
    text: str, repo: Repository
) -> None:
    repo.write(".agent-orchestra.yml", text)
    assert tuple(scan_budgets(text).as_dict().values()) == DEFAULT
    with pytest.raises(InvalidConfiguration, match="not a"):
        read_configuration(Tree(str(repo.root)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        (" 2 KB ", 2048),
        ("1MB", 1 << 20),
        ("3B", 3),
        ("", None),
        ("1GB", None),
        ("-1", None),
    ],
)
def test_byte_count(text: str, expected: int | None) -> None:
    assert byte_count(text) == expected


def test_no_clone_may_ask_for_all_memory() -> None:
    text = "references:\n  max_total_loaded_bytes: 999999MB\n"
    assert scan_budgets(text).max_total_loaded_bytes == 1 << 20


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("", DEFAULT_ROOTS),
        ("references:\n", DEFAULT_ROOTS),
        ("references:\n  declared_roots: []\n", ()),
        ("references:\n  declared_roots: docs\n", ("docs",)),
        ("references:\n  declared_roots: [docs/**, NO]\n", ("docs/**", "NO")),
    ],
    ids=["absent", "empty", "none", "text", "list"],
)
def test_declared_roots(text: str, roots: tuple[str, ...], repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", text)
    assert read_configuration(Tree(str(repo.root))).declared_roots == roots


@pytest.mark.parametrize(
    "text",
    [
        "references: 5\n",
        "references:\n  declared_roots: {a: b}\n",
        "references:\n  doc_count_threshold: few\n",
        "references: &a {}\n",
    ],
    ids=["not-a-block", "roots", "threshold", "anchor"],
)
def test_invalid_configuration_names_the_file(text: str, repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", text)
    with pytest.raises(InvalidConfiguration, match=r"^\.agent-orchestra\.yml:"):
        read_configuration(Tree(str(repo.root)))
