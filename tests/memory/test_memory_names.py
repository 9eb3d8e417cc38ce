"""Names of files are made of validated ids, and read back."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session_memory.memory import names
from session_memory.memory.names import BadName, Bundle

NUMBERS = st.integers(1, 999_999_999)
SCOPES = st.from_regex(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?", fullmatch=True)


@given(NUMBERS)
def test_an_issue_comes_back_out_of_its_names(issue: int) -> None:
    made = [names.plan(issue), names.design(issue), names.review_state(issue)]
    found = [names.recognise(file) for file in made]
    assert [(shape.name, int(own)) for shape, own in filter(None, found)] == [
        ("plan", issue),
        ("design", issue),
        ("review-state", issue),
    ]


@given(st.lists(NUMBERS, min_size=2, max_size=20, unique=True))
def test_a_bundle_comes_back_out_of_its_name(issues: list[int]) -> None:
    bundle = Bundle(tuple(issues))
    assert Bundle.parse(bundle.file) == Bundle.parse(bundle.name) == bundle
    assert len(bundle.file) < 255


@settings(max_examples=40)
@given(SCOPES)
def test_a_scope_comes_back_out_of_its_name(scope: str) -> None:
    found = names.recognise(names.deferred_work(scope))
    assert found is not None
    assert (found[0].name, found[1]) == ("deferred-work", scope)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=300))
def test_any_folder_has_a_short_key_without_a_separator(folder: str) -> None:
    key = names.install_prompt("/" + folder)
    assert len(key) == len(names.PROMPT_PREFIX) + 12
    assert names.recognise(key)


def test_two_ways_to_a_folder_have_one_key(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    keys = {names.install_prompt(str(tmp_path / name)) for name in ("real", "link", "real/../link")}
    assert len(keys) == 1


@pytest.mark.parametrize("issue", [0, -1, 1_000_000_000, "7/../8", True, None])
def test_what_is_no_number_names_no_file(issue: object) -> None:
    with pytest.raises(BadName):
        names.plan(issue)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    ["", "7", "7-", "7-7", "07-8", "7-8-../9", "7--8", "-7-8", "7-8\n", "-".join(["1"] * 21)],
)
def test_what_is_no_bundle_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        Bundle.parse(name)


def test_a_bundle_has_a_bounded_number_of_issues() -> None:
    with pytest.raises(BadName, match="at most 20"):
        Bundle.parse("-".join(str(number) for number in range(1, 22)))


@pytest.mark.parametrize(
    "scope", ["", "..", ".a", "a.", "A", "a/b", "a\0", "a b", "a\n", "é", "a" * 65, "-", "a-"]
)
def test_what_is_no_scope_is_refused(scope: str) -> None:
    with pytest.raises(BadName, match="a scope is"):
        names.deferred_work(scope)


@pytest.mark.parametrize(
    "file",
    ["plan-issue-7.md.lock", "plan-issue-07.md", "plan-bundle-7.md", "notes.md", "plan-issue-.md"],
)
def test_other_files_are_not_recognised(file: str) -> None:
    assert names.recognise(file) is None
