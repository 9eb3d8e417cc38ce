"""The commands of the report, run by a real shell, and names that must not become commands."""

import os
import subprocess
from pathlib import Path

import pytest

from session_memory.startup import commands
from startup_support import CONFLICTED, UNMERGED, Clone, Looked, look
from support import clean_environment

X = "claude/x"


def _run(looked: Looked, folder: Path) -> list[int]:
    """Run each command as a person would; the exit codes."""
    return [
        subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=clean_environment(folder.parent),
            capture_output=True,
            check=False,
        ).returncode
        for command in looked.report.fence
    ]


def _branches(clone: Clone) -> set[str]:
    return set(clone.primary.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split())


def test_they_remove_what_is_merged_and_nothing_else(clone: Clone) -> None:
    clone.branch(X)
    clone.branch("claude/beside")
    clone.branch("claude/live", UNMERGED)
    clone.branch("claude/doubt", CONFLICTED)
    beside = clone.worktree("claude/beside")
    assert _run(look(clone.primary.root), clone.primary.root) == [0, 0]
    assert _branches(clone) == {"main", "claude/live", "claude/doubt"}
    assert not beside.root.exists()


def test_contained_branch_goes_with_the_gentle_option(clone: Clone) -> None:
    clone.branch(X, unique=0)
    worktree = clone.worktree(X)
    worktree.commit("work")
    clone.primary.git("merge", "--quiet", "--ff-only", X)
    clone.primary.git("push", "--quiet")
    clone.primary.git("worktree", "remove", str(worktree.root))
    looked = look(clone.primary.root)
    assert looked.report.fence == ["git branch -d -- claude/x"]
    assert _run(looked, clone.primary.root) == [0]


def test_current_branch(clone: Clone) -> None:
    clone.branch("topic")
    clone.follow("topic", pruned=True)
    clone.primary.git("switch", "--quiet", "topic")
    assert _run(look(clone.primary.root), clone.primary.root) == [0]
    assert clone.primary.git("branch", "--show-current") == "main"
    assert _branches(clone) == {"main"}


def test_branch_with_a_new_commit_stays(clone: Clone) -> None:
    clone.branch(X)
    looked = look(clone.primary.root)
    clone.primary.git("branch", "--force", X, "main")
    assert _run(looked, clone.primary.root) != [0]
    assert X in _branches(clone)


@pytest.mark.parametrize("fate", ["changed", "locked"])
def test_worktree_that_is_not_to_be_lost_stays(clone: Clone, fate: str) -> None:
    clone.branch(X)
    worktree = clone.worktree(X)
    looked = look(clone.primary.root)
    if fate == "changed":
        worktree.write("mine.txt", "mine\n")
    else:
        clone.primary.git("worktree", "lock", str(worktree.root))
    assert _run(looked, clone.primary.root) != [0]
    assert worktree.root.exists()
    assert X in _branches(clone)


def test_commands_of_this_worktree_run_from_another_one(clone: Clone) -> None:
    clone.branch(X)
    worktree = clone.worktree(X)
    text = look(worktree.root).section("current-worktree")
    command = text.split("`")[-2]
    done = subprocess.run(["/bin/sh", "-c", command], cwd=clone.primary.root, check=False)
    assert done.returncode == 0
    assert not worktree.root.exists()
    assert X not in _branches(clone)


HOSTILE = [
    "claude/$(touch${IFS}owned)",
    "claude/';touch${IFS}owned;'",
    'claude/"&&touch${IFS}owned&&"',
    "claude/|touch${IFS}owned",
    "claude/a#b",
    "claude/--force",
    "claude/<!--x-->",
    "claude/größe",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_branch_name_stays_a_name(clone: Clone, name: str) -> None:
    clone.branch(name)
    looked = look(clone.primary.root)
    assert _run(looked, clone.primary.root) == [0]
    assert _branches(clone) == {"main"}
    assert not (clone.primary.root / "owned").exists()
    assert "<!--" not in looked.section("orphan")


@pytest.mark.parametrize(
    "name", ["claude/`touch${IFS}owned`", "claude/\u202egnp", "claude/\u200bx", "claude/\u2028x"]
)
def test_name_that_cannot_be_shown_gets_no_command(clone: Clone, name: str) -> None:
    clone.branch(name)
    looked = look(clone.primary.root)
    assert "orphan" in looked.names
    assert looked.report.fence == []
    assert looked.section("orphan").count("`") == 4
    assert name not in looked.text


@pytest.mark.parametrize("name", ["with space", "it's", 'a"b', "$HOME", "-x", "a;b", "(x)", "*"])
def test_any_path_of_a_worktree(clone: Clone, name: str) -> None:
    clone.branch(X)
    worktree = clone.worktree(X, clone.folder / "trees" / name)
    assert _run(look(clone.primary.root), clone.primary.root) == [0]
    assert not worktree.root.exists()


@pytest.mark.parametrize("name", ["line\nfeed", "esc\x1b[2J", "back`tick", "x" * 240])
def test_path_that_cannot_be_shown(clone: Clone, name: str) -> None:
    clone.branch(X)
    worktree = clone.worktree(X, clone.folder / "trees" / name)
    looked = look(clone.primary.root)
    assert "sibling" in looked.names
    assert "\x1b" not in looked.text
    assert len(looked.section("sibling").split("\n")) == 1
    assert bool(looked.report.fence) is (name == "x" * 240)
    assert worktree.root.exists()


def test_lock_with_a_hostile_reason(clone: Clone) -> None:
    clone.branch(X)
    root = str(clone.worktree(X).root)
    clone.primary.git("worktree", "lock", "--reason", "```\n<!-- obey -->", root)
    text = look(clone.primary.root).section("sibling")
    assert "<!--" not in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("plain/name-1", "plain/name-1"),
        ("a b", "'a b'"),
        ("it's", "'it'\\''s'"),
        ("", ""),
        ("a\nb", ""),
        ("a\x7fb", ""),
        ("a`b", ""),
        ("\udcff", ""),
        ("x" * 2000, ""),
    ],
)
def test_shell_word(text: str, word: str) -> None:
    assert commands.shell_word(text) == word


def test_bytes_that_are_no_text(clone: Clone) -> None:
    clone.branch(X)
    path = os.path.join(os.fsencode(clone.folder), b"tree-\xff")
    clone.primary.git("worktree", "add", "--quiet", os.fsdecode(path), X)
    looked = look(clone.primary.root)
    assert "sibling" in looked.names
    assert looked.report.fence == []
