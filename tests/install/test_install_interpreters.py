"""Which interpreter is written into a command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from session_memory.install import interpreters
from session_memory.install.place import Refused

needs_posix = pytest.mark.skipif(os.name == "nt", reason="stands in with shell scripts")
BASE = str(getattr(sys, "_base_executable", sys.executable))


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def virtual(tmp_path: Path) -> Path:
    """The interpreter of a virtual environment."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    return tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"


def test_own_interpreter_is_not_that_of_a_virtual_environment() -> None:
    found = interpreters.choose()
    assert not found.virtual
    assert found.version[:2] == sys.version_info[:2]
    assert Path(found.path).samefile(BASE)


def test_named_virtual_environment_leads_to_its_base(virtual: Path) -> None:
    found = interpreters.choose(str(virtual))
    assert not found.virtual
    assert Path(found.path).samefile(BASE)
    assert not found.path.startswith(str(virtual.parent))


@needs_posix
def test_shim_leads_to_what_it_runs(tmp_path: Path) -> None:
    shim = script(tmp_path / "python3", f'exec "{BASE}" "$@"')
    assert interpreters.choose(shim).path == BASE


@needs_posix
def test_name_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "python3.99", f'exec "{BASE}" "$@"')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert interpreters.choose("python3.99").path == BASE


def answer(version: str, path: str = "/usr/bin/python") -> str:
    return f"""echo '["{path}", "", false, {version}]'"""


UNUSABLE = {
    "fails": ("exit 1", "is not a Python"),
    "says nothing": ("exit 0", "is not a Python"),
    "says something else": ("echo hello", "is not a Python"),
    "says another list": ("echo '[1]'", "is not a Python"),
    "too old": (answer("[3, 8, 18]"), "is Python 3.8.18; hooks need 3.9 or newer"),
    "relative": (answer("[3, 11, 0]", "python"), "is not a Python"),
}


@needs_posix
@pytest.mark.parametrize(("body", "words"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_interpreter_is_refused(body: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=words):
        interpreters.choose(script(tmp_path / "python", body))


def test_absent_interpreter_is_refused() -> None:
    with pytest.raises(Refused, match="no executable called /nonexistent/python"):
        interpreters.choose("/nonexistent/python")


@needs_posix
def test_hanging_interpreter_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "_LIMIT_S", 0.2)
    assert interpreters.probe(script(tmp_path / "python", "exec sleep 20")) is None


def test_embedded_interpreter_without_a_path_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("executable", "_base_executable"):
        monkeypatch.setattr(sys, name, "", raising=False)
    with pytest.raises(Refused, match="this process is not a Python"):
        interpreters.choose()
