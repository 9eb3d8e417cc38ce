"""Many hooks at once: one of them speaks, none loses a path."""

import json
import subprocess
from pathlib import Path

import pytest

from hygiene.plugin_repository import PluginRepository, edit
from support import clean_environment, hook_command

PROCESSES = 32


def run_together(payloads: list[object], home: Path) -> list[subprocess.CompletedProcess[bytes]]:
    """All hooks are started before the first gets its payload."""
    started = [
        subprocess.Popen(
            hook_command("post_tool_use"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(home),
            cwd=home,
        )
        for _ in payloads
    ]
    for process, payload in zip(started, payloads):
        assert process.stdin
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.flush()
    ended = [process.communicate(timeout=60) for process in started]
    return [
        subprocess.CompletedProcess(process.args, process.returncode, *outputs)
        for process, outputs in zip(started, ended)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("linked", [False, True], ids=["one checkout", "and a linked worktree"])
def test_every_path_is_recorded_and_one_process_speaks(tmp_path: Path, linked: bool) -> None:
    plugin = PluginRepository.released(tmp_path / "plugin")
    second = plugin.worktree("linked", "topic") if linked else plugin
    names = [f"agents/{number}.md" for number in range(PROCESSES)]
    roots = [plugin.root, second.root] * (PROCESSES // 2)
    ran = run_together(
        [edit(root / name) for root, name in zip(roots, names, strict=True)], tmp_path
    )
    assert {(done.returncode, done.stderr) for done in ran} == {(0, b"")}
    assert sum(bool(done.stdout) for done in ran) == 1
    assert sorted(plugin.decision("s")["touched_files"]) == sorted(names)
    assert list(plugin.state_folder.glob("*.tmp")) == []
    assert plugin.status() == ""
