"""How an entry point answers the launcher's question, which interpreter it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from session_memory.core.guard import EVENT_NAMES
from session_memory.core.interpreter import remember
from support import hook_command

needs_posix = pytest.mark.skipif(os.name == "nt", reason="makes files that Windows has not")


def probe(entry: str, *arguments: str) -> int:
    """Lines on stderr. A probe exits 0, says nothing and does not wait for standard input."""
    with subprocess.Popen(
        [*hook_command(entry), "--probe", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        code = process.wait(timeout=30)
        stdout, stderr = process.communicate()
    assert (code, stdout) == (0, b"")
    return stderr.count(b"\n")


@pytest.mark.parametrize("entry", EVENT_NAMES)
def test_probe_writes_interpreter_and_setting(entry: str, tmp_path: Path) -> None:
    assert probe(entry, str(tmp_path / "python"), "a setting") == 0
    assert (tmp_path / "python").read_text("utf-8") == f"{sys.executable}\na setting\n"


@pytest.mark.parametrize("arguments", [(), ("",), ("", "a setting")], ids=["none", "empty", "one"])
def test_probe_without_a_file_just_answers(arguments: tuple[str, ...]) -> None:
    assert probe("post_tool_use", *arguments) == 0


def test_probe_that_cannot_write_answers_all_the_same(tmp_path: Path) -> None:
    assert probe("post_tool_use", str(tmp_path / "absent" / "python")) == 1


@needs_posix
def test_memory_planted_as_a_link_is_replaced(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched", encoding="utf-8")
    (tmp_path / "python").symlink_to(victim)
    remember(str(tmp_path / "python"))
    assert victim.read_text("utf-8") == "untouched"
    assert (tmp_path / "python").read_text("utf-8") == f"{sys.executable}\n\n"


@pytest.mark.parametrize(
    ("executable", "setting"),
    [
        pytest.param("", "", id="embedded"),
        pytest.param("/opt/two\nlines/python", "", id="path-of-two-lines"),
        pytest.param("/usr/bin/python3", "two\nlines", id="setting-of-two-lines"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(
    executable: str, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    remember(str(tmp_path / "python"), setting)
    assert list(tmp_path.iterdir()) == []


@needs_posix
def test_path_that_is_not_text_is_kept_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", os.fsdecode(b"/opt/caf\xe9/python"))
    remember(str(tmp_path / "python"))
    assert (tmp_path / "python").read_bytes() == b"/opt/caf\xe9/python\n\n"
