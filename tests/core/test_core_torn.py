"""A compiled module that a crash has torn costs one hook, not all that follow."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT, Repository, clean_environment, question

PYTHON = str(getattr(sys, "_base_executable", sys.executable))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle of one's own, compiled."""
    root = tmp_path / "bundle"
    for name in ("hooks", "lib"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    subprocess.run([PYTHON, "-m", "compileall", "-q", str(root / "lib")], check=True)
    return root


def tear(bundle: Path, module: str) -> Path:
    folder, _, name = module.rpartition("/")
    (path,) = (bundle / "lib" / "session_memory" / folder / "__pycache__").glob(f"{name}.*.pyc")
    path.write_bytes(path.read_bytes()[:-20])
    return path


def ask(bundle: Path, repo: Repository, *options: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [PYTHON, "-I", "-S", *options, str(bundle / "hooks" / "post_tool_use.py")],
        input=json.dumps(question(repo)).encode(),
        env=clean_environment(repo.root.parent),
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("module", ["core/guard", "core/system", "preload", "core/store"])
def test_second_hook_works(module: str, bundle: Path, repo: Repository) -> None:
    tear(bundle, module)
    first = ask(bundle, repo)
    assert (first.returncode, first.stdout) == (0, b"")
    assert first.stderr.startswith(b"session-memory: post_tool_use: ")
    second = ask(bundle, repo)
    assert (second.returncode, second.stdout, second.stderr) == (0, b"", b"")
    assert len(repo.log("s-s1")) == 1


def test_nothing_is_removed_where_nothing_may_be_written(bundle: Path, repo: Repository) -> None:
    torn = tear(bundle, "core/guard")
    assert ask(bundle, repo, "-B").stderr.count(b"\n") == 1
    assert torn.exists()


def test_other_errors_remove_nothing(bundle: Path, repo: Repository) -> None:
    source = bundle / "lib" / "session_memory" / "core" / "guard.py"
    source.write_text("raise ValueError('x')\n", "utf-8")
    before = sorted(bundle.rglob("*.pyc"))
    ask(bundle, repo)
    assert set(before) <= set(bundle.rglob("*.pyc"))
