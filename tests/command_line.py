"""The command line, as a real process or within that of the test."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from session_memory.cli.main import main
from support import ROOT, clean_environment

COMMAND = [sys.executable, "-m", "session_memory"]


def environment(home: Path) -> dict[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    return {**clean_environment(home), "PYTHONPATH": str(ROOT / "lib")}


@dataclass(frozen=True)
class Ran:
    """What one run of the command did."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    def assert_fault(self, code: int, *words: str) -> None:
        """One line on stderr that says ``words``, no traceback, nothing on stdout."""
        assert (self.code, self.stdout) == (code, "")
        assert self.stderr.count("\n") == 1
        for word in words:
            assert word in self.stderr


def run(*arguments: str, cwd: Path, stdin: bytes = b"", env: "dict[str, str] | None" = None) -> Ran:
    """Run ``session-memory`` in ``cwd``."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        env={**environment(cwd.parent / "home"), **(env or {})},
        cwd=cwd,
        capture_output=True,
        timeout=30,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(
    *arguments: str, cwd: Path, stdin: bytes = b"", env: "dict[str, str] | None" = None
) -> Ran:
    """Run ``session-memory`` in this process, which spares a table of cases the starts."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    fed = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    before = os.getcwd()
    os.chdir(cwd)
    try:
        with (
            patch.multiple(sys, stdin=fed, stdout=out, stderr=err),
            patch.dict(os.environ, {"HOME": str(cwd.parent / "home"), **(env or {})}),
            pytest.raises(SystemExit) as end,
        ):
            main(list(arguments))
    finally:
        os.chdir(before)
    return Ran(int(end.value.code or 0), _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
