"""The boundary: exit 0, nothing or one object on stdout, at most one line on stderr."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core import deadline, guard
from support import HOOKS, ROOT, SWITCH, Hook, Repository, clean_environment, question

ENTRIES = sorted(guard.EVENT_NAMES)


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_point_has_a_budget_and_a_script(entry: str) -> None:
    assert (HOOKS / f"{entry}.py").is_file()
    assert deadline.BUDGET_S[entry] > 0


@pytest.mark.parametrize("entry", ENTRIES)
def test_unusable_input_fails_open(hook: Callable[..., Hook], entry: str) -> None:
    done = hook(entry, b"not json")
    done.assert_failed_open()
    assert done.stderr.startswith(f"session-memory: {entry}: payload is not JSON".encode())


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", ["Stop", "PreToolUse", "PostToolUseFailure", "notification", "x"])
def test_an_event_of_another_name_is_ignored(
    hook: Callable[..., Hook], repo: Repository, entry: str, name: str
) -> None:
    hook(entry, question(repo, hook_event_name=name, prompt="issue #1")).assert_quiet()
    assert not (repo.root / "memories").exists()


@pytest.mark.parametrize("name", ["PostToolUse", "postToolUse", "post_tool_use", "AfterTool", ""])
def test_an_event_is_known_under_all_its_names(
    hook: Callable[..., Hook], repo: Repository, name: str
) -> None:
    hook("post_tool_use", question(repo, hook_event_name=name)).assert_quiet()
    assert len(repo.log("s-s1")) == 1


@pytest.mark.parametrize(("variables", "on"), SWITCH.values(), ids=SWITCH)
def test_the_switch_turns_everything_off(
    hook: Callable[..., Hook], repo: Repository, variables: dict[str, str], on: bool
) -> None:
    hook("post_tool_use", question(repo), env=variables).assert_quiet()
    assert len(repo.log("s-s1")) == on


def test_a_hook_that_is_off_does_not_read_its_payload(hook: Callable[..., Hook]) -> None:
    hook("post_tool_use", b"not json", env={guard.SWITCH: "1"}).assert_quiet()


def test_a_failure_is_told_in_the_plugin_log(hook: Callable[..., Hook], tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    hook("session_start", b"[]", env={"CLAUDE_PLUGIN_DATA": str(data)}).assert_failed_open()
    record = json.loads((data / "hook-diagnostics.jsonl").read_bytes())
    assert record["entry"] == "session_start"
    assert record["message"] == "payload is not a JSON object"


def test_a_failure_never_quotes_the_payload(hook: Callable[..., Hook], tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    broken = b'{"prompt":"password=hunter2", "session_id": '
    done = hook("user_prompt_submit", broken, env={"COPILOT_PLUGIN_DATA": str(data)})
    done.assert_failed_open()
    assert b"hunter2" not in done.stderr + (data / "hook-diagnostics.jsonl").read_bytes()


def test_an_unwritable_plugin_log_is_not_a_second_failure(hook: Callable[..., Hook]) -> None:
    env = {"CLAUDE_PLUGIN_DATA": "/nonexistent"}
    hook("session_start", b"[]", env=env).assert_failed_open()


@pytest.mark.parametrize("module", ["journal", "store", "diagnostics", "torn", "key"])
def test_a_module_that_is_missing_is_told_whichever_it_is(
    repo: Repository, tmp_path: Path, module: str
) -> None:
    """Telling needs modules, too."""
    for folder in ("hooks", "lib"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / "bundle" / folder, ignore=ignore)
    (tmp_path / "bundle" / "lib" / "session_memory" / "core" / f"{module}.py").unlink()
    payload = b"[]" if module in ("diagnostics", "torn") else json.dumps(question(repo)).encode()

    done = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "bundle" / "hooks" / "post_tool_use.py"],
        input=payload,
        env=clean_environment(tmp_path),
        capture_output=True,
        check=False,
    )

    Hook(done.returncode, done.stdout, done.stderr).assert_failed_open()
    assert done.stderr.startswith(b"session-memory: post_tool_use: ")
