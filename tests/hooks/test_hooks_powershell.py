"""The launcher for Windows without a POSIX shell. It runs wherever PowerShell is installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import HOOKS, ROOT, SWITCH, Repository, clean_environment

POWERSHELL = shutil.which("pwsh") or shutil.which("powershell") or ""

pytestmark = pytest.mark.skipif(not POWERSHELL, reason="PowerShell is not installed")


def run(
    arguments: list[str], cwd: Path, session: str = "one", **env: str
) -> "subprocess.CompletedProcess[bytes]":
    payload = {
        "session_id": session,
        "hook_event_name": "PostToolUse",
        "cwd": str(cwd),
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Größe?"}]},
        "tool_use_id": "t1",
    }
    return subprocess.run(
        [POWERSHELL, "-NoProfile", "-ExecutionPolicy", "Bypass", *arguments],
        input=json.dumps(payload, ensure_ascii=False).encode(),
        env={**clean_environment(cwd), **env},
        cwd=cwd,
        capture_output=True,
        timeout=60,
        check=False,
    )


def script(entry: str = "post_tool_use") -> list[str]:
    return ["-File", str(HOOKS / "run.ps1"), entry]


def windows_command(path: Path) -> list[str]:
    text = json.loads(path.read_text("utf-8"))["hooks"]["PostToolUse"][0]
    command = str(text.get("hooks", [text])[0]["windows"])
    return ["-Command", command.replace("${CLAUDE_PLUGIN_ROOT}", str(ROOT))]


def test_hook_runs_once(repo: Repository) -> None:
    done = run(script(), repo.root, SESSION_MEMORY_PYTHON=sys.executable)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(repo.log("s-one")) == 1


def test_without_python_one_line_and_exit_0(repo: Repository) -> None:
    done = run(script(), repo.root, PATH=str(repo.root))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(("variables", "on"), SWITCH.values(), ids=SWITCH)
def test_hook_that_is_off_does_nothing(
    repo: Repository, variables: dict[str, str], on: bool
) -> None:
    done = run(script(), repo.root, SESSION_MEMORY_PYTHON=sys.executable, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(repo.log("s-one")) == on


@pytest.mark.skipif(os.name != "nt", reason="the commands hold Windows paths")
@pytest.mark.parametrize("name", ["hooks.json", "hooks/hooks.json"])
def test_registered_command_runs_the_hook(repo: Repository, name: str) -> None:
    variables = {"PLUGIN_ROOT": str(ROOT), "SESSION_MEMORY_PYTHON": sys.executable}
    done = run(windows_command(ROOT / name), repo.root, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(repo.log("s-one")) == 1
