"""Planted faults in interpreters, bundles, byte code, entry points, git and gh."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from doctor_patient import Patient, find, troubles
from support import ROOT


def shim(patient: Patient) -> Path:
    """A version manager's stand-in, which finds the real interpreter at every start."""
    real = (patient.bin / "python3").resolve()
    return patient.program("python3", f'#!/bin/sh\nsleep 0.05\nexec "{real}" "$@"\n')


def test_no_python(patient: Patient) -> None:
    empty = patient.folder / "empty"
    empty.mkdir()
    made = patient.examine(env={"PATH": str(empty)})
    found = find(made, "There is no Python 3.9 or newer on PATH")
    assert found["level"] == "fault"
    assert "SESSION_MEMORY_PYTHON" in found["mend"]


def test_python_on_path_is_too_old(patient: Patient) -> None:
    patient.program("python3", "#!/bin/sh\necho \"('/old/python3', 3, 8, 1)\"\n")
    made = patient.examine(env={"PATH": str(patient.bin)})
    assert find(made, "There is no Python 3.9 or newer")["level"] == "fault"


def test_shim_that_will_be_remembered(patient: Patient) -> None:
    path = shim(patient)
    found = find(patient.examine(), f"{path} is a shim")
    assert found["level"] == "note"
    assert "Only the first hook" in found["why"]


def test_shim_that_cannot_be_remembered(patient: Patient) -> None:
    path = shim(patient)
    patient.write(patient.home / ".cache", "a file where a folder belongs")
    found = find(patient.examine(), f"{path} is a shim")
    assert found["level"] == "warning"
    assert "Every hook pays" in found["why"]
    assert "SESSION_MEMORY_PYTHON=" in found["mend"]


def test_shim_that_is_remembered_costs_nothing(patient: Patient) -> None:
    real = (patient.bin / "python3").resolve()
    shim(patient)
    patient.write(patient.memory, f"{real}\n\n")
    assert troubles(patient.examine()) == []


@pytest.mark.parametrize("text", ["exit 1", "sleep 9", "echo not Python"], ids=str)
def test_remembered_interpreter_cannot_start(patient: Patient, text: str) -> None:
    broken = patient.program("python3.14", f"#!/bin/sh\nexec {text}\n".replace("exec exit", "exit"))
    patient.write(patient.memory, f"{broken}\n\n")
    found = find(patient.examine(), f"The remembered interpreter {broken} cannot start")
    assert (found["level"], found["mend"]) == ("fault", f"rm {patient.memory}")


def test_remembered_interpreter_gone(patient: Patient) -> None:
    patient.write(patient.memory, "/opt/gone/bin/python3\n\n")
    found = find(patient.examine(), "The remembered interpreter /opt/gone/bin/python3 is gone")
    assert found["level"] == "note"


def test_setting_names_no_python(patient: Patient) -> None:
    made = patient.examine(env={"SESSION_MEMORY_PYTHON": "/bin/false"})
    found = find(made, "SESSION_MEMORY_PYTHON names /bin/false")
    assert found["level"] == "warning"
    assert "unset SESSION_MEMORY_PYTHON" in found["mend"]


def test_setting_is_taken(patient: Patient) -> None:
    real = str((patient.bin / "python3").resolve())
    made = patient.examine(env={"SESSION_MEMORY_PYTHON": real})
    assert troubles(made) == []
    assert find(made, "named by SESSION_MEMORY_PYTHON")["where"] == real


def test_setting_that_is_remembered_is_taken(patient: Patient) -> None:
    real = str((patient.bin / "python3").resolve())
    patient.write(patient.memory, f"{real}\n{real}\n")
    assert find(patient.examine(env={"SESSION_MEMORY_PYTHON": real}), ", remembered,")


def test_broken_setting_does_not_lose_what_is_remembered(patient: Patient) -> None:
    real = str((patient.bin / "python3").resolve())
    patient.write(patient.memory, f"{real}\n\n")
    made = patient.examine(env={"SESSION_MEMORY_PYTHON": "/bin/false"})
    assert find(made, ", remembered,")["where"] == real


def command(python: str, *options: str) -> str:
    return " ".join([python, "-I", "-S", *options, f"{ROOT}/hooks/session_start.py"])


def test_registered_interpreter_cannot_start(patient: Patient) -> None:
    broken = patient.program("python3.14", "#!/bin/sh\nexit 1\n")
    patient.use(ROOT, command=command(str(broken)))
    found = find(patient.examine(), f"The registered interpreter {broken} cannot start")
    assert found["level"] == "fault"
    assert "session-memory install" in found["mend"]


def test_registered_interpreter_of_path(patient: Patient) -> None:
    patient.use(ROOT, command=command("python3"))
    assert find(patient.examine(), "named in the registered command")["level"] == "ok"


def test_compiled_modules_cannot_be_kept_elsewhere(patient: Patient) -> None:
    taken = patient.write(patient.folder / "taken", "a file")
    real = (patient.bin / "python3").resolve()
    patient.use(ROOT, command=command(str(real), "-X", f"pycache_prefix={taken}/cache"))
    found = find(patient.examine(), "modules are compiled anew at every hook")
    assert (found["level"], found["mend"]) == ("warning", f"make {taken} writable")


def test_relative_folder_of_path_is_passed_over(patient: Patient) -> None:
    evil = patient.repo.write("python3", "#!/bin/sh\ntouch executed\n")
    evil.chmod(0o755)
    assert troubles(patient.examine(env={"PATH": f".:{patient.env['PATH']}"})) == []
    assert not (patient.repo.root / "executed").exists()


@pytest.mark.parametrize(
    "name", ["hooks/run", "hooks/post_tool_use.py", "lib/session_memory/core/guard.py"]
)
def test_bundle_lacks_a_file(patient: Patient, name: str) -> None:
    root = patient.bundle()
    (root / name).unlink()
    patient.use(root)
    found = find(patient.examine(), "The bundle lacks ")
    assert found["level"] == "fault"
    assert "/".join(Path(name).parts[-2:]) in found["what"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", ["hooks/run", "lib/session_memory/core/key.py"])
def test_bundle_has_a_file_that_cannot_be_read(patient: Patient, name: str) -> None:
    root = patient.bundle()
    (root / name).chmod(0)
    patient.use(root)
    found = find(patient.examine(), f"{'/'.join(Path(name).parts[-2:])} cannot be read")
    assert (found["level"], found["mend"]) == ("fault", f"chmod -R u+rX {root}")


def test_damaged_module_is_brought_back_by_git(patient: Patient) -> None:
    root = patient.bundle()
    (root / ".git").mkdir()
    (root / "lib" / "session_memory" / "core" / "key.py").unlink()
    patient.use(root)
    found = find(patient.examine(), "SessionStart runs, but complains: ")
    assert found["mend"] == f"git -C {root} checkout HEAD -- ."


def test_bundle_of_another_version(patient: Patient) -> None:
    root = patient.bundle()
    init = root / "lib" / "session_memory" / "__init__.py"
    patient.write(init, init.read_text().replace('"0.', '"99.'))
    patient.use(root)
    found = find(patient.examine(), "The hooks are of version 99.")
    assert found["level"] == "note"


def test_byte_code_cannot_be_kept(patient: Patient) -> None:
    root = patient.bundle()
    cache = patient.write(root / "lib" / "session_memory" / "core" / "__pycache__", "in the way")
    patient.use(root)
    found = find(patient.examine(), "modules are compiled anew at every hook")
    assert (found["level"], found["mend"]) == ("warning", f"rm {cache}")


def test_byte_code_of_another_source_is_compiled_anew(patient: Patient) -> None:
    root = patient.bundle()
    real = str((patient.bin / "python3").resolve())
    lib = root / "lib" / "session_memory"
    subprocess.run([real, "-m", "compileall", "-q", str(lib)], check=True)
    patient.use(root)
    assert find(patient.examine(), "All is compiled")
    os.utime(lib / "core" / "guard.py", (1, 1))
    assert find(patient.examine(), "To be compiled by the next hooks: 1 module.")


def test_checked_hashes_survive_a_change_of_time(patient: Patient) -> None:
    root = patient.bundle()
    real = str((patient.bin / "python3").resolve())
    lib = root / "lib" / "session_memory"
    mode = ["--invalidation-mode", "checked-hash"]
    subprocess.run([real, "-m", "compileall", "-q", *mode, str(lib)], check=True)
    os.utime(lib / "core" / "guard.py", (1, 1))
    patient.use(root)
    assert find(patient.examine(), "All is compiled")


def test_module_that_does_not_compile(patient: Patient) -> None:
    root = patient.bundle()
    patient.write(root / "lib" / "session_memory" / "core" / "payload.py", "def")
    patient.use(root)
    assert find(patient.examine(), "modules cannot be compiled")["level"] == "fault"


def handler(patient: Patient, body: str) -> None:
    """Let the hook of prompts do ``body``."""
    root = patient.bundle()
    text = f"import os, time\ndef handle(session):\n    {body}\n    return ''\n"
    patient.write(root / "lib" / "session_memory" / "events" / "user_prompt_submit.py", text)
    patient.use(root)


@pytest.mark.parametrize(
    ("body", "level", "words"),
    [
        ("raise KeyError('x')", "warning", "runs, but complains: session-memory: user_prompt"),
        ("os.write(1, b'[1]')", "fault", "prints something that is not one JSON object"),
        ("os.write(1, b'hello')", "fault", "prints something that is not one JSON object"),
        ("os._exit(3)", "warning", "runs, but complains: session-memory: "),
        ("os.write(2, b'oh dear'); os._exit(2)", "warning", "runs, but complains: oh dear"),
        ("time.sleep(9)", "fault", "takes longer than 3 s"),
    ],
    ids=str,
)
def test_hook_that_misbehaves(patient: Patient, body: str, level: str, words: str) -> None:
    handler(patient, body)
    found = find(patient.examine(), f"UserPromptSubmit {words}")
    assert (found["check"], found["level"]) == ("entry points", level)


def test_hook_that_is_slow(patient: Patient) -> None:
    handler(patient, "time.sleep(2.0)")
    found = find(patient.examine(), "UserPromptSubmit is slow: ")
    assert found["level"] == "warning"


def test_hook_that_does_not_log(patient: Patient) -> None:
    root = patient.bundle()
    text = "def handle(session):\n    return ''\n"
    patient.write(root / "lib" / "session_memory" / "events" / "post_tool_use.py", text)
    patient.use(root)
    assert find(patient.examine(), "PostToolUse does not log a question")["level"] == "fault"


def references(patient: Patient) -> None:
    patient.repo.write(".references/index.json", "{}")


def without(patient: Patient, *names: str) -> dict[str, str]:
    """A PATH on which the programs ``names`` are missing."""
    folder = patient.folder / "few"
    folder.mkdir()
    for name in {"sh", "git", "gh"}.difference(names):
        source = patient.bin / name if name == "gh" else Path(shutil.which(name) or "")
        (folder / name).symlink_to(source)
    (folder / "python3").symlink_to((patient.bin / "python3").resolve())
    return {"PATH": str(folder)}


def test_gh_missing_where_references_need_it(patient: Patient) -> None:
    references(patient)
    found = find(patient.examine(env=without(patient, "gh")), "gh is not on PATH")
    assert (found["level"], found["row"]) == ("warning", "SMC-22")
    assert "cli.github.com" in found["mend"]


def test_gh_missing_where_nothing_needs_it(patient: Patient) -> None:
    assert find(patient.examine(env=without(patient, "gh")), "gh is not on PATH")["level"] == "note"


def test_gh_too_old(patient: Patient) -> None:
    references(patient)
    patient.program("gh", '#!/bin/sh\necho "gh version 2.4.0"\n')
    found = find(patient.examine(), "gh is 2.4.0, but 2.23 is needed")
    assert (found["level"], found["mend"]) == ("warning", "update gh")


def test_gh_that_does_not_tell_its_version(patient: Patient) -> None:
    references(patient)
    path = patient.program("gh", "#!/bin/sh\nexit 1\n")
    found = find(patient.look(), "gh does not tell its version")
    assert (found["level"], found["mend"]) == (
        *("warning", f"see what this prints: {path} --version"),
    )


def test_gh_not_signed_in(patient: Patient) -> None:
    references(patient)
    patient.program("gh", '#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.60.0"\n')
    found = find(patient.examine(), "gh is not signed in")
    assert (found["level"], found["mend"]) == ("warning", "gh auth login")


@pytest.mark.skipif(not shutil.which("gh"), reason="no gh")
@pytest.mark.parametrize(("token", "words"), [("x", "has a token"), ("", "is not signed in")])
def test_real_gh(patient: Patient, token: str, words: str) -> None:
    (patient.bin / "gh").unlink()
    (patient.bin / "gh").symlink_to(shutil.which("gh") or "")
    assert find(patient.examine(env={"GH_TOKEN": token}), words)["check"] == "programs"


def test_git_missing(patient: Patient) -> None:
    found = find(patient.examine(env=without(patient, "git")), "git is not on PATH")
    assert (found["level"], found["mend"]) == ("warning", "install git")


def test_git_old(patient: Patient) -> None:
    patient.program("git", '#!/bin/sh\necho "git version 2.20.1"\n')
    assert find(patient.examine(), "git is 2.20.1")["level"] == "note"


def test_without_a_registration_the_own_bundle_is_tried(patient: Patient) -> None:
    patient.claude.unlink()
    assert find(patient.examine(), "SessionStart works")["where"] == str(ROOT / "hooks")


@pytest.mark.parametrize("module", ["core/guard", "core/__init__", "references/globs", "preload"])
def test_torn_byte_code(patient: Patient, module: str) -> None:
    root = patient.bundle()
    lib = root / "lib" / "session_memory"
    real = str((patient.bin / "python3").resolve())
    subprocess.run([real, "-m", "compileall", "-q", str(lib)], check=True)
    (torn,) = (lib / module).parent.glob(f"__pycache__/{Path(module).name}.*.pyc")
    torn.write_bytes(torn.read_bytes()[:-9])
    patient.use(root)
    found = find(patient.examine(), f"A compiled module is torn: {torn}.")
    assert (found["level"], found["mend"]) == ("fault", f"rm {torn}")
    assert torn.exists()
    subprocess.run(["sh", "-c", found["mend"]], check=True)
    assert troubles(patient.examine()) == []


def test_wheel_without_its_entry_points(patient: Patient) -> None:
    site = patient.folder / "venv" / "lib" / "python3" / "site-packages"
    package = shutil.copytree(ROOT / "lib" / "session_memory", site / "session_memory")
    python = patient.folder / "venv" / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    (package / "entry_points").mkdir()
    real = (patient.bin / "python3").resolve()
    script = package / "entry_points" / "session_start.py"
    patient.use(ROOT, command=f"{real} -I -S -X utf8 {script}")
    made = patient.examine()
    again = f"{python} -m pip install --force-reinstall /path/to/session-memory-hooks"
    assert find(made, "The bundle lacks ")["mend"] == again
    assert find(made, f"A registered command runs {script}")["mend"] == again
