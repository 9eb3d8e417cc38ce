"""The page is run, in its order: its commands must print what it shows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import markdown_pages as md
from calibration_support import NAME, Cli, entry, finding, merge, metrics
from fake_github import World
from session_memory.calibration import depth
from session_memory.cli.calibration_file import here
from support import ROOT, Repository

PAGE = ROOT / "docs" / "calibration.md"


def run(block: md.Block, clone: Repository, tmp_path: Path) -> str:
    """What the commands of a block print; the path of the file as the page has it."""
    shim = tmp_path / "bin" / "session-memory"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m session_memory "$@"\n')
    shim.chmod(0o755)
    path = os.pathsep.join([str(shim.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/sh", "-euc", block.text],
        cwd=clone.root,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "lib")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.replace(f"{clone.root}/", "")


def test_page(cli: Cli, world: World, clone: Repository, tmp_path: Path) -> None:
    rejected = [finding("pattern", "defense-sustained", id=f"F{n}") for n in range(4)]
    for number in range(20, 30):
        merge(world, number, metrics(finding(), *rejected))
    clone.write(NAME, json.dumps({"entries": [entry(20)]}))
    (clone.root / ".tmp").mkdir()
    first, written, aggregate, rebuilt = md.blocks("sh", PAGE)
    depths, wrote, aggregated = md.blocks("text", PAGE)

    assert run(first, clone, tmp_path) == depths.text
    assert run(written, clone, tmp_path) == wrote.text
    assert run(aggregate, clone, tmp_path) == aggregated.text
    assert "9 added, 1 updated" in run(rebuilt, clone, tmp_path)
    assert here().load() is not None


def test_numbers_of_the_rules_are_those_of_the_code() -> None:
    text = PAGE.read_text("utf-8")
    assert f"`time_decay_days` ({depth.DECAY_DAYS})" in text
    assert f"for {depth.DECAY_EXPIRES} pull requests" in text
    assert f"fewer than {depth.SUFFICIENT_COUNT:.0f} effective" in text
    assert f"{depth.SKIP_COUNT:.0f} or more, of which less than {depth.SKIP_BELOW:.0%}" in (
        text.replace(" %", "%")
    )
    assert f"less than {depth.LIGHT_BELOW:.0%} were" in text.replace(" %", "%")
