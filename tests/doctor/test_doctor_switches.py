"""What switches hooks off, in the way in which the editors themselves take it."""

import json
from pathlib import Path
from typing import Any

import pytest

from doctor_patient import Patient, copilot_hooks, find, troubles
from session_memory.core.checkout import locate
from session_memory.doctor import examination, report
from session_memory.editors.surroundings import Surroundings
from support import SWITCH

OFF = {"SESSION_MEMORY_DISABLE": "1"}
SCOPES = {
    "user": ".claude/settings.json",
    "project": ".claude/settings.json",
    "local": ".claude/settings.local.json",
}


def put(patient: Patient, scope: str, **members: object) -> Path:
    """Add members to a file of Claude Code's settings."""
    path = (patient.home if scope == "user" else patient.repo.root) / SCOPES[scope]
    known = json.loads(path.read_text()) if path.exists() else {}
    return patient.write(path, {**known, **members})


def hosts(made: dict[str, Any]) -> set[str]:
    """Those of which the report says that they run our hooks."""
    return {file["host"] for file in made["registered"]}


@pytest.mark.parametrize("scope", SCOPES)
def test_variable_of_claude_code(patient: Patient, scope: str) -> None:
    path = put(patient, scope, env=OFF)
    made = patient.look()
    found = find(made, 'Claude Code sets SESSION_MEMORY_DISABLE for hooks, in the "env"')
    assert (found["level"], found["where"]) == ("warning", str(path))
    assert found["mend"] == "take SESSION_MEMORY_DISABLE out of that file"
    assert hosts(made) == set()


def test_number_is_a_text_to_claude_code(patient: Patient) -> None:
    put(patient, "user", env={"SESSION_MEMORY_DISABLE": 1})
    assert find(patient.look(), "Claude Code sets SESSION_MEMORY_DISABLE")


def test_stronger_file_has_the_last_word_on_the_variable(patient: Patient) -> None:
    put(patient, "user", env=OFF)
    put(patient, "local", env={"SESSION_MEMORY_DISABLE": "0"})
    assert troubles(patient.look()) == []


def test_variables_of_files_add_up(patient: Patient) -> None:
    put(patient, "user", env=OFF)
    put(patient, "local", env={"OTHER": "1"})
    assert find(patient.look(), "Claude Code sets SESSION_MEMORY_DISABLE")


@pytest.mark.parametrize("name", ["managed-settings.json", "managed-settings.d/50-ours.json"])
@pytest.mark.parametrize("members", [{"env": OFF}, {"disableAllHooks": True}], ids=["env", "all"])
def test_managed_settings(patient: Patient, name: str, members: dict[str, object]) -> None:
    system = patient.folder / "system"
    path = patient.write(system / "etc" / "claude-code" / name, members)
    made = look(patient, system)
    (found,) = [one for one in made["findings"] if one["check"] == "switches"]
    assert (found["level"], found["where"]) == ("warning", str(path))
    assert hosts(made) == set()


def test_administrator_who_allows_managed_hooks_only(patient: Patient) -> None:
    system = patient.folder / "system"
    path = system / "etc" / "claude-code" / "managed-settings.json"
    patient.write(path, {"allowManagedHooksOnly": True})
    made = look(patient, system)
    assert find(made, "An administrator allows Claude Code no hooks")["level"] == "warning"
    assert hosts(made) == set()
    patient.write(path, {"allowManagedHooksOnly": True, **patient.registration()})
    assert hosts(look(patient, system)) == {"claude"}


def test_user_cannot_restrict_hooks_to_managed_ones(patient: Patient) -> None:
    put(patient, "user", allowManagedHooksOnly=True)
    assert troubles(patient.look()) == []


def look(patient: Patient, system: Path) -> dict[str, Any]:
    """A report on a machine with managed settings."""
    root = patient.repo.root
    around = Surroundings(root, patient.home, patient.env, locate(str(root)), system)
    return report.as_dict(examination.examine(around, trials=False))


@pytest.mark.parametrize("scope", SCOPES)
def test_all_hooks_of_claude_code(patient: Patient, scope: str) -> None:
    path = put(patient, scope, disableAllHooks=True)
    made = patient.look()
    found = find(made, "All hooks of Claude Code are switched off by disableAllHooks")
    assert (found["level"], found["where"]) == ("warning", str(path))
    assert f"remove disableAllHooks from {path}" in found["mend"]
    assert hosts(made) == set()


def test_stronger_file_switches_hooks_on_again(patient: Patient) -> None:
    put(patient, "user", disableAllHooks=True)
    put(patient, "local", disableAllHooks=False)
    assert troubles(patient.look()) == []


def test_plugin_is_switched_off_with_the_rest(patient: Patient) -> None:
    patient.claude.unlink()
    patient.install_plugin(patient.bundle())
    put(patient, "local", disableAllHooks=True)
    assert hosts(patient.look()) == set()


@pytest.mark.parametrize(
    "name",
    [
        *(".claude/settings.json", ".claude/settings.local.json"),
        *(".github/copilot/settings.json", ".github/copilot/settings.local.json"),
    ],
)
def test_repository_switches_off_all_of_copilot(patient: Patient, name: str) -> None:
    patient.claude.unlink()
    hooks = patient.home / ".copilot" / "hooks" / "ours.json"
    patient.write(hooks, copilot_hooks())
    patient.write(patient.repo.root / name, {"disableAllHooks": True})
    made = patient.look()
    assert find(made, "All hooks of Copilot CLI are switched off")["level"] == "warning"
    assert hosts(made) == {"vscode"}


def test_hook_file_of_copilot_switches_off_its_own_hooks_only(patient: Patient) -> None:
    patient.claude.unlink()
    folder = patient.home / ".copilot" / "hooks"
    patient.write(folder / "other.json", {"version": 1, "disableAllHooks": True, "hooks": {}})
    patient.write(folder / "ours.json", copilot_hooks())
    assert hosts(patient.look()) == {"copilot", "vscode"}
    patient.write(folder / "ours.json", {**copilot_hooks(), "disableAllHooks": True})
    made = patient.look()
    assert hosts(made) == set()
    assert len([one for one in made["findings"] if "hooks of this file are" in one["what"]]) == 2


def test_verdict_does_not_say_that_hooks_run(patient: Patient) -> None:
    put(patient, "user", env=OFF)
    root = patient.repo.root
    around = Surroundings(root, patient.home, patient.env, locate(str(root)))
    done = examination.examine(around, trials=False)
    assert list(report.lines(done, verbose=True))[-1].startswith("No editor runs the hooks here")


def test_interpreter_that_the_user_gives_to_hooks_is_tried(patient: Patient) -> None:
    put(patient, "user", env={"SESSION_MEMORY_PYTHON": "/bin/false"})
    found = find(patient.examine(), "SESSION_MEMORY_PYTHON names /bin/false")
    assert found["level"] == "warning"


def test_interpreter_that_a_clone_gives_to_hooks_is_not_tried(patient: Patient) -> None:
    trap = patient.program("trap", f"#!/bin/sh\ntouch {patient.folder}/sprung\n")
    put(patient, "project", env={"SESSION_MEMORY_PYTHON": str(trap)})
    found = find(patient.examine(), "The repository's settings name an interpreter for hooks")
    assert (found["level"], found["check"]) == ("warning", "switches")
    assert not (patient.folder / "sprung").exists()


@pytest.mark.parametrize(("env", "runs"), SWITCH.values(), ids=SWITCH)
def test_switch_of_claude_code_is_the_one_of_the_hooks(
    patient: Patient, env: dict[str, str], runs: bool
) -> None:
    put(patient, "user", env=env)
    assert bool(hosts(patient.look())) == runs
