"""Copilot CLI reads hooks of a repository only in a folder that it was told to trust."""

from pathlib import Path

import pytest

from doctor_patient import Patient, copilot_hooks, find, troubles

SAYS = "Copilot CLI has not been told to trust this folder"


@pytest.fixture
def hooks(patient: Patient) -> Path:
    """Hooks of the repository, for Copilot CLI only: VS Code looks into no folder below."""
    return patient.write(
        patient.repo.root / ".github" / "hooks" / "more" / "ours.json", copilot_hooks()
    )


def trust(patient: Patient, *folders: object) -> None:
    path = patient.home / ".copilot" / "config.json"
    patient.write(path, {"trustedFolders": list(folders)})


def test_nothing_is_trusted(patient: Patient, hooks: Path) -> None:
    trust(patient)
    found = find(patient.look(), SAYS)
    assert (found["level"], found["where"]) == ("warning", str(hooks))


def test_copilot_was_never_started(patient: Patient, hooks: Path) -> None:
    assert find(patient.look(), SAYS)["level"] == "note"


def test_files_of_claude_code_may_be_for_claude_code(patient: Patient) -> None:
    patient.write(patient.repo.root / ".claude" / "settings.local.json", patient.registration())
    trust(patient)
    assert troubles(patient.look()) == []


def test_others_run_in_any_folder(patient: Patient, hooks: Path) -> None:
    trust(patient)
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", copilot_hooks())
    assert find(patient.look(), SAYS)["level"] == "note"


@pytest.mark.parametrize("above", [".", "..", "../link", "/"])
def test_folder_or_one_above_is_trusted(patient: Patient, hooks: Path, above: str) -> None:
    (patient.folder / "link").symlink_to(patient.repo.root)
    trust(patient, "/elsewhere", str(patient.repo.root / above))
    assert not any(SAYS in what for what in troubles(patient.look()))


@pytest.mark.parametrize("listed", ["memories", "../rep", "", None, 7], ids=repr)
def test_other_folders_do_not_count(patient: Patient, hooks: Path, listed: object) -> None:
    named = str(patient.repo.root / listed) if isinstance(listed, str) and listed else listed
    trust(patient, named)
    assert find(patient.look(), SAYS)["level"] == "warning"


def test_books_of_another_form(patient: Patient, hooks: Path) -> None:
    patient.write(patient.home / ".copilot" / "config.json", {"trustedFolders": 7})
    assert find(patient.look(), SAYS)["level"] == "warning"


def test_hooks_of_the_user_need_no_trust(patient: Patient) -> None:
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", copilot_hooks())
    assert troubles(patient.look()) == []
