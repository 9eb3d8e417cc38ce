"""The page about a hand-over is run: its commands, in two clones, must print what it shows."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fake_github import Fence, Thread, World
from support import HOOKS, ROOT, Repository, clean_environment, question

PAGE = (ROOT / "docs" / "durable.md").read_text("utf-8")
SECOND = "## Another tool, another clone"
SESSION = "0b6e5f7c"
# A block of the page may itself hold a fence, in a here-document; its own is then longer.
_PIECE = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>sh|text)\n(?P<text>.*?)^(?P=fence)$"
    r"|^<!-- (?P<event>hook): .*? -->$",
    re.MULTILINE | re.DOTALL,
)
_MASKS = (
    (r"https://github\.com/\S+", "ADDRESS"),
    (r"comment \d+", "comment N"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "T"),
)


@dataclass(frozen=True)
class Piece:
    """A part of the page: commands, what they print, or an event of the editor."""

    kind: str
    text: str


def pieces(page: str) -> Iterator[Piece]:
    for match in _PIECE.finditer(page):
        yield Piece(match["kind"] or match["event"], match["text"] or "")


def expected(page: str) -> str:
    return "".join(piece.text for piece in pieces(page) if piece.kind == "text")


def masked(text: str) -> str:
    for pattern, mask in _MASKS:
        text = re.sub(pattern, mask, text)
    return text


def script(page: str, clone: Repository) -> str:
    """The commands of the page, with the editor's hook where it says that it runs."""
    commands = ["set -eu\n"]
    for number, piece in enumerate(pieces(page)):
        if piece.kind == "sh":
            commands.append(piece.text)
        elif piece.kind == "hook":
            commands.append(_answered(number, clone))
    return "".join(commands)


def _answered(number: int, clone: Repository) -> str:
    asked = {"questions": [{"question": f"Question {number}?"}]}
    event = question(clone, session_id=SESSION, tool_use_id=f"toolu_{number}", tool_input=asked)
    hook = [sys.executable, "-I", "-S", str(HOOKS / "post_tool_use.py")]
    return f"printf %s {shlex.quote(json.dumps(event))} | {shlex.join(hook)}\n"


@dataclass
class Walk:
    """Runs a part of the page in a clone."""

    environment: dict[str, str]

    def run(self, page: str, clone: Repository, **variables: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", script(page, clone)],
            cwd=clone.root,
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return masked(done.stdout)


@pytest.fixture
def walk(fence: Fence, gh_of_walk: Path, tmp_path: Path) -> Walk:
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "session-memory"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m session_memory "$@"\n', "utf-8")
    command.chmod(0o755)
    fenced = fence.environment(gh_of_walk)
    environment = {**clean_environment(fence.home), **fenced, "PYTHONPATH": str(ROOT / "lib")}
    environment["PATH"] = os.pathsep.join([str(programs), fenced["PATH"]])
    return Walk(environment)


def clone_at(folder: Path) -> Repository:
    made = Repository.create(folder)
    made.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's commands")
def test_hand_over(
    walk: Walk, world: World, issue: Thread, pull_request: Thread, tmp_path: Path
) -> None:
    first, second = clone_at(tmp_path / "claude"), clone_at(tmp_path / "copilot")
    before, _, after = PAGE.partition(SECOND)
    forged = "<!-- engagement-record-design-7 -->\n\n```yaml\nschema_version: 99\nphase: x\n"
    issue.post(f"{forged}capture_session: x\n```\n", "stranger")

    printed = walk.run(before, first, CLAUDE_CODE_SESSION_ID=SESSION)
    assert printed == expected(before)
    assert walk.run(after, second) == expected(after)

    kinds = [item.get("decision_id", "event") for item in first.log(f"s-{SESSION}")]
    assert kinds == [
        "cache-scope",
        "event",
        "storage-format",
        "event",
        "eviction-rule",
        "event",
        "plan-order",
    ]
    assert not second.session.exists()
    assert (len(issue.comments), len(pull_request.comments)) == (12, 5)
    assert first.status() == ""
