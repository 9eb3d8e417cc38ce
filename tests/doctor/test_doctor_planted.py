"""One table of what goes wrong in the field: planted, explained, and mended as the report says.

Each row plants a fault in a healthy environment. The report must begin with it, give exactly the
mend of the row, and find nothing once that was done.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from doctor_patient import Patient, copilot_hooks, find, troubles
from support import ROOT, Repository

LOG = "gate-events-s-one.jsonl"
Step = Callable[[Patient], object]


@dataclass(frozen=True)
class Row:
    """``mend`` is the report's, with ``{}`` for paths below the patient's folder.

    ``cure`` does it where it is no command; ``tells`` are words of what the report says. Only with
    ``trials`` are hooks and interpreters run, which takes a second.
    """

    plant: Step
    level: str
    tells: str
    mend: str
    cure: "Step | None" = None
    trials: bool = False


def by_command(patient: Patient, mend: str) -> None:
    """Do what the report says: a command, perhaps behind a few words."""
    command = re.sub(r"^[a-z ,]+: (?=\w)", "", mend)
    env = {**patient.env, "PYTHONPATH": str(ROOT / "lib")}
    own = f"'{sys.executable}' -m session_memory"
    command = (
        command.replace("session-memory ", f"{own} ") if "session-memory " in mend else command
    )
    subprocess.run(["sh", "-c", command], cwd=patient.repo.root, env=env, check=True, timeout=60)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def comment(patient: Patient) -> None:
    replace(patient.claude, "{", "{ // mine\n")


def uncomment(patient: Patient) -> None:
    replace(patient.claude, " // mine\n", "")


def variable(patient: Patient) -> None:
    replace(patient.claude, "{", '{"env": {"SESSION_MEMORY_DISABLE": "1"},')


def no_variable(patient: Patient) -> None:
    replace(patient.claude, '"env": {"SESSION_MEMORY_DISABLE": "1"},', "")


def all_off(patient: Patient) -> None:
    replace(patient.claude, "{", '{"disableAllHooks": true,')


def all_on(patient: Patient) -> None:
    replace(patient.claude, "true", "false")


def gone_interpreter(patient: Patient) -> None:
    """An installation whose Python was upgraded away."""
    real = (patient.bin / "python3").resolve()
    patient.claude.unlink()
    by_command(patient, f"session-memory install --host claude --python {real}")
    text = patient.claude.read_text("utf-8")
    patient.claude.write_text(text.replace(str(real), "/opt/gone/bin/python3.12"), "utf-8")


def clone(patient: Patient) -> Path:
    """A bundle from which git can bring files back, in use."""
    root = patient.bundle()
    repo = Repository(root)
    repo.git("init", "--quiet")
    repo.write(".gitignore", "__pycache__\n")
    repo.commit("all")
    patient.use(root)
    return root


def restore(patient: Patient) -> None:
    by_command(patient, f"git -C {patient.folder}/bundle checkout --quiet HEAD -- .")


def lost_script(patient: Patient) -> None:
    (clone(patient) / "hooks" / "post_tool_use.py").unlink()


def lost_module(patient: Patient) -> None:
    (clone(patient) / "lib" / "session_memory" / "core" / "journal.py").unlink()


def windows_lines(patient: Patient) -> None:
    path = clone(patient) / "hooks" / "run"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def given_python(patient: Patient) -> None:
    replace(patient.claude, "{", '{"env": {"SESSION_MEMORY_PYTHON": "/opt/gone/python3"},')


def no_given_python(patient: Patient) -> None:
    replace(patient.claude, '"env": {"SESSION_MEMORY_PYTHON": "/opt/gone/python3"},', "")


def wrong_event(patient: Patient) -> None:
    replace(patient.claude, '"SessionStart"', '"sessionStart"')


def right_event(patient: Patient) -> None:
    replace(patient.claude, '"sessionStart"', '"SessionStart"')


def hook_file(patient: Patient) -> Path:
    return patient.home / ".copilot" / "hooks" / "ours.json"


def version_2(patient: Patient) -> None:
    patient.write(hook_file(patient), {**copilot_hooks(), "version": 2})


def version_1(patient: Patient) -> None:
    replace(hook_file(patient), '"version": 2', '"version": 1')


def torn_module(patient: Patient) -> None:
    root = patient.bundle()
    library = root / "lib" / "session_memory"
    python = str((patient.bin / "python3").resolve())
    subprocess.run([python, "-m", "compileall", "-q", str(library)], check=True)
    path = library / "core" / "__pycache__" / f"session.{sys.implementation.cache_tag}.pyc"
    path.write_bytes(path.read_bytes()[:-9])
    patient.use(root)


def blocked_cache(patient: Patient) -> None:
    root = patient.bundle()
    patient.write(root / "lib" / "session_memory" / "core" / "__pycache__", "in the way")
    patient.use(root)


def broken_memory(patient: Patient) -> None:
    broken = patient.program("python3.99", "#!/bin/sh\nexit 1\n")
    patient.write(patient.memory, f"{broken}\n\n")


def plugin_too(patient: Patient) -> None:
    patient.install_plugin(patient.bundle())


def no_plugin(patient: Patient) -> None:
    """What ``claude plugin uninstall`` does to its books."""
    (patient.home / ".claude" / "plugins" / "installed_plugins.json").unlink()
    patient.use(ROOT)


def moved_clone(patient: Patient) -> None:
    patient.claude.unlink()
    patient.install_plugin(patient.folder / "moved-away")


def wrong_case(patient: Patient) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUse"][0]["matcher"] = "edit|write"
    patient.write(patient.claude, settings)


def right_case(patient: Patient) -> None:
    replace(patient.claude, "edit|write", "^(Edit|Write|MultiEdit|AskUserQuestion)$")


def short_time(patient: Patient) -> None:
    patient.use(ROOT)
    replace(patient.claude, '"timeout": 25', '"timeout": 3')


def enough_time(patient: Patient) -> None:
    replace(patient.claude, '"timeout": 3', '"timeout": 20')


def link_for_state(patient: Patient) -> None:
    (patient.repo.root / "memories").symlink_to(patient.home)


def open_state(patient: Patient) -> None:
    patient.state(LOG).chmod(0o666)


def damaged_state(patient: Patient) -> None:
    patient.state("references-preflight-s-one-5.json", "{torn")


def damaged_index(patient: Patient) -> None:
    patient.repo.write(".references/index.json", "{torn")


def no_index(patient: Patient) -> None:
    """A new index, without the command, since there is no document to index here."""
    entry = '[{"name": "csv", "target_path": "Documents/csv.md"}]'
    patient.repo.write(".references/index.json", entry)


def no_gh(patient: Patient) -> None:
    no_index(patient)
    patient.program("gh", '#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.60.0"\n')


def signed_in(patient: Patient) -> None:
    patient.program("gh", "#!/bin/sh\necho gh version 2.60.0\n")


def old_marker(patient: Patient) -> None:
    path = patient.state("session-startup-check-complete-s-one.md.7-7.tmp")
    os.utime(path, (1, 1))


INSTALL = "session-memory install --host claude"
SETTINGS = "{}/home/.claude/settings.json"
ROWS = {
    "comment in the settings": Row(
        *(comment, "fault", "line 1 has a comment"),
        f"correct the file; this shows the place: python3 -m json.tool {SETTINGS}",
        uncomment,
    ),
    "switched off by a variable": Row(
        *(variable, "warning", "Claude Code sets SESSION_MEMORY_DISABLE for hooks"),
        *("take SESSION_MEMORY_DISABLE out of that file", no_variable),
    ),
    "switched off with all hooks": Row(
        *(all_off, "warning", "switched off by disableAllHooks"),
        *(f"remove disableAllHooks from {SETTINGS}, or set it to false", all_on),
    ),
    "interpreter gone": Row(
        gone_interpreter, "fault", "starts /opt/gone/bin/python3.12, which is not there", INSTALL
    ),
    "script gone": Row(
        *(lost_script, "fault", "The bundle lacks hooks/post_tool_use.py"),
        "git -C {}/bundle checkout HEAD -- hooks/post_tool_use.py",
        trials=True,
    ),
    "compiled module torn": Row(
        *(torn_module, "fault", "A compiled module is torn"),
        "rm {}/bundle/lib/session_memory/core/__pycache__/session."
        f"{sys.implementation.cache_tag}.pyc",
        trials=True,
    ),
    "compiled modules not kept": Row(
        *(blocked_cache, "warning", "modules are compiled anew at every hook"),
        "rm {}/bundle/lib/session_memory/core/__pycache__",
        trials=True,
    ),
    "remembered interpreter broken": Row(
        *(broken_memory, "fault", "cannot start, or is older than Python 3.9"),
        "rm {}/home/.cache/session-memory-hooks/python",
        trials=True,
    ),
    "plugin and settings at once": Row(
        *(
            plugin_too,
            "warning",
            "Claude Code runs PostToolUse, SessionStart, UserPromptSubmit twice",
        ),
        "remove one of the two: claude plugin uninstall session-memory-hooks@session-memory-hooks",
        no_plugin,
    ),
    "clone of the plugin moved": Row(
        *(moved_clone, "fault", "has no hooks at"),
        "with the path where the clone is now:"
        " claude plugin marketplace remove session-memory-hooks"
        " && claude plugin marketplace add /path/to/session-memory-hooks"
        " && claude plugin install session-memory-hooks@session-memory-hooks",
        no_plugin,
    ),
    "matcher in the wrong case": Row(
        *(wrong_case, "warning", "The matcher 'edit|write' fits none of the tools"),
        *('use "^(Edit|Write|MultiEdit|AskUserQuestion)$"', right_case),
    ),
    "event in the wrong case": Row(
        *(wrong_event, "fault", "Claude Code knows no event of this name (sessionStart in"),
        *("register it for SessionStart", right_event),
    ),
    "hook file of another version": Row(
        *(version_2, "fault", "The version of a hook file is not 1", 'write "version": 1'),
        version_1,
    ),
    "interpreter of the settings gone": Row(
        *(given_python, "warning", "SESSION_MEMORY_PYTHON names /opt/gone/python3"),
        f'take SESSION_MEMORY_PYTHON out of the "env" of {SETTINGS}, or let it name a real'
        " interpreter",
        *(no_given_python, True),
    ),
    "module missing": Row(
        *(lost_module, "fault", "PostToolUse does not log a question: session-memory: post_tool"),
        *("see what comes before this; else: git -C {}/bundle checkout HEAD -- .", restore, True),
    ),
    "line ends of Windows": Row(
        *(windows_lines, "fault", "SessionStart ends with exit code 2"),
        *("see what comes before this; else: git -C {}/bundle checkout HEAD -- .", restore, True),
    ),
    "too little time": Row(
        *(short_time, "warning", "A timeout is 3 s, but the hook may take 8 s"),
        *('set "timeout" to 20 (seconds), or remove it', enough_time),
    ),
    "link in the place of state": Row(
        *(link_for_state, "warning", "memories is a link, and hooks follow none"),
        "replace the link by a folder: rm {}/repo/memories && mkdir {}/repo/memories",
    ),
    "state that others may change": Row(
        *(open_state, "warning", "Other users can change 1 file of state"),
        f"chmod go= {{}}/repo/memories/session/{LOG}",
    ),
    "damaged state": Row(
        *(damaged_state, "warning", "references-preflight-s-one-5.json is damaged"),
        "mv {}/repo/memories/session/references-preflight-s-one-5.json"
        " {}/repo/memories/session/references-preflight-s-one-5.json.old",
    ),
    "damaged index of references": Row(
        *(damaged_index, "fault", "The index of references is not JSON"),
        *("session-memory references index", no_index),
    ),
    "gh not signed in": Row(no_gh, "warning", "gh is not signed in", "gh auth login", signed_in),
    "temporary file left behind": Row(
        *(old_marker, "note", "1 temporary file was left behind"),
        "rm {}/repo/memories/session/session-startup-check-complete-s-one.md.7-7.tmp",
    ),
}


@pytest.mark.skipif(not shutil.which("git"), reason="no git")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_planted(row: Row, patient: Patient) -> None:
    row.plant(patient)
    made = patient.examine(trials=row.trials)
    found = find(made, row.tells)
    mend = row.mend.replace("{}", str(patient.folder))
    assert (found["level"], found["mend"]) == (row.level, mend)
    assert made["findings"][0]["level"] == row.level
    if row.cure:
        row.cure(patient)
    else:
        by_command(patient, found["mend"])
    assert troubles(patient.examine(trials=row.trials)) == []
