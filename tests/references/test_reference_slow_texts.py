"""Texts of a clone or a user that once took seconds to read take a moment."""

import time
from collections.abc import Callable

import pytest

from session_memory.references import authoring
from session_memory.references.budgets import scan_budgets
from session_memory.references.citations import read_citations
from session_memory.references.prompt import find_mention
from session_memory.references.sidecar import InvalidSidecar, _Reader
from session_memory.references.tree import Tree
from session_memory.references.validation import validate
from support import Repository

_LIMIT_S = 1.0


def _seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def test_blanks_before_a_stray_quote_in_the_configuration() -> None:
    text = "references:\n  max_a:" + " " * 1000 + '"x\n'
    assert _seconds(lambda: scan_budgets(text)) < _LIMIT_S


@pytest.mark.parametrize("marks", ["#", " ", "# "])
def test_marks_within_a_heading(repo: Repository, marks: str) -> None:
    repo.write("Documents/a.md", f"# x{marks * 30_000}y\n")
    assert _seconds(lambda: authoring.init(Tree(str(repo.root)))) < _LIMIT_S


@pytest.mark.parametrize(
    "text",
    [
        "[ref:" * 100_000,
        "[ref:a](" * 100_000,
        "[ref:]()" * 100_000,
        "".join("`" * (length % 300 + 1) + "x" for length in range(3000)),
        "` ``" * 50_000,
    ],
    ids=["openings", "targets", "empty", "runs", "pairs"],
)
def test_citations_without_end(repo: Repository, text: str) -> None:
    repo.write("Documents/a.md", text + "\n")
    tree = Tree(str(repo.root))
    assert _seconds(lambda: list(read_citations(tree, "Documents/a.md"))) < _LIMIT_S
    assert validate(tree)


def test_the_line_of_a_fault_behind_blank_lines() -> None:
    # The YAML library itself takes its time over so many lines, so it is left out.
    reader = _Reader("a.md.ref.yml", "\n" * 50_000 + "name: x", {})

    def read() -> None:
        with pytest.raises(InvalidSidecar, match="schema_version is missing"):
            reader.sidecar()

    assert _seconds(read) < _LIMIT_S


@pytest.mark.parametrize("text", [" #0", "pr #1 ", "issue 0 ", "#", "issue "])
def test_a_megabyte_of_what_is_no_issue(text: str) -> None:
    prompt = text * ((1 << 20) // len(text))
    assert _seconds(lambda: find_mention(prompt)) < _LIMIT_S
    assert find_mention(prompt) is None


def test_an_issue_behind_many_pull_requests_is_found() -> None:
    found = find_mention("pr #1 " * 100 + "fix #5")
    assert found is not None
    assert found.number == 5
