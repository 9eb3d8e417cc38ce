"""What the doctor says about the calibration file."""

import json
import os
from pathlib import Path

import pytest

from calibration_support import NAME, entry
from doctor_patient import Patient, find, troubles

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stand-ins are shell scripts here")


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient.healthy(tmp_path)


def keep(patient: Patient, text: str) -> Path:
    path = patient.write(patient.repo.root / NAME, text)
    patient.write(path.with_name(".gitignore"), "*\n")
    return path


def test_a_sound_file_is_no_trouble(patient: Patient) -> None:
    keep(patient, json.dumps({"entries": [entry()]}))
    assert troubles(patient.look()) == []


def test_a_corrupt_file_is_rebuilt(patient: Patient) -> None:
    path = keep(patient, "{")
    found = find(patient.look(), "calibration file cannot be used: not JSON")
    assert (found["level"], found["row"], found["where"]) == ("warning", "SMC-10", str(path))
    assert found["mend"] == "session-memory calibration rebuild"
    assert path.read_text() == "{"


def test_what_is_no_file_is_told(patient: Patient) -> None:
    keep(patient, "{}").unlink()
    (patient.repo.root / NAME).mkdir()
    assert find(patient.look(), "is not a plain file")["mend"] == ""


@pytest.mark.parametrize("name", [".copilot-tracking", ".copilot-tracking/calibration"])
def test_nothing_can_be_kept_and_nothing_is_missed(patient: Patient, name: str) -> None:
    patient.write(patient.repo.root / name, "a file")
    patient.repo.commit("a file")
    assert troubles(patient.look()) == []


def test_entries_that_do_not_count(patient: Patient) -> None:
    keep(patient, json.dumps({"entries": [entry(), {"pr_number": 2.7}]}))
    found = find(patient.look(), "1 of the calibration entries cannot be used: entries[1].pr_n")
    assert found["level"] == "note"
