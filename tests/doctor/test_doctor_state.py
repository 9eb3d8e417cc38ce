"""Planted faults in the places and the files of session state."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctor_patient import Patient, find, troubles
from session_memory.core import journal
from session_memory.doctor import state
from session_memory.doctor.finding import Level
from support import Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

fcntl = pytest.importorskip("fcntl", reason="locks of another kind")

LOG = "gate-events-s-one.jsonl"
MARKER = "session-startup-check-complete-s-one.md"
DAY_S = 86400


@pytest.fixture
def hold(patient: Patient) -> "Iterator[Callable[[Path], None]]":
    """Locks a file until the test ends."""
    held: list[int] = []

    def lock(path: Path) -> None:
        held.append(os.open(path, os.O_RDONLY))
        fcntl.flock(held[-1], fcntl.LOCK_EX)

    yield lock
    for fd in held:
        os.close(fd)


def sh(command: str, cwd: Path) -> None:
    """Do what a finding says."""
    subprocess.run(["sh", "-c", command], cwd=cwd, check=True, capture_output=True)


def test_outside_a_repository(patient: Patient) -> None:
    found = find(patient.look(cwd=patient.home), "in no git repository")
    assert (found["level"], found["where"]) == ("note", str(patient.home))


def test_link_where_state_belongs(patient: Patient) -> None:
    (patient.repo.root / "memories").symlink_to(patient.home)
    found = find(
        patient.look(),
        "memories is a link, and hooks follow none, so session state is not kept there.",
    )
    assert (found["level"], found["row"]) == ("warning", "SMC-21")
    assert ".copilot-tracking instead" in found["why"]
    sh(found["mend"].partition(": ")[2], patient.repo.root)
    assert troubles(patient.look()) == []


def test_no_place_for_state_at_all(patient: Patient) -> None:
    for name in ("memories", ".copilot-tracking"):
        patient.repo.write(name, "a file")
    patient.repo.commit("files")
    found = find(patient.look(), "memories is not a folder, so session state")
    assert (found["level"], found["why"]) == ("fault", "Hooks cannot keep session state anywhere.")
    sh(found["mend"].partition(": ")[2], patient.repo.root)
    # The other file is in the way of what belongs there only.
    assert [words for words in troubles(patient.look()) if "calibration" not in words] == []


def test_no_place_for_release_hygiene_is_no_fault(patient: Patient) -> None:
    (patient.repo.root / ".claude").symlink_to(patient.home / ".claude")
    patient.claude.unlink()
    found = find(
        patient.look(), ".claude is a link, and hooks follow none, so release hygiene is not kept"
    )
    assert (found["level"], found["row"]) == ("warning", "SMC-12")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written(patient: Patient) -> None:
    patient.state(LOG)
    patient.repo.session.chmod(0o500)
    found = find(patient.look(), "memories/session cannot be written, so session state")
    assert found["mend"].startswith("chmod u+rwx ")


def test_state_that_git_status_shows(patient: Patient) -> None:
    log = patient.state(LOG)
    (log.parent / ".gitignore").unlink()
    found = find(patient.look(), "git status shows 1 file of session state")
    assert (found["level"], found["where"]) == ("warning", str(log))
    sh(found["mend"], patient.repo.root)
    assert patient.repo.status() == ""
    assert troubles(patient.look()) == []


def test_files_of_others_beside_state_are_none_of_ours(patient: Patient) -> None:
    patient.repo.write("memories/session/notes.md", "mine")
    assert troubles(patient.look()) == []


def test_state_that_is_committed(patient: Patient) -> None:
    patient.state(LOG)
    patient.repo.git("add", "--force", "memories")
    patient.repo.commit("by mistake")
    found = find(patient.look(), "1 file of session state is committed")
    assert found["mend"] == f"git rm --cached memories/session/{LOG}"
    sh(found["mend"], patient.repo.root)
    assert troubles(patient.look()) == []


def test_git_that_does_not_answer(patient: Patient) -> None:
    patient.repo.write(".git/config", "[broken")
    found = find(patient.look(), "git gives no answer")
    assert (found["level"], found["mend"]) == ("warning", f"git -C {patient.repo.root} status")


@pytest.mark.parametrize(
    ("free", "inodes", "level", "words"),
    [
        (1 << 40, 1000, Level.OK, "1024 GiB are free"),
        (1 << 40, None, Level.OK, "1024 GiB are free"),
        (50 << 20, 1000, Level.WARNING, "Only 50 MiB are free"),
        (1000, 1000, Level.FAULT, "The disk is full"),
        (1 << 40, 0, Level.FAULT, "takes no more files"),
    ],
    ids=["plenty", "inodes not told", "little", "full", "no inodes"],
)
def test_disk(free: int, inodes: "int | None", level: Level, words: str) -> None:
    found = state.disk_finding(free, inodes, "/")
    assert found.level == level
    assert words in found.what


def test_corrupt_document(patient: Patient) -> None:
    path = patient.state("references-preflight-s-one-5.json", "{torn")
    found = find(patient.look(), "is damaged: it is not a JSON object")
    assert (found["level"], found["where"]) == ("warning", str(path))
    sh(found["mend"], patient.repo.root)
    assert troubles(patient.look()) == []


def test_damaged_release_hygiene_of_the_main_worktree(patient: Patient) -> None:
    patient.repo.git("worktree", "add", "--quiet", "../linked")
    path = patient.repo.write(".claude/.state/release-hygiene-one.json", "[]")
    patient.repo.write(".claude/.state/.gitignore", "*\n")
    path.chmod(0o600)
    made = patient.look(cwd=patient.folder / "linked")
    assert find(made, "release-hygiene-one.json is damaged")["where"] == str(path)


def test_documents_set_aside(patient: Patient) -> None:
    for number in (1, 2):
        patient.state(f"references-preflight-s-one-5.json.corrupt-{number}", "{torn")
    found = find(patient.look(), "2 corrupt documents were set aside")
    assert found["level"] == "note"
    assert "rm " in found["mend"]


def test_torn_line(patient: Patient) -> None:
    log = patient.state(LOG, '{"torn": ')
    found = find(patient.look(), "1 line of the gate log cannot be read")
    assert (found["level"], found["row"], found["where"]) == ("warning", "SMC-21", str(log))
    assert f"{log}:1" in found["what"]


def test_log_that_is_nearly_full(patient: Patient) -> None:
    log = patient.state(LOG)
    os.truncate(log, journal.MAX_BYTES - 1)
    assert find(patient.look(), f"{LOG} holds 7 of 8 MiB")["level"] == "note"


@pytest.mark.parametrize("name", [LOG, "references-preflight-s-one-5.json.lock"])
def test_lock_that_is_held(patient: Patient, name: str, hold: "Callable[[Path], None]") -> None:
    path = patient.state(name)
    hold(path)
    found = find(patient.look(), f"Another process holds {name} locked")
    assert (found["level"], found["mend"]) == ("warning", f"find it: fuser {path}")


@pytest.mark.parametrize(
    ("mode", "level", "verb"), [(0o644, "note", "read"), (0o620, "warning", "change")], ids=str
)
def test_file_mode(patient: Patient, mode: int, level: str, verb: str) -> None:
    patient.state(LOG).chmod(mode)
    found = find(patient.look(), f"Other users can {verb} 1 file of state")
    assert found["level"] == level
    sh(found["mend"], patient.repo.root)
    assert troubles(patient.look()) == []


def link(path: Path) -> None:
    path.symlink_to("/etc/hostname")


def second_name(path: Path) -> None:
    path.with_name("other").touch()
    os.link(path.with_name("other"), path)


@pytest.mark.parametrize("plant", [link, second_name, os.mkfifo, Path.mkdir])
def test_something_else_where_a_log_belongs(
    patient: Patient, plant: "Callable[[Path], None]"
) -> None:
    path = patient.state(LOG)
    path.unlink()
    plant(path)
    found = find(patient.look(), f"{LOG} is no plain file with a single name")
    assert (found["level"], found["where"]) == ("fault", str(path))


def test_temporary_file_left_behind(patient: Patient) -> None:
    path = patient.state("references-preflight-s-one-5.json.7-7.tmp")
    assert troubles(patient.look()) == []  # somebody may be writing it
    os.utime(path, (time.time() - DAY_S, time.time() - DAY_S))
    found = find(patient.look(), "1 temporary file was left behind")
    assert (found["level"], found["mend"]) == ("note", f"rm {path}")


def test_claim_of_a_dead_hook(patient: Patient) -> None:
    path = patient.state(MARKER)
    assert troubles(patient.look()) == []
    os.utime(path, (time.time() - 60, time.time() - 60))
    found = find(patient.look(), "1 start-up check was begun and not finished")
    assert (found["level"], found["row"]) == ("note", "SMC-07")


def test_thousands_of_markers(patient: Patient) -> None:
    for number in range(1001):
        patient.state(f"session-startup-check-complete-s-{number}.md", "x")
    found = find(patient.look(), "There are 1001 markers")
    assert found["level"] == "note"
    assert found["mend"].startswith("find ")


def test_state_from_the_future(patient: Patient) -> None:
    path = patient.state(LOG)
    os.utime(path, (time.time() + DAY_S, time.time() + DAY_S))
    found = find(patient.look(), f"{LOG} is dated ")
    assert (found["check"], found["level"]) == ("clock", "warning")
    assert "dated 24 hours in the future" in found["what"]
    assert found["mend"] == f"synchronise the clocks, then: touch {path}"


def test_all_files_that_others_can_read_are_in_the_mend(patient: Patient) -> None:
    for number in range(5):
        patient.state(f"gate-events-s-{number}.jsonl").chmod(0o644)
    sh(find(patient.look(), "Other users can read 5 files")["mend"], patient.repo.root)
    assert troubles(patient.look()) == []


@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_state_of_a_linked_worktree_is_its_own(patient: Patient) -> None:
    patient.repo.git("worktree", "add", "--quiet", "../linked")
    patient.state(LOG, "torn")
    linked = Repository(patient.folder / "linked")
    assert troubles(patient.look(cwd=linked.root)) == []
