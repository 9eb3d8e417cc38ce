"""What the hooks add to a turn of Claude Code: ``python3 tests/bench/turn.py``.

Two clients run side by side, one with the bundle and one without. They take turns, each of one
prompt and three edits, and a scripted model on the loopback interface answers both at once. A turn
lasts from the prompt that is sent to the result that is received.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_TESTS), str(_TESTS.parent / "lib")]

from e2e.clients import CLAUDE_NEW, INSTALL  # noqa: E402 - found through the line above
from e2e.editors.claude_code import ClaudeCode, Conversation  # noqa: E402
from e2e.servers.anthropic import Messages  # noqa: E402
from e2e.servers.loopback import ModelServer  # noqa: E402
from e2e.workspace import Workspace, copy_bundle  # noqa: E402

GOAL_MS = 100
EDITS = 3
# The first turns fill caches, and remember the interpreter.
_WARM_UP = 3


@dataclass
class Contestant:
    """A client in a conversation, and how long its turns took, in milliseconds."""

    editor: ClaudeCode
    talk: Conversation
    ms: list[float] = field(default_factory=list)

    @property
    def has_memory(self) -> bool:
        return bool(self.editor.workspace.markers())

    def turn(self, number: int) -> None:
        source = self.editor.workspace.scene.root / "source"
        edits = [
            [self.editor.write(source / f"{number}-{edit}.py", "value = 1\n")]
            for edit in range(EDITS)
        ]
        prompt = self.editor.script(f"Turn {number}", *edits)
        started = time.perf_counter()
        self.talk.turn(prompt)
        self.ms.append((time.perf_counter() - started) * 1000)
        assert len(self.editor.model.asked(prompt)) == EDITS + 1, self.talk.lines[-1]


def main() -> int:
    """Measure and print; how fast it is does not change the exit code."""
    parser = argparse.ArgumentParser(description="Time turns of Claude Code, with and without.")
    parser.add_argument("--rounds", type=int, default=30, help="turns of each (default: 30)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    if not CLAUDE_NEW.command:
        print(f"turn: {CLAUDE_NEW.label} is not installed: {INSTALL}", file=sys.stderr)
        return 1
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sm-turn-"))).resolve()
        bundle = copy_bundle(folder / "session-memory-hooks")
        without = stack.enter_context(_contestant(folder / "without", None))
        hooked = stack.enter_context(_contestant(folder / "with", bundle))
        for number in range(_WARM_UP + options.rounds):
            for each in random.sample([without, hooked], 2):
                each.turn(number)
        # Otherwise the one client would be compared with itself.
        assert (without.has_memory, hooked.has_memory) == (False, True)
    figures = _figures(without.ms[_WARM_UP:], hooked.ms[_WARM_UP:])
    print(json.dumps(figures) if options.json else _text(figures))
    return 0


@contextmanager
def _contestant(folder: Path, bundle: "Path | None") -> Iterator[Contestant]:
    folder.mkdir()
    workspace = Workspace.make(folder)
    with ModelServer(Messages) as model:
        editor = ClaudeCode(CLAUDE_NEW, workspace, model, bundle or folder)
        editor.options = ["--permission-mode", "acceptEdits"]
        editor.options += ["--plugin-dir", str(bundle)] if bundle else []
        with editor.conversation(workspace.scene.root) as talk:
            yield Contestant(editor, talk)


def _figures(without: list[float], hooked: list[float]) -> dict[str, float]:
    added = [b - a for a, b in zip(without, hooked, strict=True)]
    return {
        "rounds": len(added),
        "without_ms": round(statistics.median(without), 1),
        "with_ms": round(statistics.median(hooked), 1),
        "added_ms": round(statistics.median(added), 1),
        "goal_ms": GOAL_MS,
        "load": round(os.getloadavg()[0], 1),
    }


def _text(figures: dict[str, float]) -> str:
    verdict = "" if figures["added_ms"] < GOAL_MS else "  missed"
    return "\n".join(
        [
            f"{CLAUDE_NEW.label}, one prompt and {EDITS} edits a turn, {figures['rounds']} pairs",
            f"{os.cpu_count()} CPUs, load {figures['load']}",
            f"{'median ms':>30}{'goal':>9}",
            f"{'without the hooks':20}{figures['without_ms']:10.1f}",
            f"{'with the hooks':20}{figures['with_ms']:10.1f}",
            f"{'added, paired':20}{figures['added_ms']:10.1f}{f'< {GOAL_MS}':>9}{verdict}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
