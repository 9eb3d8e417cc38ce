"""Review state is read strictly, written in one step, and loses no stage."""

import multiprocessing
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.memory import review_state
from session_memory.memory.caches import Caches, Unwritable
from session_memory.memory.review_state import STAGES, NotReliable, ReviewState, parse, render
from session_memory.memory.sources import ABSENT, FAILED, SESSION
from support import Repository

GOOD = ReviewState(7, "full", True, False, False, "2026-04-24T14:00:00Z")

STATES = st.builds(
    ReviewState,
    issue_id=st.integers(1, 999_999_999),
    review_mode=st.sampled_from(review_state.MODES),
    prosecution_complete=st.booleans(),
    defense_complete=st.booleans(),
    judgment_complete=st.booleans(),
    last_updated=st.datetimes().map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")),
)


@given(STATES, st.sampled_from(["Z", "+00:00", ".1234567Z"]))
def test_a_state_comes_back_out_of_its_text(state: ReviewState, zone: str) -> None:
    stated = ReviewState(**{**vars(state), "last_updated": state.last_updated + zone})
    assert parse(render(stated), stated.issue_id) == stated


@given(st.text(max_size=200))
def test_any_other_text_is_no_state(text: str) -> None:
    with pytest.raises(NotReliable):
        parse(text)


@given(STATES, st.integers(0, 200), st.integers(0, 200))
def test_a_text_that_lost_a_piece_is_no_other_state(
    state: ReviewState, start: int, length: int
) -> None:
    stated = ReviewState(**{**vars(state), "last_updated": "2026-04-24T14:00:00Z"})
    text = render(stated)
    cut = text[:start] + text[start + 1 + length :]
    try:
        found = parse(cut, stated.issue_id)
    except NotReliable:
        return
    assert found.stages == stated.stages


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("---\n", "\n---\n", id="not-at-the-first-byte"),
        pytest.param("---\n", "\ufeff---\n", id="byte-order-mark"),
        pytest.param("14:00:00Z\n---\n", "14:00:00Z\n", id="not-closed"),
        pytest.param("issue_id: 7", "issue_id: 8", id="another-issue"),
        pytest.param("issue_id: 7", "issue_id: 07", id="not-canonical"),
        pytest.param("issue_id: 7", "issue_id: 0", id="no-issue"),
        pytest.param("issue_id: 7", "issue_id: 7\nissue_id: 7", id="twice"),
        pytest.param("issue_id: 7", "issue_id", id="no-colon"),
        pytest.param(": full", ": Full", id="mode-in-capitals"),
        pytest.param(": full", ": post-fix", id="unknown-mode"),
        pytest.param(": full", ":", id="blank"),
        pytest.param("complete: true", "complete: True", id="boolean-in-capitals"),
        pytest.param("complete: true", "complete: yes", id="another-word"),
        pytest.param("14:00:00Z", "14:00:00", id="no-zone"),
        pytest.param("14:00:00Z", "14:00:00+02:00", id="another-zone"),
        pytest.param("14:00:00Z", "14:00:00.12345678Z", id="eight-digits"),
        pytest.param("14:00:00Z", "14:00:00.Z", id="no-digits"),
        pytest.param("04-24", "02-30", id="no-such-day"),
        pytest.param("04-24T", "04-24 ", id="blank-for-T"),
    ],
)
def test_what_is_not_exact_is_not_reliable(old: str, new: str) -> None:
    text = render(GOOD)
    assert old in text
    with pytest.raises(NotReliable):
        parse(text.replace(old, new, 1), 7)


def test_windows_line_ends_and_further_fields_do_no_harm() -> None:
    text = render(GOOD).replace("---\n", "---\nround: 2\n", 1).replace("\n", "\r\n")
    assert parse(text, 7) == GOOD


@pytest.mark.parametrize(
    ("branch", "issue"),
    [
        ("feature/issue-7-cache", 7),
        ("feature/issue-7", None),
        ("feature/issue-0-x", None),
        ("claude/cache-7-a1b2c3", None),
        ("main", None),
        ("", None),
    ],
)
def test_only_a_branch_for_an_issue_keys_a_state(branch: str, issue: "int | None") -> None:
    assert review_state.target(branch) == issue


def test_a_stage_is_added_to_the_others(caches: Caches) -> None:
    review_state.write(caches, 7, ["prosecution"], "lite")
    written = review_state.write(caches, 7, ["judgment"])
    source, state = review_state.read(caches, 7, SESSION)
    assert source.found
    assert state == written.state
    assert state is not None
    assert (state.review_mode, review_state.missing_stages(state.stages)) == ("lite", ["defense"])


def test_a_new_round_begins_with_nothing_done(caches: Caches) -> None:
    review_state.write(caches, 7, STAGES)
    written = review_state.write(caches, 7, ["prosecution"], restart=True)
    assert review_state.missing_stages(written.state.stages) == ["defense", "judgment"]


def test_what_others_added_is_kept(caches: Caches, here: Repository) -> None:
    text = render(GOOD).replace("---\n", "---\nround: 2\n", 1) + "Notes below.\n"
    path = here.write("memories/session/review-state-7.md", text)
    review_state.write(caches, 7, ["defense"])
    assert "round: 2\n---\n" in path.read_text("utf-8")
    assert path.read_text("utf-8").endswith("---\nNotes below.\n")


@pytest.mark.parametrize("content", [b"half a st", b"\xff", b"x" * (5 << 20)])
def test_an_unreliable_file_fails_and_is_set_aside(
    caches: Caches, here: Repository, content: bytes
) -> None:
    path = here.write("memories/session/review-state-7.md", "")
    path.write_bytes(content)
    assert review_state.read(caches, 7, SESSION)[0].outcome == FAILED

    written = review_state.write(caches, 7, ["defense"])

    assert review_state.missing_stages(written.state.stages) == ["prosecution", "judgment"]
    assert (path.parent / written.aside).read_bytes() == content


def test_no_file_is_absent(caches: Caches) -> None:
    assert review_state.read(caches, 7, SESSION)[0].outcome == ABSENT


def test_a_link_is_neither_read_nor_written(
    caches: Caches, here: Repository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(render(GOOD), "utf-8")
    here.session.mkdir(parents=True)
    (here.session / "review-state-7.md").symlink_to(outside)
    source, state = review_state.read(caches, 7, SESSION)
    assert (source.outcome, state) == (FAILED, None)
    with pytest.raises(Unwritable, match="links are not followed"):
        review_state.write(caches, 7, ["defense"])
    assert outside.read_text("utf-8") == render(GOOD)


def _write(caches: Caches, stage: str, together: threading.Barrier) -> None:
    """Marks a stage of three reviews, and counts in a file of its own form."""
    together.wait(60)
    for issue in (7, 8, 9):
        review_state.write(caches, issue, [stage])
        for _ in range(10):
            caches.edit("plan-issue-7.md", lambda old: b"%d" % (int(old or 0) + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_sixteen_writers_lose_nothing(caches: Caches, here: Repository) -> None:
    processes = multiprocessing.get_context("fork")  # which spares sixteen starts of Python
    together = processes.Barrier(16)
    running = [
        processes.Process(target=_write, args=(caches, STAGES[number % 3], together))
        for number in range(16)
    ]
    for process in running:
        process.start()
    for process in running:
        process.join(60)
    assert [process.exitcode for process in running] == [0] * 16
    states = [review_state.read(caches, issue, SESSION)[1] for issue in (7, 8, 9)]
    assert [state and review_state.missing_stages(state.stages) for state in states] == [[]] * 3
    assert caches.read("plan-issue-7.md").text == "480"
    left = sorted(path.name for path in here.session.iterdir() if not path.name.endswith(".lock"))
    files = ["plan-issue-7.md", *(f"review-state-{number}.md" for number in (7, 8, 9))]
    assert left == [".gitignore", *files]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_file_is_for_its_user_alone(caches: Caches, here: Repository) -> None:
    path = here.write("memories/session/review-state-7.md", render(GOOD))
    path.chmod(0o666)
    review_state.write(caches, 7, ["defense"])
    assert path.stat().st_mode & 0o777 == 0o600
    assert here.status() == ""


def test_a_branch_brings_no_state(caches: Caches, here: Repository) -> None:
    here.write("memories/session/review-state-7.md", render(GOOD))
    here.git("add", "--force", "memories")
    source, state = review_state.read(caches, 7, SESSION)
    assert (source.outcome, state) == (FAILED, None)
    assert "a branch may bring it" in source.reason
    here.git("rm", "--quiet", "--cached", "-r", "memories")
    assert review_state.read(caches, 7, SESSION)[1] == GOOD
