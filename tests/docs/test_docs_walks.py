"""Pages that walk through commands: they are run, in order, and must print what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import markdown_pages as md
from support import ROOT, Repository, clean_environment

# What differs from run to run, and how a page writes it.
MASKS = {
    "tracking.md": (
        (r"archive/\d{4}/\d{2}/", "archive/YEAR/MONTH/"),
        (r"-\d{14}\.md", "-TIME.md"),
    ),
    "handshake.md": (
        (r"\b[0-9a-f]{40}\b", "COMMIT"),
        (r"\b[0-9a-f]{12}\b", "FINGERPRINT"),
        (r"(parent_cwd: `?)/[^`\n]+", r"\1FOLDER"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
    ),
}
# A drawing, no output.
DRAWINGS = re.compile(r"^\.copilot-tracking/\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's commands")
@pytest.mark.parametrize("name", MASKS)
def test_walk(name: str, repo: Repository, tmp_path: Path) -> None:
    page = ROOT / "docs" / name
    commands = "set -eu\n" + "".join(block.text for block in md.blocks("sh", page))
    shown = [block.text for block in md.blocks("text", page) if not DRAWINGS.match(block.text)]

    done = subprocess.run(
        ["/bin/sh", "-c", commands],
        cwd=repo.root,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout
    for pattern, mask in MASKS[name]:
        printed = re.sub(pattern, mask, printed)
    assert done.returncode == 0, done.stderr
    # A block without a line end at its end runs into what follows.
    assert printed.replace(" -->match", " -->\nmatch") == "".join(shown)


def environment(folder: Path) -> dict[str, str]:
    """One in which ``session-memory`` is that of the clone."""
    programs = folder / "bin"
    programs.mkdir()
    command = programs / "session-memory"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m session_memory "$@"\n', "utf-8")
    command.chmod(0o755)
    found = {**clean_environment(folder / "home"), "PYTHONPATH": str(ROOT / "lib")}
    return {**found, "PATH": os.pathsep.join([str(programs), found["PATH"]])}
