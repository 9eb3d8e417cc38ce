"""Small documents with one planted violation each, their corrected twins, and hard negatives.

``corpus.txt`` holds them: ``=== name``, then ``--- planted LINE[:COLUMN] CODE`` or ``--- clean``,
and the document; ``--- path NAME`` gives the documents of a case another name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session_memory.contract.lint.finding import CODES
from session_memory.contract.lint.linter import check

CORPUS = Path(__file__).with_name("corpus.txt").read_text("utf-8")
_EXPECTED = re.compile(r"planted (?P<line>\d+)(?::(?P<column>\d+))? (?P<code>[a-z-]+)")


@dataclass(frozen=True)
class Case:
    """A document, and the line, column (0: any) and code of its finding; no code: clean."""

    name: str
    path: str
    text: str
    line: int = 0
    column: int = 0
    code: str = ""


def cases() -> Iterator[Case]:
    for part in CORPUS.split("=== ")[1:]:
        name, _, rest = part.partition("\n")
        path = "page.md"
        for document in ("\n" + rest).split("\n--- ")[1:]:
            head, _, text = document.partition("\n")
            if head.startswith("path "):
                path = head.removeprefix("path ")
            elif match := _EXPECTED.fullmatch(head):
                position = int(match["line"]), int(match["column"] or 0)
                yield Case(name, path, text, *position, match["code"])
            else:
                assert head == "clean", head
                yield Case(name, path, text)


CASES = list(cases())
PLANTED = [case for case in CASES if case.code]
# One sentence a line, behind the code of its finding, or - for none.
_LINES = Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines()
SENTENCES = [line.split(" | ", 1) for line in _LINES]
CLEAN = [case for case in CASES if not case.code]


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case.name)
def test_planted_violation_is_found_where_it_is(case: Case) -> None:
    (found,) = check(case.path, case.text)
    assert (found.line, found.code) == (case.line, case.code), found
    assert case.column in (0, found.column), found


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_nothing_is_found_in_a_clean_document(case: Case) -> None:
    assert check(case.path, case.text) == []


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case.name)
def test_line_ends_of_windows_change_nothing(case: Case) -> None:
    assert check(case.path, case.text.replace("\n", "\r\n")) == check(case.path, case.text)


def test_corpus_is_large_and_plants_every_code() -> None:
    assert len(CASES) >= 60
    assert {case.code for case in PLANTED} == set(CODES)
    assert {case.name for case in PLANTED} <= {case.name for case in CLEAN}


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_sentence(code: str, sentence: str) -> None:
    found = check("page.md", f"# Title\n\n{sentence}\n")
    assert [(one.line, one.code) for one in found] == ([(3, code)] if code != "-" else [])


_PIECES = [
    "memories/session/plan-issue-{ID}.md", "Survival: ", "`", "within-conversation", ":", "SMC-01",
    "SMC-99", "| ", "\n", "\n\n", "# ", "```", "---\n", "- ", "1. ", "write ", "read ", "then ",
    "<!-- plan-issue-{ID} -->", "session memory", "fungibility", "partial", "contract: ", "\u0130",
    "code-review-complete-7", "review state ", "lookup chain ", "\r\n", "\u2028",
    "<!-- contract-lint: off -->",
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_has_findings_that_lie_within_it(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for found in check("page.md", text):
        assert found.code in CODES
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1
