"""What the doctor says about files that agents keep for themselves."""

import os
from pathlib import Path

import pytest

from doctor_patient import Patient, find, troubles

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stand-ins are shell scripts here")

SOUND = """---
issue_id: 5
review_mode: full
prosecution_complete: true
defense_complete: false
judgment_complete: false
last_updated: 2026-01-02T03:04:05Z
---
"""


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient.healthy(tmp_path)


def keep(patient: Patient, name: str, text: str) -> Path:
    path = patient.write(patient.repo.root / name, text)
    patient.write(path.with_name(".gitignore"), "*\n")
    path.chmod(0o600)
    return path


def test_review_state_that_is_sound_is_no_trouble(patient: Patient) -> None:
    keep(patient, "memories/session/review-state-5.md", SOUND)
    assert troubles(patient.look()) == []


@pytest.mark.parametrize("text", ["", "words", SOUND.replace("5", "6", 1), SOUND.replace("ll", "")])
def test_review_state_that_is_not_relied_on_is_told(patient: Patient, text: str) -> None:
    path = keep(patient, "memories/session/review-state-5.md", text)
    found = find(patient.look(), "review-state-5.md is not relied on")
    assert (found["level"], found["row"], found["where"]) == ("note", "SMC-05", str(path))
    assert found["mend"] == "session-memory memory read review-state --issue 5"


def test_documents_that_depart_from_the_format_are_counted(patient: Patient) -> None:
    keep(patient, ".copilot-tracking/a.md", "no front matter\n")
    keep(patient, ".copilot-tracking/b.md", "---\nissue_id: x\n---\n")
    found = find(patient.look(), "2 documents in .copilot-tracking depart from the format")
    assert (found["level"], found["row"]) == ("note", "SMC-13")
    assert found["mend"] == "session-memory tracking check"


def test_folder_that_is_a_link_is_left_alone(patient: Patient, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text("no front matter\n")
    (patient.repo.root / ".copilot-tracking").symlink_to(elsewhere)
    assert not [told for told in troubles(patient.look()) if "from the format" in told]
