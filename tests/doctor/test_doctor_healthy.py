"""Where all is well, doctor finds nothing, changes nothing, and is quick."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Ran, run
from doctor_patient import SCHEMA, Patient, find, troubles
from loaded import modules
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import bytecode, interpreter
from session_memory.doctor.launches import Launch
from support import HOOKS, ROOT, clean_environment


def doctor(patient: Patient, *arguments: str, **env: str) -> Ran:
    return run(
        "doctor", *arguments, cwd=patient.repo.root, env={**patient.env, **_package(), **env}
    )


def _package() -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}


def tree(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file below ``folder`` with what would change if it were touched."""
    facts = {str(path): path.lstat() for path in sorted(folder.rglob("*"))}
    return {path: (fact.st_mtime_ns, fact.st_size, fact.st_mode) for path, fact in facts.items()}


def test_healthy_environment_has_nothing_to_mend(patient: Patient) -> None:
    made = patient.examine()
    assert troubles(made) == []
    assert made["worst"] == "ok"


def test_healthy_environment_shows_what_is_registered(patient: Patient) -> None:
    (only,) = patient.examine()["registered"]
    assert only == {
        "host": "claude",
        "path": str(patient.claude),
        "plugin": "",
        "events": ["SessionStart", "UserPromptSubmit", "PostToolUse"],
    }


@pytest.mark.parametrize("event", EVENT_NAMES.values())
def test_every_hook_is_tried(patient: Patient, event: str) -> None:
    assert find(patient.examine(), f"{event} works: ")["check"] == "entry points"


def test_nothing_is_changed(patient: Patient) -> None:
    patient.state("gate-events-s-one.jsonl", "torn")
    patient.use(patient.bundle("first bundle"))
    before = tree(patient.folder)
    doctor(patient)
    assert tree(patient.folder) == before


def test_it_is_quick(patient: Patient) -> None:
    """About a second; the bound is for machines that are busy with other tests."""
    assert patient.examine()["seconds"] < 10


def test_text_ends_with_a_verdict(patient: Patient) -> None:
    done = doctor(patient)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("No fault was found: ")
    assert "In order:" not in done.stdout


def test_verbose_shows_what_is_in_order(patient: Patient) -> None:
    assert "\nIn order:\n" in doctor(patient, "--verbose").stdout


def test_json_is_as_the_schema_says(patient: Patient) -> None:
    done = doctor(patient, "--json")
    SCHEMA.validate(done.json)
    assert done.stdout.count("\n") == 1


def test_warning_ends_with_0(patient: Patient) -> None:
    done = doctor(patient, SESSION_MEMORY_DISABLE="1")
    assert "Warnings:\n  switches: Hooks are switched off" in done.stdout
    assert done.code == 0


def test_fault_ends_with_1_and_comes_first(patient: Patient) -> None:
    patient.write(patient.memory, "/bin/false\n\n")
    done = doctor(patient, SESSION_MEMORY_DISABLE="1")
    assert done.code == 1
    assert done.stdout.index("Faults:") < done.stdout.index("Warnings:")
    assert f"mend  rm {patient.memory}" in done.stdout


def test_wrong_option_ends_with_64(patient: Patient) -> None:
    doctor(patient, "--cure").assert_fault(64, "--cure")


def test_no_token_is_shown(patient: Patient) -> None:
    assert "gho_never_shown" not in doctor(patient, "--json").stdout


def test_control_characters_of_a_log_are_escaped(patient: Patient) -> None:
    hostile = {"message": "\x1b[2J", "entry": "x", "timestamp": "2100-01-01T00:00:00Z"}
    patient.state("hook-diagnostics.jsonl", json.dumps(hostile) + "\n")
    shown = doctor(patient).stdout
    assert "\x1b" not in shown
    assert r"\x1b[2J" in shown


def test_interpreter_is_the_one_that_the_launcher_takes(patient: Patient) -> None:
    launch = Launch(HOOKS, patient.memory.parent)
    chosen = interpreter.choose(launch, patient.env).python
    subprocess.run(
        ["sh", str(HOOKS / "run"), "session_start"], env=patient.env, input=b"{}", check=True
    )
    remembered = patient.memory.read_text().splitlines()[0]
    assert chosen
    assert (chosen.how, chosen.real) == (interpreter.ON_PATH, remembered)
    again = interpreter.choose(launch, patient.env).python
    assert again
    assert (again.how, again.path) == (interpreter.REMEMBERED, remembered)


@pytest.mark.parametrize("entry", EVENT_NAMES)
def test_every_hook_imports_the_modules_that_are_judged(entry: str, tmp_path: Path) -> None:
    payload: dict[str, object] = {"session_id": "one", "cwd": str(tmp_path)}
    environment = clean_environment(tmp_path)
    loaded = modules(sys.executable, HOOKS / f"{entry}.py", payload, environment)
    others = {f"session_memory.events.{other}" for other in EVENT_NAMES if other != entry}
    assert set(bytecode.MODULES) - others <= loaded
