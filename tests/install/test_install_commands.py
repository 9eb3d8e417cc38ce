"""The text of a registered command."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from install_support import RUNNER
from session_memory.install import commands
from session_memory.install.commands import MARK, Runner
from session_memory.install.place import Refused

needs_sh = pytest.mark.skipif(not shutil.which("sh"), reason="no POSIX shell")

NAMES = [
    "plain",
    "with space",
    "it's",
    'say "hi"',
    "$HOME `id` \\",
    "ünïcode",
    "a&b;(c)",
    "*[a]?",
    "#x",
]


def sh(command: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [shutil.which("sh") or "sh", "-c", command],
        stdin=subprocess.DEVNULL,
        env={"PATH": "/nonexistent"},
        capture_output=True,
        check=False,
        timeout=30,
    )


@needs_sh
@pytest.mark.parametrize("name", NAMES)
def test_paths_of_any_name(name: str, tmp_path: Path) -> None:
    """A stand-in for the interpreter prints its arguments, one a line."""
    folder = tmp_path / name
    folder.mkdir()
    python, script = folder / "python", folder / "post_tool_use.py"
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", encoding="utf-8")
    python.chmod(0o755)
    script.touch()
    runner = Runner(str(python), str(folder / "cache"))
    done = sh(commands.posix(runner, script))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        *("-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={folder / 'cache'}"),
        *(str(script), MARK),
    ]
    assert commands.parse(commands.posix(runner, script)) == (str(python), str(script))
    assert commands.pycache(commands.posix(runner, script)) == str(folder / "cache")


@needs_sh
def test_removed_installation_is_silent(tmp_path: Path) -> None:
    done = sh(commands.posix(Runner(str(tmp_path / "python")), tmp_path / "gone.py"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@needs_sh
def test_removed_interpreter_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "here.py").touch()
    done = sh(commands.posix(Runner(str(tmp_path / "python")), tmp_path / "here.py"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"session-memory: its Python is gone; run session-memory install again\n"


@pytest.mark.parametrize(
    "path",
    ["/a\nb/python", "/a\x1bb/python", os.fsdecode(b"/caf\xe9/python"), "/a\u202eb/python"],
    ids=["two-lines", "escape", "not-text", "reversed"],
)
def test_path_that_would_deceive_is_refused(path: str) -> None:
    with pytest.raises(Refused, match="cannot be written"):
        commands.posix(Runner(path), Path("/x.py"))


def test_powershell_quotes() -> None:
    text = commands.powershell(Runner("C:/it's/python.exe"), Path("C:/$x/post_tool_use.py"))
    assert text == (
        "if (Test-Path -LiteralPath 'C:/$x/post_tool_use.py') { & 'C:/it''s/python.exe' '-I' '-S'"
        f" '-X' 'utf8' 'C:/$x/post_tool_use.py' '{MARK}' }}; exit 0"
    )


def test_texts_for_windows_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(commands.texts(RUNNER, Path("/x.py"))) == {"command"}
    monkeypatch.setattr(commands, "WINDOWS", True)
    texts = commands.texts(RUNNER, Path("/x.py"))
    assert set(texts) == {"command", "windows", "powershell"}
    assert texts["windows"] == texts["powershell"]


@pytest.mark.parametrize(
    "text", ["", "python3 x.py", f"'{MARK}", MARK.upper(), shlex.quote(MARK + "x")]
)
def test_parse_of_what_is_not_ours(text: str) -> None:
    assert commands.parse(text) == ("", "")


@pytest.mark.parametrize("text", ["", "'", "python3 x.py"])
def test_no_cache_in_what_has_none(text: str) -> None:
    assert commands.pycache(text) == ""
