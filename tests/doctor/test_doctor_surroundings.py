"""Planted faults in switches, clock and diagnostics."""

import json
import time
from pathlib import Path

import pytest

from doctor_patient import Patient, find
from session_memory.core.checkout import locate
from session_memory.doctor import clock, examination
from session_memory.doctor.finding import Level
from session_memory.editors.surroundings import Surroundings

NOW = 1_796_000_000.0  # in 2026
DAY_S = 86400


def test_home_that_does_not_exist(patient: Patient) -> None:
    root = patient.repo.root
    home = patient.folder / "nobody"
    around = Surroundings(root, home, patient.env, locate(str(root)))
    first = examination.examine(around, trials=False).findings[0]
    assert (first.level, first.what) == (Level.FAULT, f"HOME is {home}, which is no folder.")


def test_hooks_switched_off(patient: Patient) -> None:
    found = find(patient.look(env={"SESSION_MEMORY_DISABLE": "1"}), "Hooks are switched off")
    assert (found["level"], found["mend"]) == ("warning", "unset SESSION_MEMORY_DISABLE")


def test_switch_that_is_not_thrown(patient: Patient) -> None:
    said = [one["what"] for one in patient.look(env={"SESSION_MEMORY_DISABLE": "0"})["findings"]]
    assert not [what for what in said if "switched off" in what]


def test_hooks_are_tried_although_switched_off(patient: Patient) -> None:
    assert find(patient.examine(env={"SESSION_MEMORY_DISABLE": "1"}), "PostToolUse works")


@pytest.mark.parametrize(
    ("now", "written", "level", "words"),
    [
        (NOW, NOW + 1, Level.OK, "The clock says 2026-"),
        (0.0, 0.0, Level.FAULT, "The clock says 1970-01-01"),
        (NOW, NOW - 3600, Level.WARNING, "is 3600 s from the clock's"),
        (NOW, NOW + 3600, Level.WARNING, "is 3600 s from the clock's"),
    ],
    ids=["right", "never set", "disk behind", "disk ahead"],
)
def test_clock(now: float, written: float, level: Level, words: str) -> None:
    found = clock.judge(now, written)
    assert found.level == level
    assert words in found.what


def complaint(message: object, age_s: float = 60, entry: str = "post_tool_use") -> str:
    timestamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age_s))
    return json.dumps({"timestamp": timestamp, "entry": entry, "message": message}) + "\n"


def log(patient: Patient, *lines: str) -> Path:
    return patient.state("hook-diagnostics.jsonl", "".join(lines))


def test_recent_complaint(patient: Patient) -> None:
    path = log(patient, complaint("OSError (No space left on device) at store.py:1"))
    found = find(patient.look(), "post_tool_use complained 1 minute ago: OSError (No space left")
    assert (found["level"], found["where"]) == ("warning", str(path))
    assert found["mend"] == "free some space on the disk"


def test_complaints_are_grouped(patient: Patient) -> None:
    log(patient, complaint("x", 5 * 3600), complaint("x", 2 * 3600), complaint("x", 7 * 3600))
    assert find(patient.look(), "complained 2 hours ago, 3 times: x")


@pytest.mark.parametrize(
    ("age_s", "expected"), [(3 * DAY_S, ["note"]), (40 * DAY_S, [])], ids=["days", "months"]
)
def test_old_complaint(patient: Patient, age_s: float, expected: list[str]) -> None:
    log(patient, complaint("x", age_s))
    found = [one["level"] for one in patient.look()["findings"] if "complained 3" in one["what"]]
    assert found == expected


def test_many_complaints_are_counted(patient: Patient) -> None:
    log(patient, *[complaint(f"x{number}") for number in range(8)])
    assert find(patient.look(), "3 other complaints are older")["level"] == "note"


def test_complaint_in_the_folder_of_the_plugin(patient: Patient) -> None:
    patient.claude.unlink()
    patient.install_plugin(patient.bundle())
    data = patient.home / ".claude/plugins/data/session-memory-hooks-session-memory-hooks"
    patient.write(data / "hook-diagnostics.jsonl", complaint("payload is empty"))
    found = find(patient.look(), "payload is empty")
    assert "update the editor" in found["mend"]


STRANGE = ("{", "[]", "7", "null", '{"message": 7, "timestamp": []}', "\x00", '{"entry": "x"}')


def test_strange_lines_are_passed_over(patient: Patient) -> None:
    log(patient, *[line + "\n" for line in STRANGE], complaint("real"))
    assert find(patient.look(), ": real")
