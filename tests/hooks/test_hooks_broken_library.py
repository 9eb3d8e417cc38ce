"""An entry point whose library is half removed, unreadable, or torn in an update."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core.guard import EVENT_NAMES


def run(
    plugin: Path, entry: str, *arguments: str, stderr: int = subprocess.PIPE
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-I", "-S", str(plugin / "hooks" / f"{entry}.py"), *arguments],
        input=b"{}",
        stdout=subprocess.PIPE,
        stderr=stderr,
        timeout=30,
        check=False,
    )


def remove(core: Path) -> None:
    shutil.rmtree(core)


def remove_one(core: Path) -> None:
    (core / "system.py").unlink()


def tear(core: Path) -> None:
    (core / "guard.py").write_text("import sys\ndef main(", encoding="utf-8")


def tear_compiled(core: Path) -> None:
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(core)], check=True)
    (compiled,) = core.glob("__pycache__/guard.*.pyc")
    compiled.write_bytes(compiled.read_bytes()[:40])


@pytest.mark.parametrize("damage", [remove, remove_one, tear, tear_compiled])
@pytest.mark.parametrize("entry", EVENT_NAMES)
def test_one_line_and_exit_0(plugin: Path, entry: str, damage: Callable[[Path], None]) -> None:
    damage(plugin / "lib" / "session_memory" / "core")
    done = run(plugin, entry)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(f"session-memory: {entry}: ".encode())
    assert done.stderr.count(b"\n") == 1


def test_exit_0_with_nowhere_to_say_so(plugin: Path) -> None:
    remove(plugin / "lib")
    out, into = os.pipe()
    os.close(out)
    assert run(plugin, "post_tool_use", stderr=into).returncode == 0
    os.close(into)


def test_a_probe_fails(plugin: Path) -> None:
    remove(plugin / "lib")
    assert run(plugin, "post_tool_use", "--probe").returncode == 1
