"""What the README and its pages show must be so."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import markdown_pages as md
from session_memory.demo import expected, replay
from session_memory.demo.scene import Scene
from support import ROOT, Hook, Repository, clean_environment

README = md.README.read_text("utf-8")
DIAGNOSIS, STATE = ROOT / "docs" / "diagnosis.md", ROOT / "docs" / "state.md"


def payload(root: Path) -> dict[str, Any]:
    (block,) = md.blocks("json", DIAGNOSIS)
    return {**json.loads(block.text), "cwd": str(root)}


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's command")
def test_first_command_passes(tmp_path: Path) -> None:
    (tmp_path / "python3").symlink_to(sys.executable)
    environment = clean_environment(tmp_path)

    done = subprocess.run(
        ["/bin/sh", "-c", md.blocks("sh", md.README)[0].text],
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
    (block,) = md.blocks("json", STATE)
    quoted = json.loads(block.text)

    written = replay.run(Scene.build(str(tmp_path))).written
    log = f"memories/session/gate-events-{expected._CLAUDE}.jsonl"
    record = {**json.loads(written[log]), "timestamp": quoted["timestamp"]}

    assert list(record.items()) == list(quoted.items())


def test_settings_are_honoured(hook: Callable[..., Hook], repo: Repository) -> None:
    (block,) = md.blocks("toml", md.README)
    repo.write("pyproject.toml", f'[project]\nversion = "1.0.0"\n\n{block.text}')
    edited = repo.write("skills/sample/SKILL.md", "# Sample\n")
    repo.commit("settings")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(edited)}}

    done = hook("post_tool_use", {**payload(repo.root), **edit})

    assert (done.code, done.stderr) == (0, b"")
    assert "`make bump`" in done.context
    assert "pyproject.toml" in done.context


def test_quoted_context_is_what_the_demo_injects(tmp_path: Path) -> None:
    (block,) = md.blocks("text", md.README)[:1]

    injected = [step.context for step in replay.run(Scene.build(str(tmp_path))).outcomes]

    assert block.text.rstrip("\n") in injected


@pytest.mark.parametrize("page", ["README.md", "docs/claude-code.md", "docs/copilot-cli.md"])
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_plugin_is_named_as_the_marketplace_names_it(page: str, verb: str) -> None:
    marketplace = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    (plugin,) = marketplace["plugins"]
    suffix = f"@{marketplace['name']}" if verb == "install" else ""
    text = "\n".join(block.text for block in md.blocks("sh", ROOT / page))
    for client in ("claude", "copilot"):
        if page in ("README.md", f"docs/{client}-c{'ode' if client == 'claude' else 'li'}.md"):
            assert f"{client} plugin {verb} {plugin['name']}{suffix}\n" in text
            assert f"{client} plugin marketplace remove {marketplace['name']}\n" in text


def test_quoted_benchmark_is_complete() -> None:
    table = README.partition("<!-- benchmark: begin")[2].partition("<!-- benchmark: end")[0]

    for part in ("interleaved rounds", "python -I -S -c pass", "question recorded", "peer: "):
        assert part in table
