"""Many hooks at once: one of them speaks, none loses a path."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
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


@pytest.mark.slow
def test_no_path_is_lost_when_many_agents_edit_at_once(tmp_path: Path) -> None:
    """Each waits for its turn at the state file as long as the others get on."""
    plugin = PluginRepository.released(tmp_path / "plugin")
    names = [[f"agents/{agent}-{turn}.md" for turn in range(5)] for agent in range(PROCESSES)]

    def work(mine: list[str]) -> set[bytes]:
        return {run_together([edit(plugin.root / name)], tmp_path)[0].stderr for name in mine}

    with ThreadPoolExecutor(PROCESSES) as agents:
        said = set().union(*agents.map(work, names))
    assert said == {b""}
    assert sorted(plugin.decision("s")["touched_files"]) == sorted(chain(*names))
