"""Finding gh, and one bounded run of it."""

import os
import stat
import time
from pathlib import Path

import pytest

from fake_github import Fence
from session_memory.core.system import WINDOWS
from session_memory.github.errors import GhMissing, GhTooOld
from session_memory.github.executable import OLDEST, Executable, Finished

pytestmark = pytest.mark.skipif(WINDOWS, reason="stand-ins for gh are shell scripts here")


def script(folder: Path, text: str) -> Executable:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "gh"
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return Executable(path)


def run(gh: Executable, stdin: bytes = b"", limit_s: float = 10, most: int = 1 << 20) -> Finished:
    return gh.run(["api"], stdin, limit_s=limit_s, max_output=most)


def test_finds_the_first_on_path(tmp_path: Path) -> None:
    script(tmp_path / "two", "")
    script(tmp_path / "one", "")
    path = os.pathsep.join(map(str, [tmp_path / "none", tmp_path / "one", tmp_path / "two"]))
    assert Executable.find({"PATH": path}).path == tmp_path / "one" / "gh"


@pytest.mark.parametrize("path", ["", ".", "bin", os.pathsep], ids=repr)
def test_a_folder_that_depends_on_where_one_stands_is_not_searched(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path, "")
    script(tmp_path / "bin", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GhMissing, match="not found on PATH"):
        Executable.find({"PATH": path})


def test_what_is_not_executable_is_passed_over(tmp_path: Path) -> None:
    script(tmp_path, "").path.chmod(stat.S_IRUSR)
    with pytest.raises(GhMissing):
        Executable.find({"PATH": str(tmp_path)})


def test_one_that_cannot_be_started_counts_as_missing(tmp_path: Path) -> None:
    gh = script(tmp_path, "")
    gh.path.write_bytes(b"\x7fELF not really")
    with pytest.raises(GhMissing, match="could not be started"):
        run(gh)


def test_input_and_both_outputs_pass_unchanged(tmp_path: Path) -> None:
    gh = script(tmp_path, "cat; printf 'no\\r\\n' >&2; exit 3")
    data = bytes(range(256)) * 4000
    assert run(gh, data) == Finished(3, data, b"no\r\n")


def test_input_that_is_not_read_is_no_error(tmp_path: Path) -> None:
    assert run(script(tmp_path, "exit 4"), b"x" * (1 << 20)).code == 4


def test_the_whole_group_dies_at_the_limit(tmp_path: Path) -> None:
    # The child keeps the pipe open: reading would wait for it, too.
    gh = script(tmp_path, "sleep 30 & echo $!; wait")
    before = time.monotonic()
    done = run(gh, limit_s=1.0)
    assert (done.timed_out, done.code) == (True, -9)
    assert time.monotonic() - before < 5
    assert not alive(int(done.stdout))


def alive(pid: int) -> bool:
    """A killed orphan may stay as a zombie where nothing reaps it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_output_without_end_is_cut(tmp_path: Path) -> None:
    done = run(script(tmp_path, "yes"), most=5000)
    assert (done.overflowed, len(done.stdout)) == (True, 5001)


def test_errors_without_end_do_not_block(tmp_path: Path) -> None:
    done = run(script(tmp_path, "yes | head -c 3000000 >&2"))
    assert (done.code, len(done.stderr)) == (0, 1 << 16)


def test_the_environment_keeps_credentials_and_drops_what_prints_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GH_TOKEN", "GH_DEBUG", "DEBUG", "GH_FORCE_TTY", "CLICOLOR_FORCE"):
        monkeypatch.setenv(name, "x")
    seen = set(run(script(tmp_path, "env")).stdout.decode().splitlines())
    assert {"GH_TOKEN=x", "GH_PROMPT_DISABLED=1", "NO_COLOR=1", "GH_TELEMETRY=false"} <= seen
    assert not seen & {"GH_DEBUG=x", "DEBUG=x", "GH_FORCE_TTY=x", "CLICOLOR_FORCE=x"}


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        pytest.param("gh version 2.22.1 (2023-01-24)", "too old", id="one version too old"),
        pytest.param("2.8.9", "not GitHub's gh", id="another program of that name"),
        pytest.param("", "not GitHub's gh", id="nothing"),
    ],
)
def test_an_unsuitable_version(printed: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(GhTooOld, match=words):
        script(tmp_path, f"echo '{printed}'").version()


def test_version_of_the_real_ones(gh: Path, fenced: Fence) -> None:
    assert Executable.find().version() >= OLDEST
