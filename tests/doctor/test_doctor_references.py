"""An index of references that the hook of prompts cannot read."""

import json

import pytest

from doctor_patient import Patient, find, troubles

ENTRY = {"name": "csv", "target_path": "Documents/csv.md"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{torn", "is not JSON"),
        ("", "is not JSON"),
        ("{} {}", "is not JSON: more than one value"),
        ('{"entries": 7}', "holds no list of entries"),
        (json.dumps([ENTRY] * 2001), "holds 2001 entries, of which 2000 are allowed"),
    ],
    ids=["torn", "empty", "two", "no list", "many"],
)
def test_damaged_index(patient: Patient, text: str, words: str) -> None:
    path = patient.repo.write(".references/index.json", text)
    found = find(patient.look(), f"The index of references {words}")
    assert (found["level"], found["where"], found["row"]) == ("fault", str(path), "SMC-22")
    assert found["mend"] == "session-memory references index"


def test_index_that_leads_out_of_the_repository(patient: Patient) -> None:
    outside = patient.write(patient.folder / "outside.json", [ENTRY])
    (patient.repo.root / ".references").mkdir()
    (patient.repo.root / ".references" / "index.json").symlink_to(outside)
    found = find(patient.look(), "is not a plain file inside the repository")
    assert found["level"] == "fault"


def test_index_without_an_entry(patient: Patient) -> None:
    patient.repo.write(".references/index.json", "[{}]")
    assert find(patient.look(), "has no entry that can be used")["level"] == "warning"


def test_index_in_order(patient: Patient) -> None:
    patient.repo.write(".references/index.json", json.dumps({"entries": [ENTRY]}))
    made = patient.look()
    assert troubles(made) == []
    assert find(made, "The index of references has 1 entry.")
