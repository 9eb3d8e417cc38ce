"""A long log is streamed: time grows with it, memory does not."""

import sys
from pathlib import Path

import pytest

from bench.reconcile import contenders, measure, write_log

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no resource usage here")


def peak_mb(folder: Path, lines: int) -> float:
    log = folder / "log.jsonl"
    opened = write_log(log, lines)
    measured = measure("session-memory", contenders()["session-memory"], log)
    assert measured.findings == opened
    return measured.peak_mb


def test_ten_times_the_log_in_the_same_memory(tmp_path: Path) -> None:
    assert peak_mb(tmp_path, 50_000) < peak_mb(tmp_path, 5_000) + 2 < 64


@pytest.mark.slow
def test_million_lines(tmp_path: Path) -> None:
    assert peak_mb(tmp_path, 1_000_000) < 64
