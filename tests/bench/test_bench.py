"""The benchmark runs whatever it times; how fast is not asked here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.timing import Case, CaseFailed, measure, rehearse
from support import clean_environment

SCRIPT = Path(__file__).parent / "hooks.py"

pytestmark = pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="no posix_spawn here")


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**clean_environment(folder), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def python(code: str, **options: bool) -> Case:
    return Case("case", [sys.executable, "-I", "-S", "-c", code], lambda _: b"", {}, **options)


def test_smoke_run_times_every_hook(tmp_path: Path) -> None:
    done = run(tmp_path, "--smoke", "--peers", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)["cases"]
    assert rows[0]["ratio"] == 1
    assert {row["goal"] for row in rows} >= {1.10, 1.25, 1.40, 1.8}
    assert list(tmp_path.iterdir()) == []


def test_table_shows_goal_and_machine(tmp_path: Path) -> None:
    done = run(tmp_path, "--runs", "1")

    assert (done.returncode, done.stderr) == (0, "")
    assert "question recorded" in done.stdout
    assert "<= 1.25" in done.stdout
    assert f" {sys.version_info[0]}.{sys.version_info[1]}." in done.stdout


def test_interpreter_that_is_missing_is_an_error(tmp_path: Path) -> None:
    done = run(tmp_path, "--python", str(tmp_path / "absent"))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("bench: ")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(python("raise SystemExit(3)"), id="exit-code"),
        pytest.param(python("import sys; sys.stderr.write('lost')"), id="stderr"),
        pytest.param(python("print('noise')", quiet=True), id="noise"),
    ],
)
def test_command_that_does_not_do_its_work_is_not_timed(case: Case) -> None:
    with pytest.raises(CaseFailed, match=r"^case: exit code"):
        rehearse(case)


def test_command_that_fails_later_ends_the_measurement(tmp_path: Path) -> None:
    with pytest.raises(CaseFailed, match="exit code 3"):
        measure([python("raise SystemExit(3)")], 1, tmp_path)


def test_every_case_is_run_and_compared_in_every_round(tmp_path: Path) -> None:
    times = measure([python("pass"), python("import json")], 4, tmp_path)

    assert [len(each.ms) for each in times] == [4, 4]
    assert times[0].ratios == [1, 1, 1, 1]
    assert times[1].ratios == [b / a for a, b in zip(times[0].ms, times[1].ms, strict=True)]
