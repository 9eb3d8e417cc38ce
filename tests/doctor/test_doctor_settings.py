"""What doctor says of settings."""

import pytest

from doctor_patient import Patient, find, troubles

USER = ".config/session-memory/settings.toml"


def test_valid_settings(patient: Patient) -> None:
    patient.repo.write(".session-memory.toml", 'bump_command = "make bump"\n')
    patient.write(patient.home / USER, "startup.network = true\n")
    made = patient.look()
    assert troubles(made) == []
    assert find(made, "Settings: bump_command, startup.")


FAULTS = {
    "broken": (".session-memory.toml", "\nx = ", "expected a value", 2),
    "number with a fraction": ("pyproject.toml", "[tool.session-memory]\nx = 1.5\n", "fraction", 2),
    "unknown": (".session-memory.toml", "bump = 1\n", "there is no setting called bump", 1),
    "wrong type": (".session-memory.toml", "\nbump_command = 1\n", "bump_command: 1 is not", 2),
    "misplaced": (f"../home/{USER}", "bump_command = 'x'\n", "bump_command counts only in", 1),
}


@pytest.mark.parametrize(("name", "text", "words", "line"), FAULTS.values(), ids=FAULTS)
def test_fault(patient: Patient, name: str, text: str, words: str, line: int) -> None:
    path = patient.repo.write(name, text)
    found = find(patient.look(), words)
    assert (found["check"], found["level"]) == ("settings", "warning")
    assert found["where"] == f"{path.resolve()}:{line}"
    assert "config check" in found["mend"]
    assert found["why"]


def test_settings_in_disorder_are_not_in_order(patient: Patient) -> None:
    patient.repo.write(".session-memory.toml", "enabled = true\nx = 1\n")
    said = [one["what"] for one in patient.look()["findings"] if one["level"] == "ok"]
    assert not [what for what in said if what.startswith("Settings")]


@pytest.mark.parametrize(
    ("text", "name"), [("enabled = false", "enabled"), ("gates.enabled = false", "gates.enabled")]
)
def test_what_is_switched_off_is_noted(patient: Patient, text: str, name: str) -> None:
    patient.write(patient.home / USER, text + "\n")
    found = find(patient.look(), f"Settings switch off {name}.")
    assert (found["level"], found["mend"]) == ("note", f"session-memory config get {name}")


def test_variables(patient: Patient) -> None:
    made = patient.look(env={"SESSION_MEMORY_NETWORK": "please", "SESSION_MEMORY_X": "1"})
    assert find(made, "environment: SESSION_MEMORY_NETWORK is neither 1 nor 0.")
    assert find(made, "environment: there is no variable called SESSION_MEMORY_X.")
