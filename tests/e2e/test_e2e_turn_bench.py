"""The benchmark of a turn runs; how fast is not asked here."""

import json
import subprocess
import sys

from e2e.clients import CACHE
from e2e.editors.editor import Editor
from support import ROOT, clean_environment


def test_turn_is_timed_with_and_without_the_hooks(newest_claude: Editor) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "bench" / "turn.py"), "--rounds", "2", "--json"],
        env={
            **clean_environment(newest_claude.workspace.home),
            "SESSION_MEMORY_CLIENTS": str(CACHE),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)
    assert figures["rounds"] == 2
    assert min(figures["with_ms"], figures["without_ms"]) > 0
