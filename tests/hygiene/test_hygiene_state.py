"""The key of a decision, and its document."""

from typing import Any

import pytest

from session_memory.hygiene import state

Document = dict[str, Any]


@pytest.mark.parametrize(
    ("session_id", "branch", "sha", "wanted"),
    [
        ("session-422", "main", "", ("session-422", "session_id")),
        (" a/b ", "main", "", ("a-b", "session_id")),
        ("///", "main", "", ("main", "branch_slug")),
        ("", "feature/issue-389-x", "", ("389", "branch_slug")),
        ("", "hotfix/issue-12-and-issue-34", "", ("12", "branch_slug")),
        ("", "issue-x/Issue-7", "", ("7", "branch_slug")),
        ("", "tissue-box", "", ("tissue-box", "branch_slug")),
        ("", "chore/Tidy up!", "", ("chore-Tidy-up", "branch_slug")),
        ("", "@@@", "07d21d0", ("07d21d0", "session_fallback")),
        ("", "", "07d21d0" + "0" * 33, ("07d21d000000", "session_fallback")),
        ("", "", "", ("session", "session_fallback")),
        ("...", "---", "", ("session", "session_fallback")),
    ],
)
def test_key(session_id: str, branch: str, sha: str, wanted: tuple[str, str]) -> None:
    assert state.hygiene_key(session_id, branch, sha) == wanted


@pytest.mark.parametrize("branch", ["b" * 5000, "issue-" + "1" * 5000])
def test_names_are_bounded_and_stay_apart(branch: str) -> None:
    names = {
        state.state_name(state.hygiene_key("", text, "")[0]) for text in (branch, branch + "1")
    }
    assert len(names) == 2
    assert all(len(name) < 200 for name in names)


CREDIT: Document = {"symmetric_bump_credit": {"status": "passed"}}
PROPOSAL: Document = {
    "proposed_level": "patch",
    "chosen_level": None,
    "keying_strategy": "session_id",
    "touched_files": ["a"],
}


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        (None, False),
        ({}, False),
        (CREDIT, False),
        ({"proposed_level": None, "chosen_level": None}, False),
        ({"proposed_level": 1}, False),
        (PROPOSAL, True),
        ({"chosen_level": "skip"}, True),
    ],
)
def test_is_proposal(document: Document | None, wanted: bool) -> None:
    assert state.is_proposal(document) is wanted


def test_first_proposal() -> None:
    assert state.with_proposal(None, "session_id", ["a"]) == PROPOSAL


def test_proposal_keeps_everything_else() -> None:
    document = {
        **CREDIT,
        **PROPOSAL,
        "proposed_level": "minor",
        "chosen_level": "major",
        "own": [1],
    }
    assert state.with_proposal(document, "branch_slug", ["b", "a"]) == {
        **document,
        "keying_strategy": "branch_slug",
        "touched_files": ["a", "b"],
    }


def test_nothing_new_is_not_written() -> None:
    assert state.with_proposal(PROPOSAL, "session_id", ["a"]) is None


def test_files_that_are_none_are_dropped() -> None:
    changed = state.with_proposal({**PROPOSAL, "touched_files": ["a", 1, "a"]}, "session_id", ["b"])
    assert changed is not None
    assert changed["touched_files"] == ["a", "b"]
    assert state.recorded_files({"touched_files": "a"}) == []


def test_credit_is_overwritten() -> None:
    later: Document = {"status": "failed"}
    assert state.with_credit(CREDIT, later, ["a"]) == {"symmetric_bump_credit": later}


def test_credit_notes_files_beside_a_proposal() -> None:
    changed = state.with_credit(PROPOSAL, {"status": "passed"}, ["b"])
    assert changed == {**PROPOSAL, **CREDIT, "touched_files": ["a", "b"]}


def test_files_are_bounded() -> None:
    names = [str(number) for number in range(5000)]
    assert len(state.joined([], names)) == 2000
    assert state.joined(names, ["more"]) == names
