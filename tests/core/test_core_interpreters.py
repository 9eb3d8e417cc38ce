"""What a hook loads, and that it runs on every Python there is."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loaded import modules as loaded_modules
from support import HOOKS, Hook, Repository, question

# Beyond what an empty script loads: built into every interpreter, or compiled and small.
ALLOWED = frozenset(("gc", "errno", "_json", "_sha2", "_sha256", "fcntl"))

QUIET = {"hook_event_name": "", "tool_name": "Read", "prompt": "tidy up", "source": "startup"}


def loaded(python: str, script: Path, payload: dict[str, object]) -> set[str]:
    """The modules in memory when the script ends, without those of this project."""
    names = loaded_modules(python, script, payload, {})
    return {name for name in names if not name.startswith("session_mem")}


def pythons() -> list[str]:
    """Real interpreters: those on PATH, and those that an environment variable names."""
    named = os.environ.get("SESSION_MEMORY_TEST_PYTHONS", "").split(os.pathsep)
    on_path = [shutil.which(f"python3.{minor}") for minor in range(9, 16)]
    found = {real_path(path) for path in [*named, *on_path] if path}
    return sorted(path for path in found if path)


def real_path(python: str) -> str:
    """The interpreter itself, also behind a version manager's shim; ``""`` when it does not run."""
    code = "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')"
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


NONE = pytest.param("", marks=pytest.mark.skip(reason="no Python was found on PATH"))
PYTHONS: list[Any] = [*pythons()] or [NONE]


@pytest.mark.skipif(os.name != "posix", reason="Windows needs os")
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("entry", "changes"),
    [
        pytest.param("post_tool_use", {}, id="a tool that is none of ours"),
        pytest.param("post_tool_use", {"tool_name": "AskUserQuestion"}, id="question"),
        pytest.param("user_prompt_submit", {"session_id": "known"}, id="prompt"),
    ],
)
def test_a_hook_loads_only_what_is_cheap(
    repo: Repository, tmp_path: Path, python: str, entry: str, changes: dict[str, object]
) -> None:
    repo.session.mkdir(parents=True)
    (repo.session / "session-startup-check-complete-s-known.md").write_text("done")
    payload = {**question(repo), **QUIET, **changes}
    empty = tmp_path / "empty.py"
    empty.write_text("posix._exit(0)")
    before = loaded(python, empty, payload)
    script = HOOKS / f"{entry}.py"
    loaded(python, script, payload)  # may write what the next run is to load
    assert loaded(python, script, payload) - before <= ALLOWED


@pytest.mark.parametrize("python", PYTHONS)
def test_every_entry_point_runs(repo: Repository, hook: Callable[..., Hook], python: str) -> None:
    for entry in ("session_start", "user_prompt_submit", "post_tool_use"):
        done = hook(entry, question(repo, **QUIET, session_id="other"), python=python)
        assert (done.code, done.stderr) == (0, b"")
    hook("post_tool_use", question(repo), python=python).assert_quiet()
    digest = hashlib.sha256(b"Which way?").hexdigest()[:16]
    assert [record["question_digest"] for record in repo.log("s-s1")] == [digest]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"[" * 100_000, id="deep list"),
        pytest.param(b'{"tool_input": ' * 2_000 + b"1" + b"}" * 2_000, id="deep object"),
        pytest.param(b"\xff", id="bytes"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_unusable_input_never_crashes(
    hook: Callable[..., Hook], python: str, payload: bytes
) -> None:
    done = hook("post_tool_use", payload, python=python)
    assert (done.code, done.stdout) == (0, b"")
    assert done.stderr.count(b"\n") <= 1
