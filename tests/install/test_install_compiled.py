"""Compiling the fast path for the interpreter that will run it."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from session_memory.core.guard import EVENT_NAMES
from session_memory.install import compiled
from session_memory.install.commands import Runner, posix
from session_memory.library import Library
from support import ROOT, Repository, clean_environment

PACKAGE = ROOT / "lib" / "session_memory"
PYTHON = str(getattr(sys, "_base_executable", sys.executable))


@pytest.fixture
def library(bundle: Path) -> Library:
    return Library(bundle / "hooks", bundle / "lib" / "session_memory")


def test_fast_path_holds_what_hooks_import_and_no_command() -> None:
    paths = compiled.fast_path(PACKAGE)
    assert {"__init__.py", "core/__init__.py", "core/guard.py", "core/diagnostics.py"} <= set(paths)
    assert {f"events/{entry}.py" for entry in EVENT_NAMES} <= set(paths)
    assert not [path for path in paths if path.startswith(("cli/", "install/", "demo/"))]
    assert all((PACKAGE / path).is_file() for path in paths)


def loaded(library: Library, payload: dict[str, object], cwd: Path) -> set[str]:
    """The modules of ours that a hook has loaded in the end."""
    code = (
        "import sys, os\n"
        f"sys.path.insert(0, {str(library.package.parent)!r})\n"
        "from session_memory.core import guard\n"
        "def leave(code):\n"
        "    print(*[m.__file__ for n, m in sys.modules.items() if n.startswith('session_memory')],"
        " sep='\\n', flush=True)\n"
        "    os._exit(code)\n"
        "guard.native = type('N', (), {'_exit': staticmethod(leave)})\n"
        "guard.main('post_tool_use')"
    )
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", code],
        input=json.dumps(payload).encode(),
        env=clean_environment(cwd),
        cwd=cwd,
        capture_output=True,
        check=True,
    )
    return {line for line in done.stdout.decode().splitlines() if line.endswith(".py")}


def question(cwd: Path) -> dict[str, object]:
    return {
        "session_id": "one",
        "hook_event_name": "PostToolUse",
        "cwd": str(cwd),
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which?"}]},
        "tool_use_id": "t1",
    }


def test_all_that_a_hook_loads_is_in_the_fast_path(library: Library, repo: Repository) -> None:
    files = loaded(library, question(repo.root), repo.root)
    assert len(files) > 10
    expected = {str(library.package / path) for path in compiled.fast_path(library.package)}
    assert files <= expected


def run_command(command: str, cwd: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["sh", "-c", command],
        input=json.dumps(question(cwd)).encode(),
        env=clean_environment(cwd.parent),
        cwd=cwd,
        capture_output=True,
        check=False,
    )


def caches(folder: Path) -> set[Path]:
    return set(folder.rglob("*.pyc"))


def test_compiled_modules_are_checked_by_content(library: Library) -> None:
    assert compiled.compile_for(Runner(PYTHON), library) == (
        len(compiled.fast_path(library.package)),
        0,
    )
    path = Path(importlib.util.cache_from_source(str(library.package / "core" / "guard.py")))
    assert path.read_bytes()[4:8] == b"\x03\0\0\0"  # hash-based, and checked against the source


def test_only_what_is_stale_is_compiled_again(library: Library) -> None:
    compiled.compile_for(Runner(PYTHON), library)
    stale = importlib.util.cache_from_source(str(library.package / "core" / "guard.py"))
    Path(stale).write_bytes(Path(stale).read_bytes()[:8] + b"otherkey")
    before = {path: path.stat().st_mtime_ns for path in caches(library.package)}
    compiled.compile_for(Runner(PYTHON), library)
    after = {path: path.stat().st_mtime_ns for path in caches(library.package)}
    assert [str(path) for path in after if after[path] != before[path]] == [stale]


def test_nothing_is_left_to_compile_for_a_hook(library: Library, repo: Repository) -> None:
    compiled.compile_for(Runner(PYTHON), library)
    before = {path: path.stat().st_mtime_ns for path in caches(library.package)}
    done = run_command(posix(Runner(PYTHON), library.hooks / "post_tool_use.py"), repo.root)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(repo.log("s-one")) == 1
    assert {path: path.stat().st_mtime_ns for path in caches(library.package)} == before


def test_cache_elsewhere_is_the_one_that_hooks_use(
    library: Library, repo: Repository, tmp_path: Path
) -> None:
    runner = Runner(PYTHON, str(tmp_path / "a cache"))
    assert compiled.compile_for(runner, library)[1] == 0
    # With a cache elsewhere, the standard library's modules are in it too.
    ours = tmp_path / "a cache" / str(library.package)[1:]
    before = caches(ours)
    assert len(before) == len(compiled.fast_path(library.package))
    script = library.hooks / "post_tool_use.py"
    traced = posix(runner, script).replace("-X utf8", "-v -X utf8", 1)
    done = run_command(traced, repo.root)
    assert len(repo.log("s-one")) == 1
    lines = [line for line in done.stderr.splitlines() if b"session_memory" in line]
    assert sum(b"a cache" in line and b" matches " in line for line in lines) > 10
    assert not [line for line in lines if line.startswith(b"# wrote")]
    assert caches(ours) == before


@pytest.mark.parametrize("name", ["session_memory", "core", "gates"])
def test_not_writable_where_one_folder_is_not(
    name: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiled.is_writable(library)
    monkeypatch.setattr(os, "access", lambda path, _: os.path.basename(path) != name)
    assert not compiled.is_writable(library)


@pytest.mark.parametrize(
    "python", ["/nonexistent/python", "/bin/false", "/bin/echo"], ids=["absent", "fails", "other"]
)
def test_interpreter_that_compiles_nothing(python: str, library: Library) -> None:
    modules, failed = compiled.compile_for(Runner(python), library)
    assert modules == failed > 10


def test_module_that_cannot_be_compiled_is_counted(tmp_path: Path) -> None:
    package = tmp_path / "lib" / "session_memory"
    (package / "core").mkdir(parents=True)
    (tmp_path / "hooks").mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    source = "if x:\n    from session_memory.core import other, Name\n"
    (package / "core" / "guard.py").write_text(source, encoding="utf-8")
    (package / "core" / "other.py").write_bytes(b"x = 1\0")
    with pytest.raises((SyntaxError, ValueError)):
        compiled.fast_path(package)
    (package / "core" / "other.py").write_text("return", encoding="utf-8")
    assert compiled.compile_for(Runner(PYTHON), Library(tmp_path / "hooks", package)) == (3, 1)
