"""A clone is data: doctor starts nothing that came with it, and is not kept busy by it."""

import json
import shutil
import stat
from pathlib import Path

import pytest

from doctor_patient import Patient, find, troubles
from session_memory.core.guard import EVENT_NAMES
from support import HOOKS

PYCACHE = "-I -S -X pycache_prefix={root}/cache {hooks}/session_start.py"


def trap(patient: Patient, path: Path) -> Path:
    """A program that leaves a trace when it is started."""
    patient.write(path, f"#!/bin/sh\ntouch {patient.folder}/sprung\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def is_sprung(patient: Patient) -> bool:
    return (patient.folder / "sprung").exists()


def register(patient: Patient, command: str) -> None:
    """The repository's own settings, as they come with a clone."""
    hooks = {EVENT_NAMES["session_start"]: [{"hooks": [{"type": "command", "command": command}]}]}
    patient.write(patient.repo.root / ".claude" / "settings.json", {"hooks": hooks})


def test_launcher_of_the_clone_is_not_run(patient: Patient) -> None:
    hooks = patient.repo.root / "hooks"
    shutil.copytree(HOOKS, hooks)
    trap(patient, hooks / "run")
    register(patient, 'sh "${CLAUDE_PROJECT_DIR}/hooks/run" session_start')
    found = find(patient.examine(), "Hooks that the repository registers were not tried")
    assert found["level"] == "note"
    assert not is_sprung(patient)


@pytest.mark.parametrize("link", [False, True], ids=["path", "through a link"])
def test_interpreter_of_the_clone_is_not_run(patient: Patient, link: bool) -> None:
    python = trap(patient, patient.repo.root / "bin" / "python3")
    if link:
        outside = patient.folder / "outside"
        outside.mkdir()
        (outside / "python3").symlink_to(python)
        python = outside / "python3"
    register(patient, f"{python} -I -S {HOOKS}/session_start.py")
    assert find(patient.examine(), "were not tried")
    assert not is_sprung(patient)


def test_compiled_modules_of_the_clone_are_not_loaded(patient: Patient) -> None:
    root = patient.repo.root
    register(patient, f"{patient.bin}/python3 " + PYCACHE.format(root=root, hooks=HOOKS))
    assert find(patient.examine(), "were not tried")


def test_installed_bundle_that_the_clone_registers_is_tried(patient: Patient) -> None:
    patient.claude.unlink()
    patient.write(patient.repo.root / ".claude/settings.local.json", patient.registration())
    assert troubles(patient.examine()) == []


def test_home_that_is_a_repository(patient: Patient) -> None:
    """Its settings are the user's, and there is one of each."""
    shutil.move(patient.repo.root / ".git", patient.home / ".git")
    assert troubles(patient.examine(cwd=patient.home)) == []


def test_thousands_of_hooks_do_not_keep_it_busy(patient: Patient) -> None:
    handler = {"type": "command", "command": "sh /x/hooks/run session_start", "timeout": -(10**400)}
    hooks = {"SessionStart": [{"hooks": [handler] * 20_000}], **{f"E{n}": [] for n in range(999)}}
    patient.write(patient.repo.root / ".claude" / "settings.json", json.dumps({"hooks": hooks}))
    made = patient.examine()
    assert made["seconds"] < 20
    assert len(made["findings"]) < 100


def test_names_with_shell_characters_are_quoted(patient: Patient) -> None:
    path = patient.state("gate-events-$(touch x).jsonl", "torn")
    path.chmod(0o644)
    found = find(patient.examine(), "Other users can read")
    assert found["mend"] == f"chmod go= '{path}'"
