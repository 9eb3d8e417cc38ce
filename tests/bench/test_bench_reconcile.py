"""The benchmark of reconciliation runs, and nobody is measured who did not do the work."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import reconcile
from support import clean_environment

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="no wait4 here")


def test_smoke_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, reconcile.__file__, "--lines", "6000", "--json"],
        env={**clean_environment(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert [row["name"] for row in rows][:2] == ["session-memory", "json.loads by line"]
    assert {row["findings"] for row in rows} == {2}
    assert list(tmp_path.iterdir()) == []


def test_contender_that_finds_something_else_is_no_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "contenders", lambda: {"fast": "print(0)"})
    with pytest.raises(RuntimeError, match="fast: 0 findings, not 1"):
        reconcile.run(10, tmp_path)


def test_contender_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="exit code 3"):
        reconcile.measure("broken", "raise SystemExit(3)", tmp_path)
