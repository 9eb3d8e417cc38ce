"""The entry points of a wheel."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from install_support import commands_in
from session_memory.core.guard import EVENT_NAMES
from support import ROOT, Repository, clean_environment

PYTHON = str(getattr(sys, "_base_executable", sys.executable))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site folder with the wheel in it, and with a module that must not be taken for json."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-q", "-w", str(folder)], check=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    made = folder / "it's a site" / "lib"  # a name that coverage knows to be the package's
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(made)], check=True)
    for name in ("json", "re", "hashlib", "contextlib"):
        (made / f"{name}.py").write_text("raise SystemExit(9)", encoding="utf-8")
    return made


def send(command: list[str], repo: Repository, event: str) -> None:
    payload = {
        "session_id": "one",
        "hook_event_name": event,
        "cwd": str(repo.root),
        "prompt": "Work on #1",
        "source": "startup",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which?"}]},
    }
    done = subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        env=clean_environment(repo.root.parent),
        cwd=repo.root,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("entry", EVENT_NAMES)
def test_entry_point_finds_its_package(entry: str, site: Path, repo: Repository) -> None:
    script = site / "session_memory" / "entry_points" / f"{entry}.py"
    send([PYTHON, "-I", "-S", str(script)], repo, EVENT_NAMES[entry])
    assert any(repo.session.iterdir())


def test_installed_command_of_a_wheel(site: Path, repo: Repository, tmp_path: Path) -> None:
    for name in ("json", "re", "hashlib", "contextlib"):
        (site / f"{name}.py").unlink()
    home = tmp_path / "home"
    env = {"HOME": str(home), "PYTHONPATH": str(site)}
    ran = run("install", "--host", "claude", "--json", cwd=repo.root, env=env)
    assert ran.json["entry_points"] == str(site / "session_memory" / "entry_points")
    settings = json.loads((home / ".claude" / "settings.json").read_text("utf-8"))
    send(["sh", "-c", commands_in(settings)[-1]], repo, "PostToolUse")
    assert len(repo.log("s-one")) == 1
    (state, *_) = run("status", "--json", cwd=repo.root, env=env).json["registrations"]
    assert (state["up_to_date"], state["version"]) == (True, ran.json["version"])
