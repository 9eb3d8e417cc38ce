"""The text: its sections, its lines, its bounds."""

from pathlib import Path

import pytest

from session_memory.core import reply
from session_memory.core.quoting import quoted
from session_memory.startup import items, report
from startup.looks import Start
from startup_support import CONFLICTED, MERGED, UNMERGED, Clone, look

X = "claude/x"
HEADING = (
    "Start-up check: {}. Local facts as of the last fetch; nothing was fetched or changed."
    " Quoted names come from the repository."
)


def _lines(clone: Clone) -> list[str]:
    return look(clone.primary.root).text.split("\n")


def test_merged_branch(clone: Clone) -> None:
    tip = clone.branch(X)
    assert _lines(clone) == [
        HEADING.format("branches without a worktree"),
        "- Branch `claude/x` is merged: its content equals `origin/main`.",
        report._SAFE,
        "```sh",
        f"git update-ref -d refs/heads/claude/x {tip}",
        "```",
    ]


def test_merged_worktree(clone: Clone) -> None:
    clone.branch(X)
    path = quoted(str(clone.worktree(X).root))
    assert _lines(clone)[:2] == [
        HEADING.format("other worktrees"),
        f"- Worktree of `claude/x` at {path} is merged: its content equals `origin/main`.",
    ]


def test_undecided_branch_has_no_command(clone: Clone) -> None:
    clone.branch(X, CONFLICTED)
    assert _lines(clone)[1:] == [
        (
            "- Branch `claude/x` needs a look:"
            " comparing it with `origin/main` gives no clear answer."
        ),
        "- Remote and GitHub were not asked: the network is off (`startup.network`).",
        "Nothing here is shown to be merged, so there is no command to run.",
    ]


def test_branch_that_is_worked_on_is_not_mentioned(clone: Clone) -> None:
    clone.branch(X, UNMERGED)
    clone.worktree(X)
    assert look(clone.primary.root).text == ""


def test_branch_that_may_be_new_is_counted_if_there_is_a_report_anyway(clone: Clone) -> None:
    clone.branch(X)
    clone.branch("claude/new", unique=0)
    text = look(clone.primary.root).text
    assert "1 branch without own commits, which may be new, could not be judged" in text
    assert "`claude/new`" not in text


def test_pushed_branch_that_is_gone_is_told_without_commits_of_its_own(clone: Clone) -> None:
    clone.branch("feature/issue-4-x", unique=0)
    clone.follow("feature/issue-4-x", pruned=True)
    assert _lines(clone)[1] == (
        "- Branch `feature/issue-4-x`, whose upstream `origin/feature/issue-4-x` is gone, needs a"
        " look: it has no commits of its own, and GitHub, which can tell, was not asked."
    )


def test_worktree_with_changes_gets_no_command(clone: Clone) -> None:
    clone.branch(X)
    clone.worktree(X).write("mine.txt", "mine\n")
    looked = look(clone.primary.root)
    assert looked.report.fence == []
    assert "has changes that are in no commit" in looked.section("sibling-manual")


def test_locked_worktree(clone: Clone) -> None:
    clone.branch(X)
    root = clone.worktree(X).root
    clone.primary.git("worktree", "lock", str(root))
    assert "(locked) is merged" in look(clone.primary.root).text


@pytest.mark.parametrize("verdict", [MERGED, UNMERGED, CONFLICTED])
def test_current_branch_whose_upstream_is_gone(clone: Clone, verdict: str) -> None:
    clone.branch("topic", verdict)
    clone.follow("topic", pruned=True)
    clone.primary.git("switch", "--quiet", "topic")
    looked = look(clone.primary.root)
    text = looked.section("stale-branch")
    assert text.startswith("- The current branch `topic` follows `origin/topic`, which is gone. ")
    assert ("Merged: its content equals" in text) is (verdict == MERGED)
    assert ("Not shown to be merged: " in text) is (verdict != MERGED)
    assert bool(looked.report.fence) is (verdict == MERGED)


def test_current_branch_in_a_linked_worktree_goes_from_elsewhere(clone: Clone) -> None:
    clone.branch("topic")
    clone.follow("topic", pruned=True)
    looked = look(clone.worktree("topic").root)
    assert "can be removed from another one" in looked.text
    assert looked.report.fence == []


def test_order_of_sections(clone: Clone) -> None:
    for name, verdict in {
        "claude/here": MERGED,
        "claude/beside": MERGED,
        "claude/doubt": CONFLICTED,
        "claude/left": MERGED,
        "claude/open": CONFLICTED,
        "goal-run/n": UNMERGED,
    }.items():
        clone.branch(name, verdict)
    here = clone.worktree("claude/here")
    clone.worktree("claude/beside")
    clone.worktree("claude/doubt")
    here.write(".copilot-tracking/notes.md", "")
    looked = look(here.root)
    assert list(looked.report.sections) == [
        "tracking" if name == "notes" else name
        for name in (
            "current-worktree",
            "notes",
            "sibling",
            "orphan",
            "sibling-manual",
            "orphan-manual",
            "goal-run",
            "network-note",
        )
    ]
    subjects = (
        "tracking files, this worktree, other worktrees, branches without a worktree"
        " and unattended runs"
    )
    assert looked.text.startswith(HEADING.format(subjects))


def test_current_worktree_with_changes_is_not_offered(clone: Clone) -> None:
    clone.branch(X)
    here = clone.worktree(X)
    here.write("mine.txt", "mine\n")
    text = look(here.root).section("current-worktree")
    assert "is not shown to be merged" in text
    assert "git worktree remove" not in text


def test_current_worktree_before_its_first_commit_is_not_mentioned(clone: Clone) -> None:
    clone.branch(X, unique=0)
    assert look(clone.worktree(X).root).text == ""


def test_lines_are_bounded_and_commands_are_not(clone: Clone) -> None:
    for index in range(13):
        clone.branch(f"claude/{index:02}")
    looked = look(clone.primary.root)
    assert len(looked.report.sections["orphan"]) == 10
    assert looked.section("overflow") == f"- 3 `claude/` branches more: `{items.LIST_CLAUDE}`"
    assert len(looked.report.fence) == 13


def test_branches_of_features_are_all_shown(clone: Clone) -> None:
    for index in range(12):
        clone.branch(f"feature/issue-{index + 1}-x")
        clone.follow(f"feature/issue-{index + 1}-x", pruned=True)
    assert len(look(clone.primary.root).report.sections["orphan"]) == 12


def test_whole_report_fits_into_a_reply(clone: Clone, tmp_path: Path) -> None:
    long = "x" * 120
    for index in range(60):
        clone.branch(f"feature/issue-{index + 1}-{long}")
        clone.follow(f"feature/issue-{index + 1}-{long}", pruned=True)
        clone.primary.write(f".copilot-tracking/{index}-{long}.md", "")
    text = look(clone.primary.root).text
    assert reply.fit(text) == text
    assert "lines more: `session-memory startup show`" in text
    assert text.endswith("commands more: session-memory startup show\n```")


def test_report_by_hand_has_no_bound(clone: Clone) -> None:
    for index in range(60):
        clone.branch(f"claude/{'x' * 60}-{index}")
    made = look(clone.primary.root).report
    assert made.whole.count("git update-ref -d") == 60
    assert made.text.count("git update-ref -d") < 60


def test_files_that_the_user_ignores_everywhere_are_no_changes(
    clone: Clone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clone.primary.git("config", "core.excludesFile", str(tmp_path / "ignored"))
    (tmp_path / "ignored").write_text("*.swp\n")
    clone.branch(X)
    clone.worktree(X).write("notes.swp", "")
    assert len(look(clone.primary.root).report.fence) == 1


def test_hook_says_what_the_report_says(clone: Clone, start: Start) -> None:
    clone.branch(X)
    assert start(cwd=str(clone.primary.root)).context == look(clone.primary.root).text
    start(cwd=str(clone.primary.root)).assert_quiet()
    assert clone.primary.status() == ""
