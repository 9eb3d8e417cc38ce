"""Archiving: files move whole, none replaces another, and nothing outside is touched."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import environment
from session_memory.core import ignore
from session_memory.core.system import native
from session_memory.tracking import archive
from session_memory.tracking.selection import NotArchivable, Selection, select
from session_memory.tracking.survey import TrackingFile, survey
from support import ROOT, Repository

# 14 November 2023, 22:13:20 UTC.
CHANGED = 1_700_000_000
NOW = 1_780_000_000.0  # in May 2026
MONTH = ".copilot-tracking-archive/2026/05"


def note(repo: Repository, name: str, text: str = "# Note\n") -> Path:
    path = repo.write(f".copilot-tracking/{name}", text)
    os.utime(path, (CHANGED, CHANGED))
    return path


def all_work(repo: Repository) -> list[TrackingFile]:
    found = survey(str(repo.root))
    issues = {file.issue for file in found.files if file.issue is not None}
    return select(found, Selection(frozenset(issues), untagged=True))


def run(repo: Repository, now: float = NOW) -> list[archive.Move]:
    return list(archive.run(str(repo.root), all_work(repo), now, hide=True))


def filed(repo: Repository) -> dict[str, str]:
    """The archive: path below it, and content."""
    top = repo.root / ".copilot-tracking-archive"
    paths = [path for path in top.rglob("*") if path.is_file() and path.name != ".gitignore"]
    return {path.relative_to(top).as_posix(): path.read_text() for path in paths}


def test_file_of_an_issue_keeps_its_name_and_folders(repo: Repository) -> None:
    note(repo, "research/deep/topic.md", "issue_id: 185\n")

    (move,) = run(repo)

    assert move.target == f"{MONTH}/issue-185/research/deep/topic.md"
    assert filed(repo) == {"2026/05/issue-185/research/deep/topic.md": "issue_id: 185\n"}


def test_file_without_an_issue_gets_the_time_of_its_last_change(repo: Repository) -> None:
    note(repo, "research/topic.md")

    run(repo)

    assert filed(repo) == {"2026/05/unknown/topic-20231114221320.md": "# Note\n"}


def test_time_of_last_change_and_mode_stay(repo: Repository) -> None:
    note(repo, "a.md").chmod(0o640)

    (move,) = run(repo)

    facts = (repo.root / move.target).stat()
    assert (facts.st_mtime, facts.st_mode & 0o777) == (CHANGED, 0o640)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("notes", "notes-20231114221320"),
        (".hidden", ".hidden-20231114221320"),
        ("a.tar.gz", "a.tar-20231114221320.gz"),
        ("with blank.md", "with blank-20231114221320.md"),
    ],
)
def test_where_the_time_goes(repo: Repository, name: str, expected: str) -> None:
    note(repo, name)

    run(repo)

    assert list(filed(repo)) == [f"2026/05/unknown/{expected}"]


def test_no_file_replaces_another(repo: Repository) -> None:
    for text in ("one", "two", "three"):
        note(repo, "a.md", f"issue_id: 7\n{text}")
        run(repo)

    assert {path.rpartition("/")[2]: text.split("\n")[1] for path, text in filed(repo).items()} == {
        "a.md": "one",
        "a-20231114221320.md": "two",
        "a-20231114221320-1.md": "three",
    }


def test_plan_knows_what_lies_there(repo: Repository) -> None:
    for text in ("one", "two", "three"):
        note(repo, "a.md", f"issue_id: 7\n{text}")
        planned = list(archive.plan(str(repo.root), all_work(repo), NOW))
        assert planned == run(repo)


def test_same_names_within_one_run(repo: Repository) -> None:
    note(repo, "x/a.md", "one")
    note(repo, "y/a.md", "two")

    planned = list(archive.plan(str(repo.root), all_work(repo), NOW))
    done = run(repo)

    assert [move.target for move in planned] == [move.target for move in done]
    assert filed(repo) == {
        "2026/05/unknown/a-20231114221320.md": "one",
        "2026/05/unknown/a-20231114221320-1.md": "two",
    }


def test_plan_moves_nothing(repo: Repository) -> None:
    note(repo, "a.md")

    (planned,) = archive.plan(str(repo.root), all_work(repo), NOW)

    assert planned.target == f"{MONTH}/unknown/a-20231114221320.md"
    assert not (repo.root / ".copilot-tracking-archive").exists()


def test_folders_that_became_empty_go(repo: Repository) -> None:
    note(repo, "x/y/a.md")
    note(repo, "x/z/.gitkeep", "")
    (repo.root / ".copilot-tracking" / "empty").mkdir()

    run(repo)

    left = sorted(path.name for path in (repo.root / ".copilot-tracking").rglob("*"))
    assert left == [".gitkeep", "empty", "x", "z"]


def test_tracking_folder_itself_stays(repo: Repository) -> None:
    note(repo, "a.md")

    run(repo)

    assert (repo.root / ".copilot-tracking").is_dir()


@pytest.mark.parametrize(
    "name", ["calibration/a.md", "references-state.yml", "Calibration/x/a.md", "archived/a.md"]
)
def test_what_stays_is_not_part_of_an_issue(repo: Repository, name: str) -> None:
    path = note(repo, name, "issue_id: 7\n")

    assert run(repo) == []
    assert path.exists()


def choose(repo: Repository, path: str) -> list[TrackingFile]:
    return select(survey(str(repo.root)), Selection(paths=(path,)))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("calibration/a.md", "is persistent"),
        ("gate-events.jsonl", "is persistent"),
        ("session-startup-check-complete-s-1.md", "is state of the hooks"),
        (".gitkeep", "keeps the folder"),
    ],
)
def test_persistent_file_is_refused_by_name(repo: Repository, name: str, reason: str) -> None:
    note(repo, name)

    with pytest.raises(NotArchivable, match=reason):
        choose(repo, f".copilot-tracking/{name}")


def test_settled_document_can_be_named(repo: Repository) -> None:
    note(repo, "archived/issue-3-x.md", "issue_id: 3\n")

    assert [file.issue for file in choose(repo, ".copilot-tracking/archived/issue-3-x.md")] == [3]


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        ".copilot-tracking",
        ".copilot-tracking/",
        ".copilot-tracking/../README.md",
        "../README.md",
        ".copilot-tracking/absent.md",
        ".copilot-tracking/research",
    ],
)
def test_path_that_is_no_tracking_file_is_refused(repo: Repository, path: str) -> None:
    note(repo, "research/a.md")

    with pytest.raises(NotArchivable):
        choose(repo, path)


def plant_link(repo: Repository) -> Path:
    path = repo.root / ".copilot-tracking" / "planted.md"
    path.symlink_to(repo.root / "README.md")
    return path


def plant_hard_link(repo: Repository) -> Path:
    path = repo.root / ".copilot-tracking" / "planted.md"
    path.hardlink_to(repo.root / "README.md")
    return path


def plant_fifo(repo: Repository) -> Path:
    path = repo.root / ".copilot-tracking" / "planted.md"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("plant", [plant_link, plant_hard_link, plant_fifo])
def test_what_is_no_plain_file_stays(repo: Repository, plant: Callable[[Repository], Path]) -> None:
    note(repo, "a.md")
    planted = plant(repo)

    assert [move.source.name for move in run(repo)] == ["a.md"]
    assert planted.lstat()
    with pytest.raises(NotArchivable, match="planted"):
        choose(repo, ".copilot-tracking/planted.md")


def test_linked_folder_is_not_entered(repo: Repository) -> None:
    outside = repo.write("Documents/a.md", "issue_id: 7\n")
    (repo.root / ".copilot-tracking").mkdir()
    (repo.root / ".copilot-tracking" / "research").symlink_to(outside.parent)

    assert run(repo) == []
    assert outside.exists()


def test_file_that_became_a_link_is_left(repo: Repository) -> None:
    path = note(repo, "a.md")
    files = all_work(repo)
    path.unlink()
    path.symlink_to(repo.root / "README.md")

    (move,) = archive.run(str(repo.root), files, NOW, hide=True)

    assert move.problem == "not a plain file any more"
    assert path.is_symlink()


def test_file_that_is_gone_is_told(repo: Repository) -> None:
    path = note(repo, "a.md")
    files = all_work(repo)
    path.unlink()

    assert [move.problem for move in archive.run(str(repo.root), files, NOW, hide=True)] == [
        "gone meanwhile"
    ]


@pytest.mark.parametrize("at", [".copilot-tracking-archive", ".copilot-tracking-archive/2026"])
def test_link_in_the_archive_is_not_followed(repo: Repository, at: str, tmp_path: Path) -> None:
    path = note(repo, "a.md")
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.root / at).parent.mkdir(exist_ok=True)
    (repo.root / at).symlink_to(outside)

    (planned,) = archive.plan(str(repo.root), all_work(repo), NOW)
    (move,) = run(repo)

    assert move.problem == "a link or a file stands where a folder belongs"
    assert planned == move
    assert path.exists()
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (errno.EXDEV, ".copilot-tracking and .copilot-tracking-archive lie on different"),
        (errno.ENOSPC, "No space left on device"),
    ],
)
def test_failed_rename_leaves_the_file_and_no_remains(
    repo: Repository, code: int, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = note(repo, "a.md")

    def fail(*_names: Any, **_keywords: Any) -> None:
        raise OSError(code, os.strerror(code))

    files = all_work(repo)
    monkeypatch.setattr(native, "replace", fail)
    (move,) = archive.run(str(repo.root), files, NOW, hide=False)

    assert move.problem.startswith(problem)
    assert path.read_text() == "# Note\n"
    assert filed(repo) == {}


def test_rename_that_reports_a_failure_but_was_done_loses_nothing(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(repo, "a.md")
    files = all_work(repo)
    real = native.replace

    def do_and_fail(*names: Any, **keywords: Any) -> None:
        real(*names, **keywords)
        raise OSError(errno.EIO, "timed out")

    monkeypatch.setattr(native, "replace", do_and_fail)
    (move,) = archive.run(str(repo.root), files, NOW, hide=False)

    assert move.problem == "timed out"
    assert list(filed(repo).values()) == ["# Note\n"]


def test_killed_run_loses_nothing(repo: Repository) -> None:
    texts = {f"text {number}" for number in range(300)}
    for number, text in enumerate(sorted(texts)):
        note(repo, f"n{number}/a.md", text)
    process = subprocess.Popen(
        [sys.executable, "-um", "session_memory", "tracking", "archive", "--untagged"],
        cwd=repo.root,
        env=environment(repo.root.parent / "home"),
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    left = [path.read_text() for path in (repo.root / ".copilot-tracking").rglob("*.md")]
    moved = [text for text in filed(repo).values() if text]
    assert moved
    assert sorted(left + moved) == sorted(texts)


RACE = """
import sys, time
from session_memory.tracking import archive
from session_memory.tracking.selection import Selection, select
from session_memory.tracking.survey import survey
root = sys.argv[1]
files = select(survey(root), Selection(untagged=True))
time.sleep(max(0, float(sys.argv[2]) - time.time()))
print(sum(not move.problem for move in archive.run(root, files, 1_780_000_000.0, hide=True)))
"""


def test_runs_at_the_same_time_move_each_file_once(repo: Repository) -> None:
    for number in range(40):
        note(repo, f"n{number}/a.md", f"text {number}")
    start = str(time.time() + 1.0)
    command = [sys.executable, "-c", RACE, str(repo.root), start]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "lib")}
    runs = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE) for _ in range(4)]

    counts = [int(process.communicate()[0]) for process in runs]

    assert sum(counts) == 40
    assert sorted(filed(repo).values()) == sorted(f"text {number}" for number in range(40))


def test_ignore_file_that_cannot_be_written_stops_nothing(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_folder: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    note(repo, "a.md")
    monkeypatch.setattr(ignore, "hide", fail)

    assert [move.problem for move in run(repo)] == [""]


def test_folders_that_others_removed_are_no_fault(repo: Repository) -> None:
    note(repo, "x/y/a.md")
    steps = archive.run(str(repo.root), all_work(repo), NOW, hide=True)
    next(steps)
    (repo.root / ".copilot-tracking/x/y").rmdir()
    (repo.root / ".copilot-tracking/x").rmdir()

    assert list(steps) == []


def test_more_names_than_there_are(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MAX_NAMES", 1)
    note(repo, "x/a.md")
    note(repo, "y/a.md")

    planned = list(archive.plan(str(repo.root), all_work(repo), NOW))
    done = run(repo)

    assert [bool(move.problem) for move in planned] == [False, True]
    assert [bool(move.problem) for move in done] == [False, True]


def test_new_archive_is_kept_out_of_git_status(repo: Repository) -> None:
    note(repo, "a.md")
    repo.write(".copilot-tracking/.gitignore", "*\n")

    run(repo)

    assert repo.status() == ""


def test_archive_of_the_user_gets_no_ignore_file(repo: Repository) -> None:
    note(repo, "a.md")
    (repo.root / ".copilot-tracking-archive").mkdir()

    run(repo)

    assert not (repo.root / ".copilot-tracking-archive" / ".gitignore").exists()


def test_nothing_to_do_makes_no_archive(repo: Repository) -> None:
    assert run(repo) == []
    assert not (repo.root / ".copilot-tracking-archive").exists()
