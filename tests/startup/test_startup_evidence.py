"""Evidence in real repositories: what git says, and what is made of it."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from session_memory.startup import limits, probes, temporary
from session_memory.startup.run import Run
from session_memory.startup.scratch import Scratch
from startup_support import CONFLICTED, CONTENTS, MERGED, UNMERGED, Clone, Looked, Programs, look

X = "claude/x"


def _result(looked: Looked, name: str = X) -> tuple[str, str]:
    """The outcome with the signal or the reason."""
    found = {each.name: each.result for each in looked.found.candidates}[name]
    assert found
    return found.outcome, found.signal or found.reason


EXPECTED = {
    MERGED: ("eligible", "tree-equivalent"),
    "merged:tree-equivalent-cr-only": ("eligible", "tree-equivalent-cr-only"),
    "merged:merge-tree-noop": ("eligible", "merge-tree-noop"),
    UNMERGED: ("definitively-unmerged", "unmerged-commits"),
    CONFLICTED: ("not-eligible", "inconclusive"),
    "undetermined": ("not-eligible", "inconclusive"),
}


@pytest.mark.parametrize("verdict", CONTENTS)
def test_content(clone: Clone, verdict: str) -> None:
    clone.branch(X, verdict)
    assert _result(look(clone.primary.root)) == EXPECTED[verdict]


def test_all_contents_in_one_batch(clone: Clone) -> None:
    for index, verdict in enumerate(CONTENTS):
        clone.branch(f"claude/{index}", verdict)
    looked = look(clone.primary.root)
    found = [_result(looked, f"claude/{index}") for index in range(len(CONTENTS))]
    assert found == list(EXPECTED.values())


def test_git_without_batches_of_merges(clone: Clone, tmp_path: Path) -> None:
    for index, verdict in enumerate(CONTENTS):
        clone.branch(f"claude/{index}", verdict)
    older = 'case "$*" in *merge-tree*--stdin*) exit 129;; esac'
    with Programs.first(tmp_path / "bin", git=older):
        looked = look(clone.primary.root)
    found = [_result(looked, f"claude/{index}") for index in range(len(CONTENTS))]
    assert found == list(EXPECTED.values())


def test_git_that_cannot_merge_in_memory(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X, UNMERGED)
    clone.branch("claude/same")
    with Programs.first(tmp_path / "bin", git='case "$*" in *merge-tree*) exit 129;; esac'):
        looked = look(clone.primary.root)
    assert _result(looked) == ("not-eligible", "git-signal-failed")
    assert _result(looked, "claude/same") == ("eligible", "tree-equivalent")


def test_merged_then_reverted_is_not_merged(clone: Clone) -> None:
    clone.branch(X)
    clone.primary.git("revert", "--no-edit", "HEAD")
    clone.primary.git("push", "--quiet")
    assert _result(look(clone.primary.root))[0] == "definitively-unmerged"


def test_merged_while_the_default_branch_moved_on(clone: Clone) -> None:
    clone.branch(X)
    clone.primary.write("later.txt", "later\n")
    clone.primary.commit("later")
    clone.primary.git("push", "--quiet")
    assert _result(look(clone.primary.root)) == ("eligible", "merge-tree-noop")


def test_merged_here_and_not_pushed_is_not_merged(clone: Clone) -> None:
    clone.branch(X, UNMERGED)
    clone.primary.git("merge", "--quiet", "--no-edit", X)
    assert _result(look(clone.primary.root))[0] == "definitively-unmerged"


def test_commits_without_changes_are_no_evidence(clone: Clone) -> None:
    tip = clone.primary.git("commit-tree", "main^{tree}", "-p", "main", "-m", "empty")
    clone.primary.git("branch", X, tip)
    assert _result(look(clone.primary.root)) == ("not-eligible", "inconclusive")


def test_merge_commits_alone_are_no_evidence(clone: Clone) -> None:
    parents = ("-p", "main", "-p", clone.base)
    tip = clone.primary.git("commit-tree", "main^{tree}", *parents, "-m", "merge")
    clone.primary.git("branch", X, tip)
    assert _result(look(clone.primary.root)) == ("not-eligible", "inconclusive")


def test_branch_without_commits_may_be_new(clone: Clone) -> None:
    clone.branch(X, unique=0)
    looked = look(clone.primary.root)
    assert _result(looked) == ("not-eligible", "network-off")
    assert looked.text == ""


def test_branch_behind_the_default_branch_may_be_new(clone: Clone) -> None:
    clone.primary.git("branch", X, clone.base)
    assert _result(look(clone.primary.root))[0] == "not-eligible"


def test_branch_that_was_merged_by_a_fast_forward(clone: Clone) -> None:
    worktree = _grown(clone)
    clone.primary.git("merge", "--quiet", "--ff-only", X)
    clone.primary.git("push", "--quiet")
    assert _result(look(worktree)) == ("eligible", "commits-contained")


def test_branch_that_was_merged_by_a_merge_commit(clone: Clone) -> None:
    worktree = _grown(clone)
    clone.primary.commit("meanwhile")
    clone.primary.git("merge", "--quiet", "--no-edit", X)
    clone.primary.git("push", "--quiet")
    assert _result(look(worktree)) == ("eligible", "commits-contained")


def test_branch_that_was_reset_to_the_default_branch_may_be_new(clone: Clone) -> None:
    worktree = _grown(clone)
    clone.primary.git("-C", str(worktree), "reset", "--quiet", "--hard", "origin/main")
    assert _result(look(clone.primary.root))[0] == "not-eligible"


def test_without_its_reflog_a_branch_may_be_new(clone: Clone) -> None:
    _grown(clone)
    clone.primary.git("merge", "--quiet", "--ff-only", X)
    clone.primary.git("push", "--quiet")
    (clone.primary.root / ".git/logs/refs/heads" / X).unlink()
    assert _result(look(clone.primary.root))[0] == "not-eligible"


def test_huge_reflog_is_not_read(clone: Clone) -> None:
    _grown(clone)
    clone.primary.git("merge", "--quiet", "--ff-only", X)
    clone.primary.git("push", "--quiet")
    log = clone.primary.root / ".git/logs/refs/heads" / X
    log.write_bytes(b"x" * (1 << 20) + b"\n" + log.read_bytes())
    assert _result(look(clone.primary.root))[0] == "not-eligible"


def _grown(clone: Clone) -> Path:
    """A worktree in which a commit is made, as people make them."""
    clone.branch(X, unique=0)
    worktree = clone.worktree(X)
    worktree.commit("work")
    return worktree.root


def test_unrelated_history_is_undecided(clone: Clone) -> None:
    tip = clone.primary.git("commit-tree", f"{clone.base}^{{tree}}", "-m", "unrelated")
    clone.primary.git("branch", X, tip)
    assert _result(look(clone.primary.root))[0] == "not-eligible"


def test_missing_objects_spoil_no_other_branch(clone: Clone) -> None:
    clone.branch("claude/good")
    tip = clone.branch("claude/lost", UNMERGED)
    (clone.primary.root / ".git/objects" / tip[:2] / tip[2:]).unlink()
    looked = look(clone.primary.root)
    assert _result(looked, "claude/good") == ("eligible", "tree-equivalent")
    assert _result(looked, "claude/lost") == ("not-eligible", "git-signal-failed")


def test_ref_that_is_garbage_spoils_no_other_branch(clone: Clone) -> None:
    clone.branch("claude/good")
    (clone.primary.root / ".git/refs/heads/claude/bad").write_text("nonsense\n")
    assert _result(look(clone.primary.root), "claude/good")[0] == "eligible"


def test_replaced_commits_do_not_count(clone: Clone) -> None:
    tip = clone.branch(X, UNMERGED)
    clone.primary.git("replace", tip, "main")
    assert _result(look(clone.primary.root))[0] == "definitively-unmerged"


def test_merge_driver_of_the_repository_is_not_run(clone: Clone, tmp_path: Path) -> None:
    clone.primary.git("config", "merge.evil.driver", f"touch {tmp_path}/owned; exit 0")
    (clone.primary.root / ".git/info").mkdir(exist_ok=True)
    (clone.primary.root / ".git/info/attributes").write_text("* merge=evil\n")
    clone.branch(X, CONFLICTED)
    assert _result(look(clone.primary.root)) == ("not-eligible", "inconclusive")
    assert not (tmp_path / "owned").exists()


def test_shallow_clone(clone: Clone, tmp_path: Path) -> None:
    url = f"file://{clone.remote.root}"
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", url, str(tmp_path / "shallow")],
        check=True,
        capture_output=True,
    )
    shallow = Clone(tmp_path, type(clone.primary)(tmp_path / "shallow"), clone.remote, "main")
    tip = shallow.primary.git("commit-tree", "main^{tree}", "-p", "main", "-m", "empty")
    shallow.primary.git("branch", X, tip)
    assert _result(look(shallow.primary.root)) == ("not-eligible", "inconclusive")


def test_sha256_repository(tmp_path: Path) -> None:
    made = Clone.make(tmp_path).primary.create(tmp_path / "sha256", "--object-format=sha256")
    made.git("branch", "base")
    made.write("done.txt", "done\n")
    made.commit("squash")
    made.git("update-ref", "refs/remotes/origin/main", "main")
    tip = made.git("commit-tree", "main^{tree}", "-p", "base", "-m", "work")
    made.git("branch", X, tip)
    assert _result(look(made.root)) == ("eligible", "tree-equivalent")


@pytest.mark.parametrize("name", ["with space", 'quo"te', "line\nfeed", "#hash", "colon:name"])
def test_folder_with_any_name(clone: Clone, tmp_path: Path, name: str) -> None:
    clone.branch(X)
    os.rename(clone.primary.root, tmp_path / name)
    assert _result(look(tmp_path / name))[0] == "eligible"


def test_nothing_in_the_repository_changes(clone: Clone) -> None:
    for index, verdict in enumerate(CONTENTS):
        clone.branch(f"claude/{index}", verdict)
        clone.worktree(f"claude/{index}")
    before = _contents(clone.folder)
    assert look(clone.primary.root).text
    assert _contents(clone.folder) == before


def _contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_nothing_is_left_in_the_temporary_folder(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "_places", lambda: [str(tmp_path / "tmp")])
    (tmp_path / "tmp").mkdir()
    clone.branch(X)
    assert _result(look(clone.primary.root))[0] == "eligible"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_without_a_temporary_folder_nothing_is_decided(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "_places", lambda: [str(tmp_path / "missing")])
    clone.branch(X)
    assert _result(look(clone.primary.root)) == ("not-eligible", "git-signal-failed")


def test_what_is_not_reached_in_time_is_undecided(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X)
    with Programs.first(tmp_path / "bin", git='case "$*" in *rev-list*) sleep 60;; esac'):
        began = time.monotonic()
        looked = look(clone.primary.root, seconds=limits.RESERVE_S + 0.5)
    assert time.monotonic() - began < 3
    assert _result(looked) == ("not-eligible", "free-phase-bound")
    assert "needs a look: the time for looking at branches was used up" in looked.text


def test_children_of_a_slow_git_end_with_it(clone: Clone, tmp_path: Path) -> None:
    clone.branch(X)
    child = f'case "$*" in *rev-list*) sleep 31 & echo $! > {tmp_path}/pid; wait;; esac'
    with Programs.first(tmp_path / "bin", git=child):
        look(clone.primary.root, seconds=limits.RESERVE_S + 0.5)
    pid = int((tmp_path / "pid").read_text())
    time.sleep(0.05)
    status = Path(f"/proc/{pid}/stat")
    assert not status.exists() or status.read_text().split()[2] in "ZX"


def test_endless_output_is_cut(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    from session_memory.startup import processes

    monkeypatch.setattr(processes, "MAX_OUTPUT", 1000)
    child = processes.Child(["sh", "-c", "while :; do echo 0123456789; done"])
    began = time.monotonic()
    processes.run_all([child], str(clone.folder), dict(os.environ), began + 20)
    assert time.monotonic() - began < 5
    assert (child.code, child.output) == (None, b"")


def test_program_that_is_not_there(tmp_path: Path) -> None:
    from session_memory.startup import processes

    child = processes.Child([str(tmp_path / "none")])
    processes.run_all([child], str(tmp_path), {}, time.monotonic() + 5)
    assert not child.succeeded


def test_batch_that_ends_early_counts_as_far_as_it_came() -> None:
    output = b"1\0aa\0\0" + b"0\0bb\0file\0other\0\0" + b"1\0c"
    assert probes._records(output) == [(0, "aa"), (1, "bb")]


def test_the_store_is_removed_even_if_it_cannot_be_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "_places", lambda: [str(tmp_path)])
    monkeypatch.setattr(Scratch, "_fill", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        Scratch("/nowhere", 40, Run(lambda: False))
    assert list(tmp_path.iterdir()) == []
