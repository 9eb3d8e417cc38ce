"""The script that checks a change: it agrees with the README, and its exit status is honest."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support import ROOT

RUN = ROOT / ".ci" / "run"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stand-ins are shell scripts here")


def check(folder: Path, python: str) -> "subprocess.CompletedProcess[str]":
    """Run the script in an empty clone where the environment's Python does ``python``."""
    (folder / ".ci").mkdir()
    shutil.copy(RUN, folder / ".ci")
    stand_in = folder / "bin" / "python3"
    stand_in.parent.mkdir()
    stand_in.write_text(
        "#!/bin/sh\nmkdir -p .venv/bin\n"
        f"printf '#!/bin/sh\\n%s\\n' '{python}' >.venv/bin/python\n"
        "chmod +x .venv/bin/python\n",
        encoding="utf-8",
    )
    stand_in.chmod(0o755)
    return subprocess.run(
        [shutil.which("bash") or "bash", str(folder / ".ci" / "run")],
        env={"PATH": f"{stand_in.parent}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_first_step_is_what_the_readme_says() -> None:
    command = re.search(r"^TEST_COMMAND='(.+)'$", RUN.read_text("utf-8"), re.MULTILINE)
    readme = (ROOT / "README.md").read_text("utf-8")
    if "-m pytest" not in readme:
        pytest.skip("the README does not say yet how to run the tests")
    assert command
    assert command[1] in readme.splitlines()


def test_success_ends_with_the_summary_of_the_tests(tmp_path: Path) -> None:
    done = check(tmp_path, 'echo "== 3 passed, 1 skipped in 0.12s =="')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "== 3 passed, 1 skipped in 0.12s =="


@pytest.mark.parametrize("module", ["pytest", "pip", "ruff", "mypy", "coverage"])
def test_failure_of_one_step_fails_the_whole_and_stops_no_other(
    module: str, tmp_path: Path
) -> None:
    done = check(tmp_path, f'echo "did $2"; [ "$2" != {module} ]')
    assert done.returncode == 1
    assert "failed: " in done.stdout.splitlines()[-1]
    steps = re.findall(r"^== (.+): (?:passed|FAILED) in", done.stdout, re.MULTILINE)
    assert len(steps) == len(re.findall(r"^step '", RUN.read_text("utf-8"), re.MULTILINE))
