"""The benchmark of the linter runs, and lints documents that have findings."""

import json
import subprocess
import sys
from pathlib import Path

from bench import contract_lint
from support import clean_environment


def test_smoke_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, contract_lint.__file__, "--documents", "30", "--rounds", "1", "--json"],
        env={**clean_environment(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    measured = json.loads(done.stdout)
    assert measured["documents"] == 30
    assert measured["findings"] > 0
    assert list(tmp_path.iterdir()) == []
