"""What the README shows must be so."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from session_memory.demo import expected
from session_memory.demo.replay import run
from session_memory.demo.scene import Scene
from support import ROOT, Hook, Repository, clean_environment

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def payload(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = next(json.loads(text) for text in blocks("json") if "cwd" in text)
    return {**found, "cwd": str(root)}


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's command")
def test_first_command_passes(tmp_path: Path) -> None:
    (tmp_path / "python3").symlink_to(sys.executable)
    environment = clean_environment(tmp_path)

    done = subprocess.run(
        ["/bin/sh", "-c", blocks("sh")[0]],
        cwd=ROOT,
        env={**environment, "PATH": f"{tmp_path}:{environment['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_sample_payload_is_recorded(hook: Callable[..., Hook], repo: Repository) -> None:
    hook("post_tool_use", payload(repo.root)).assert_quiet()

    (record,) = repo.log("s-by-hand")
    assert (record["host"], record["tool_use_id"]) == ("claude", "toolu_by_hand")


def test_quoted_record_is_what_the_demo_writes(tmp_path: Path) -> None:
    quoted = next(json.loads(text) for text in blocks("json") if "event_type" in text)

    written = run(Scene.build(str(tmp_path))).written
    log = f"memories/session/gate-events-{expected._CLAUDE}.jsonl"
    record = {**json.loads(written[log]), "timestamp": quoted["timestamp"]}

    assert list(record.items()) == list(quoted.items())


def test_settings_are_honoured(hook: Callable[..., Hook], repo: Repository) -> None:
    (settings,) = blocks("toml")
    repo.write("pyproject.toml", f'[project]\nversion = "1.0.0"\n\n{settings}')
    edited = repo.write("skills/sample/SKILL.md", "# Sample\n")
    repo.commit("settings")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(edited)}}

    done = hook("post_tool_use", {**payload(repo.root), **edit})

    assert (done.code, done.stderr) == (0, b"")
    assert "`make bump`" in done.context
    assert "pyproject.toml" in done.context


@pytest.mark.parametrize("client", ["claude", "copilot"])
def test_installation_names_the_plugin_of_the_marketplace(client: str) -> None:
    marketplace = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    (plugin,) = marketplace["plugins"]

    assert f"{client} plugin install {plugin['name']}@{marketplace['name']}\n" in README


def test_quoted_benchmark_is_complete() -> None:
    table = README.partition("<!-- benchmark: begin")[2].partition("<!-- benchmark: end")[0]

    for part in ("interleaved rounds", "python -I -S -c pass", "question recorded", "peer: "):
        assert part in table
