"""No command is given that could lose work, and nothing that the repository configures is run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from startup_support import Clone, look
from support import Repository

Change = Callable[[Path], object]


def _commit(clone: Clone, branch: str, change: Change) -> None:
    primary = clone.primary
    primary.git("switch", "--quiet", "--no-track", "--create", branch, "main")
    change(primary.root)
    primary.git("add", "--all")
    primary.git("commit", "--quiet", "--message", "work")
    primary.git("switch", "--quiet", "main")


def _mode_and_line_ends(root: Path) -> None:
    readme = root / "README.md"
    readme.write_bytes(readme.read_bytes().replace(b"\n", b"\r\n"))
    readme.chmod(0o755)


# With --ignore-cr-at-eol, git's ``diff --quiet`` calls some of these the same.
UNMERGED: dict[str, Change] = {
    "mode": lambda root: (root / "README.md").chmod(0o755),
    "mode and line ends": _mode_and_line_ends,
    "rename": lambda root: (root / "done.txt").rename(root / "renamed.txt"),
    "empty file": lambda root: (root / "empty.txt").touch(),
    "deletion": lambda root: (root / "done.txt").unlink(),
    "link": lambda root: (root / "link").symlink_to("README.md"),
    "binary": lambda root: (root / "data.bin").write_bytes(b"\0\r\n"),
    "blank line": lambda root: (root / "done.txt").write_bytes(b"done\n\r\n"),
}


@pytest.mark.parametrize("change", UNMERGED.values(), ids=list(UNMERGED))
def test_any_change_of_a_tree_is_work(clone: Clone, change: Change) -> None:
    _commit(clone, "claude/work", change)

    seen = look(clone.primary.root)

    assert (seen.text, seen.report.fence) == ("", [])


def test_line_ends_alone_are_no_work(clone: Clone) -> None:
    _commit(clone, "claude/work", lambda root: (root / "done.txt").write_bytes(b"done\r\n"))

    assert "but for line ends" in look(clone.primary.root).text


def test_branch_that_two_worktrees_are_on_stays(clone: Clone) -> None:
    clone.branch("claude/done")
    clone.worktree("claude/done")
    second = str(clone.folder / "second")
    clone.primary.git("worktree", "add", "--quiet", "--force", second, "claude/done")

    seen = look(clone.primary.root)

    assert "`claude/done`" in seen.text
    assert seen.report.fence == []
    assert "no command" not in seen.text  # there is one worktree too many, not nothing merged


def test_branch_of_an_unattended_run_stays(clone: Clone) -> None:
    clone.branch("goal-run/7")
    clone.follow("goal-run/7", pruned=True)
    clone.primary.git("switch", "--quiet", "goal-run/7")

    assert look(clone.primary.root).report.fence == []


def test_new_files_that_settings_hide_are_seen(clone: Clone) -> None:
    clone.branch("claude/done")
    linked = clone.worktree("claude/done")
    clone.primary.git("config", "status.showUntrackedFiles", "no")
    linked.write("new.txt", "work")

    seen = look(clone.primary.root)

    assert "has changes that are in no commit" in seen.text
    assert seen.report.fence == []


def test_command_spares_new_files_that_settings_hide(clone: Clone) -> None:
    clone.branch("claude/done")
    linked = clone.worktree("claude/done")
    clone.primary.git("config", "status.showUntrackedFiles", "no")
    (command,) = look(clone.primary.root).report.fence

    linked.write("later.txt", "work")
    refused = subprocess.run(
        ["sh", "-c", command], cwd=clone.primary.root, capture_output=True, check=False
    )

    assert b"untracked" in refused.stderr
    assert (linked.root / "later.txt").exists()


def _inline_command(clone: Clone, linked: Repository) -> str:
    text = look(linked.root).text
    return text.partition("from another worktree: `")[2].partition("`")[0]


def test_worktree_of_the_conversation_goes_as_it_was_looked_at(clone: Clone) -> None:
    clone.branch("claude/it's")
    linked = clone.worktree("claude/it's")
    command = _inline_command(clone, linked)

    subprocess.run(["sh", "-c", command], cwd=clone.primary.root, check=True, capture_output=True)

    assert not linked.root.exists()
    assert clone.primary.git("branch", "--list", "claude/*") == ""


def test_worktree_of_the_conversation_stays_with_what_it_made(clone: Clone) -> None:
    clone.branch("claude/done")
    linked = clone.worktree("claude/done")
    command = _inline_command(clone, linked)
    linked.git("commit", "--quiet", "--allow-empty", "--message", "made later")

    done = subprocess.run(
        ["sh", "-c", command], cwd=clone.primary.root, capture_output=True, check=False
    )

    assert done.returncode != 0
    assert linked.root.exists()
    assert "made later" in clone.primary.git("log", "--format=%s", "claude/done")


PROGRAMS = [
    "filter.any.clean", "filter.any.smudge", "filter.any.process", "core.fsmonitor",
    "diff.external", "diff.any.textconv", "diff.any.command", "merge.any.driver", "core.pager",
    "core.editor", "core.sshCommand", "credential.helper", "uploadpack.packObjectsHook",
]  # fmt: skip


@pytest.mark.parametrize("setting", PROGRAMS)
def test_no_program_of_the_settings_is_run(clone: Clone, setting: str) -> None:
    clone.branch("claude/done")
    linked = clone.worktree("claude/done")
    ran = clone.folder / "ran"
    clone.primary.git("config", setting, f"touch {ran}; cat")
    info = clone.primary.root / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("* filter=any diff=any merge=any\n")
    for name in ("README.md", "done.txt"):
        os.utime(linked.root / name, (1, 1))  # git has to compare what they hold

    seen = look(clone.primary.root)

    assert len(seen.report.fence) == 1
    assert not ran.exists()
    linked.git("status", "--porcelain")
    assert ran.exists() == (setting in ("filter.any.clean", "filter.any.process", "core.fsmonitor"))


def test_filter_that_cannot_be_left_out_is_not_run(clone: Clone) -> None:
    clone.branch("claude/done")
    linked = clone.worktree("claude/done")
    ran = clone.folder / "ran"
    clone.primary.git("config", "filter.a=b.clean", f"touch {ran}; cat")
    info = clone.primary.root / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("* filter=a=b\n")
    os.utime(linked.root / "README.md", (1, 1))

    assert len(look(clone.primary.root).report.fence) == 1
    assert not ran.exists()
