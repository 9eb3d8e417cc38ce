"""The modules of a hook out of one file: what it holds, and when it counts."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loaded import modules
from session_memory.core.guard import EVENT_NAMES
from session_memory.preload import PARTS
from support import Repository, clean_environment, question

PACKAGE = "session_memory"
# Loaded by themselves, before any part can be.
FIRST = {PACKAGE, f"{PACKAGE}.preload"}


@pytest.fixture
def marked(repo: Repository) -> Repository:
    """A conversation that was checked at its start."""
    repo.session.mkdir(parents=True)
    (repo.session / "session-startup-check-complete-s-s1.md").write_text("done")
    return repo


def run(plugin: Path, repo: Repository, *options: str) -> "subprocess.CompletedProcess[bytes]":
    """Record a question; what the part of PostToolUse and the one of questions are for."""
    return subprocess.run(
        [sys.executable, "-I", "-S", *options, str(plugin / "hooks" / "post_tool_use.py")],
        input=json.dumps(question(repo)).encode(),
        env=clean_environment(repo.root.parent),
        capture_output=True,
        timeout=30,
        check=False,
    )


def assert_recorded(done: "subprocess.CompletedProcess[bytes]", repo: Repository) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    log = repo.session / "gate-events-s-s1.jsonl"
    assert len(log.read_bytes().splitlines()) == 1
    log.write_bytes(b"")


def cache(plugin: Path) -> Path:
    return plugin / "lib" / PACKAGE / "__pycache__"


def files(plugin: Path) -> dict[str, bytes]:
    """The files of parts, by the name of the part."""
    parts = [path for path in cache(plugin).iterdir() if path.suffix != ".pyc"]
    return {path.suffix[1:]: path.read_bytes() for path in parts}


def parts(*names: str) -> set[str]:
    return {f"{PACKAGE}.{module}" for name in names for module in PARTS[name]}


READ = {"tool_name": "Read", "prompt": "tidy up", "source": "startup"}
EDIT = {"tool_name": "Edit", "tool_input": {"file_path": "notes.txt"}}
EDIT_README = {"tool_name": "Edit", "tool_input": {"file_path": "README.md"}}


@pytest.mark.parametrize(
    ("entry", "changes", "wanted"),
    [
        *(pytest.param(entry, READ, [entry], id=entry) for entry in EVENT_NAMES),
        pytest.param("post_tool_use", {}, ["question"], id="question"),
        pytest.param("post_tool_use", EDIT, ["edit"], id="edit"),
        pytest.param("post_tool_use", EDIT_README, ["edit", "entry_point_edit"], id="entry point"),
    ],
)
def test_parts_hold_what_is_imported_anyway(
    plugin: Path, marked: Repository, entry: str, changes: dict[str, Any], wanted: list[str]
) -> None:
    payload = {**question(marked), "hook_event_name": EVENT_NAMES[entry], **changes}
    script, env = plugin / "hooks" / f"{entry}.py", clean_environment(plugin.parent)
    for _ in range(2):  # the first one may have to make a folder
        loaded = modules(sys.executable, script, payload, env, "-B")
    own = {name for name in loaded if name.partition(".")[0] == PACKAGE}
    assert own == parts(entry, *wanted) | FIRST


@pytest.mark.parametrize("entry", ["session_start", "user_prompt_submit"])
def test_the_part_of_the_first_check_is_imported_at_a_first_event(
    plugin: Path, marked: Repository, entry: str
) -> None:
    payload = {**question(marked), "hook_event_name": EVENT_NAMES[entry], **READ}
    script, env = plugin / "hooks" / f"{entry}.py", clean_environment(plugin.parent)
    loaded: set[str] = set()
    for number in range(2):  # the first one makes a folder
        first = {**payload, "session_id": f"another-{number}"}
        loaded = modules(sys.executable, script, first, env, "-B")
    own = {name for name in loaded if name.partition(".")[0] == PACKAGE}
    assert own == parts(entry, "first_check") | FIRST


def test_the_part_of_release_hygiene_is_imported_where_there_is_a_record(
    plugin: Path, repo: Repository
) -> None:
    (repo.root / ".claude" / ".state").mkdir(parents=True)
    script, env = plugin / "hooks" / "post_tool_use.py", clean_environment(plugin.parent)
    loaded = modules(sys.executable, script, {**question(repo), **EDIT_README}, env, "-B")
    own = {name for name in loaded if name.partition(".")[0] == PACKAGE}
    wanted = ("post_tool_use", "edit", "entry_point_edit", "release_record")
    assert own == parts(*wanted) | FIRST


def test_a_hook_makes_its_parts_once(plugin: Path, repo: Repository) -> None:
    assert_recorded(run(plugin, repo), repo)
    made = {path: path.stat().st_mtime_ns for path in cache(plugin).iterdir()}
    assert set(files(plugin)) == {"post_tool_use", "question"}
    assert_recorded(run(plugin, repo), repo)
    assert {path: path.stat().st_mtime_ns for path in cache(plugin).iterdir()} == made


def test_modules_come_out_of_their_parts(plugin: Path, repo: Repository) -> None:
    for _ in range(2):
        assert_recorded(run(plugin, repo), repo)
    told = run(plugin, repo, "-X", "importtime").stderr.decode()
    looked_up = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert {name for name in looked_up if name.partition(".")[0] == PACKAGE} == FIRST


def test_a_changed_source_counts_at_once(plugin: Path, repo: Repository) -> None:
    assert_recorded(run(plugin, repo), repo)
    source = plugin / "lib" / PACKAGE / "gates" / "questions.py"
    text = source.read_text("utf-8")
    source.write_text(text.replace("structured-question-fired", "structured-question-moved"))
    before = files(plugin)
    run(plugin, repo)
    assert "structured-question-moved" in (repo.session / "gate-events-s-s1.jsonl").read_text()
    changed = {name for name, data in files(plugin).items() if data != before[name]}
    assert changed == {"question"}


def test_a_copy_uses_its_own_sources(plugin: Path, repo: Repository) -> None:
    assert_recorded(run(plugin, repo), repo)
    copy = plugin.with_name("copy")
    shutil.copytree(plugin, copy)
    shutil.rmtree(plugin)
    assert_recorded(run(copy, repo), repo)


def zeros(data: bytes) -> bytes:
    return bytes(len(data))


def of_another_python(data: bytes) -> bytes:
    return b"\0\0\r\n" + data[4:]


def no_tuple(data: bytes) -> bytes:
    return data[:4] + b"N"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:3], id="cut in the stamp"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut in half"),
        pytest.param(zeros, id="zeros"),
        pytest.param(of_another_python, id="another Python"),
        pytest.param(no_tuple, id="no tuple"),
    ],
)
def test_a_torn_part_is_made_anew(
    plugin: Path, repo: Repository, damage: Callable[[bytes], bytes]
) -> None:
    assert_recorded(run(plugin, repo), repo)
    whole = files(plugin)
    for path in cache(plugin).iterdir():
        if path.suffix != ".pyc":
            path.write_bytes(damage(path.read_bytes()))
    assert_recorded(run(plugin, repo), repo)
    assert files(plugin) == whole


def test_nothing_is_kept_when_python_keeps_nothing(plugin: Path, repo: Repository) -> None:
    assert_recorded(run(plugin, repo, "-B"), repo)
    assert not cache(plugin).exists()


def test_parts_go_where_byte_code_goes(plugin: Path, repo: Repository, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for _ in range(2):
        assert_recorded(run(plugin, repo, "-X", f"pycache_prefix={elsewhere}"), repo)
    assert not cache(plugin).exists()
    assert len(list(elsewhere.rglob("preload.*.question"))) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_plugin_is_silent(plugin: Path, repo: Repository) -> None:
    folders = [path for path in plugin.rglob("*") if path.is_dir()]
    for folder in folders:
        folder.chmod(0o555)
    assert_recorded(run(plugin, repo), repo)
    for folder in folders:
        folder.chmod(0o755)


def test_a_folder_in_the_way_is_silent(plugin: Path, repo: Repository) -> None:
    assert_recorded(run(plugin, repo), repo)
    (part,) = cache(plugin).glob("preload.*.question")
    part.unlink()
    part.mkdir()
    assert_recorded(run(plugin, repo), repo)
