"""The file is read strictly, changed whole, and never lost."""

import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration_support import NAME, entry, event, numbers, read
from command_line import COMMAND, environment
from session_memory.calibration import strict_json
from session_memory.calibration.file import MAX_BYTES, CalibrationFile, Corrupt, Unusable
from session_memory.calibration.writing import with_entries
from session_memory.core import document, lock, system
from session_memory.core.checkout import locate
from session_memory.core.folder import Folder
from support import Repository


@pytest.fixture
def file(repo: Repository) -> CalibrationFile:
    return at(repo)


def at(repo: Repository) -> CalibrationFile:
    checkout = locate(str(repo.root))
    assert checkout is not None
    return CalibrationFile(checkout)


def add(file: CalibrationFile, number: int, **options: Any) -> None:
    file.change(lambda current: with_entries(current, [entry(number)]), **options)


def test_a_new_file_is_private_and_invisible_to_git(
    file: CalibrationFile, repo: Repository
) -> None:
    add(file, 5)
    assert read(repo) == {"calibration_version": 1, "entries": [entry(5)],
                          "re_activation_events": []}  # fmt: skip
    assert repo.status() == ""
    if os.name == "posix":
        assert (repo.root / NAME).stat().st_mode & 0o777 == 0o600


def test_in_a_folder_of_the_user_only_the_lock_is_hidden(
    file: CalibrationFile, repo: Repository
) -> None:
    repo.write(NAME, json.dumps({"entries": []}))
    repo.commit("shared calibration")
    add(file, 5)
    assert repo.status().split() == ["M", NAME]


def test_an_ignore_file_of_the_user_stays(file: CalibrationFile, repo: Repository) -> None:
    own = repo.write(".copilot-tracking/calibration/.gitignore", "*.bak\n")
    add(file, 5)
    assert own.read_text() == "*.bak\n"


def test_an_ignore_file_that_cannot_be_made_loses_no_entry(
    file: CalibrationFile, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(NAME, "{}")
    write = document.replace

    def refuse(folder: Folder, name: str, data: bytes, **more: Any) -> None:
        if name == ".gitignore":
            raise PermissionError(13, "Permission denied", name)
        write(folder, name, data, **more)

    monkeypatch.setattr(document, "replace", refuse)
    add(file, 5)
    assert numbers(repo) == [5]


def test_a_failure_names_the_file(
    file: CalibrationFile, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise PermissionError(13, "Permission denied", "review-data.json.1-2.tmp")

    repo.write(NAME, "{}")
    add(file, 5)
    monkeypatch.setattr(document, "replace", refuse)
    with pytest.raises(PermissionError) as raised:
        add(file, 6)
    assert raised.value.filename == str(repo.root / NAME)


def test_entries_stand_on_a_line_each(file: CalibrationFile, repo: Repository) -> None:
    file.change(lambda current: with_entries(current, [entry(5), entry(6)]))
    lines = (repo.root / NAME).read_text().splitlines()
    assert len(lines) == 1 + 1 + 4 + 1 + 1
    assert json.loads(lines[3].rstrip(",")) == entry(5)


def test_unknown_members_and_their_order_are_kept(file: CalibrationFile, repo: Repository) -> None:
    given = {
        "zeta": {"b": 1, "a": [1.5, None, "ä"]},
        "calibration_version": 1,
        "entries": [{"pr_number": "odd"}, entry(4, note="keep"), "text"],
        "prosecution_depth_override": "full",
        "re_activation_events": [event(), {"category": "odd"}],
    }
    repo.write(NAME, json.dumps(given))
    add(file, 5)
    after = read(repo)
    assert list(after) == list(given)
    assert after == {**given, "entries": [*given["entries"], entry(5)]}  # type: ignore[misc]


def test_a_byte_order_mark_is_no_fault(file: CalibrationFile, repo: Repository) -> None:
    repo.write(NAME, "\ufeff" + json.dumps({"entries": [entry(4)]}))
    add(file, 5)
    assert numbers(repo) == [4, 5]


@pytest.mark.parametrize("text", ["", " \n"], ids=["empty", "blank"])
def test_an_empty_file_counts_as_none(text: str, file: CalibrationFile, repo: Repository) -> None:
    repo.write(NAME, text)
    assert file.load() is None
    add(file, 5)
    assert numbers(repo) == [5]


HOSTILE: list[Any] = [
    pytest.param("not json", "not JSON", id="no json"),
    pytest.param('{"entries": [', "line 1", id="torn"),
    pytest.param("[]", "not a JSON object", id="list"),
    pytest.param('{"entries": [], "entries": []}', "key entries twice", id="duplicate key"),
    pytest.param('{"a": {"b": 1, "c": 1, "b": 2}}', "key b twice", id="duplicate key inside"),
    pytest.param('{"a": NaN}', "NaN", id="nan"),
    pytest.param('{"a": -Infinity}', "-Infinity", id="infinity"),
    pytest.param('{"a": 1e999}', "too large", id="huge fraction"),
    pytest.param('{"a": ' + "9" * 5000 + "}", "more than 40 digits", id="huge integer"),
    pytest.param('{"a": ' + "[" * 40 + "]" * 40 + "}", "nested deeper", id="deep"),
    pytest.param('{"a": ' + "[" * 200_000 + "}", "nested deeper", id="very deep"),
    pytest.param('{"entries": {}}', "entries: is an object, not a list", id="entries"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE)
def test_what_is_no_calibration_data_is_left_to_the_byte(
    text: str, words: str, file: CalibrationFile, repo: Repository
) -> None:
    path = repo.write(NAME, text)
    with pytest.raises(Corrupt, match=words):
        add(file, 5)
    with pytest.raises(Corrupt, match=words):
        file.load()
    assert path.read_text() == text
    assert file.set_aside == ""


def test_bytes_that_are_no_text(file: CalibrationFile, repo: Repository) -> None:
    repo.write(NAME, "").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(Corrupt, match="not UTF-8 at byte 7"):
        add(file, 5)


def test_a_corrupt_file_is_set_aside_on_demand(file: CalibrationFile, repo: Repository) -> None:
    repo.write(NAME, "not json")
    add(file, 5, set_aside=True)
    assert numbers(repo) == [5]
    assert Path(file.set_aside).read_text() == "not json"
    assert Path(file.set_aside).name.startswith("review-data.json.corrupt-")


def test_a_later_version_is_never_set_aside(file: CalibrationFile, repo: Repository) -> None:
    path = repo.write(NAME, '{"calibration_version": 2}')
    with pytest.raises(Unusable, match="calibration_version: is not 1"):
        add(file, 5, set_aside=True)
    assert path.read_text() == '{"calibration_version": 2}'


def _link(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def _hard_link(path: Path, outside: Path) -> None:
    path.hardlink_to(outside)


def _fifo(path: Path, outside: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path, outside: Path) -> None:
    path.mkdir()


@pytest.mark.skipif(os.name == "nt", reason="links and FIFOs of POSIX")
@pytest.mark.parametrize("make", [_link, _hard_link, _fifo, _folder])
@pytest.mark.parametrize("name", ["review-data.json", "review-data.json.lock"])
def test_what_is_no_plain_file_is_refused(
    name: str, make: Callable[[Path, Path], None], file: CalibrationFile, repo: Repository
) -> None:
    outside = repo.write("outside.json", "{}")
    path = repo.root / Path(NAME).with_name(name)
    path.parent.mkdir(parents=True)
    make(path, outside)
    with pytest.raises(Unusable, match=r"review-data\.json: .*(link|plain file)"):
        add(file, 5, set_aside=True)
    assert outside.read_text() == "{}"


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("part", [".copilot-tracking", ".copilot-tracking/calibration"])
def test_no_link_is_followed_out_of_the_worktree(
    part: str, file: CalibrationFile, repo: Repository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    (outside / "calibration").mkdir(parents=True)
    path = repo.root / part
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside)
    for use in (file.load, lambda: add(file, 5)):
        with pytest.raises(Unusable, match="a link or no "):
            use()
    assert sorted(outside.rglob("*")) == [outside / "calibration"]


def test_size_is_bounded_both_ways(
    file: CalibrationFile, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_BYTES == 16 << 20
    monkeypatch.setattr("session_memory.calibration.file.MAX_BYTES", 300)
    add(file, 5)
    before = (repo.root / NAME).read_bytes()
    with pytest.raises(Unusable, match="grow beyond 300"):
        file.change(lambda current: with_entries(current, [entry(6), entry(7)]))
    assert (repo.root / NAME).read_bytes() == before
    repo.write(NAME, " " * 500 + json.dumps({"entries": [entry(5)]}))
    with pytest.raises(Unusable, match="more than 300 bytes"):
        file.load()


def test_what_cannot_be_read_back_is_not_written(file: CalibrationFile, repo: Repository) -> None:
    add(file, 5)
    with pytest.raises(Unusable, match="read back"):
        file.change(lambda current: {**(current or {}), "pair": (1, 2)})
    assert numbers(repo) == [5]


def test_a_failing_replace_leaves_the_old_file_and_no_temporary(
    file: CalibrationFile, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(file, 5)

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(document, "write_all", full)
    with pytest.raises(OSError, match="No space left"):
        add(file, 6)
    assert numbers(repo) == [5]
    assert [path.name for path in (repo.root / NAME).parent.glob("*.tmp")] == []


def test_the_file_is_on_the_disk_before_it_takes_its_place(
    file: CalibrationFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(system.native, "fsync", flushed.append)
    add(file, 5)
    assert len(flushed) == 1


def test_a_stuck_writer_is_told_after_a_while(
    file: CalibrationFile, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    add(file, 5)
    monkeypatch.setattr("session_memory.calibration.file.WAIT_S", 0.05)
    with (repo.root / f"{NAME}.lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(lock.Busy, match="kept it locked"):
            add(file, 6)
    assert numbers(repo) == [5]


def test_what_a_killed_writer_left_is_removed(file: CalibrationFile, repo: Repository) -> None:
    add(file, 5)
    stale = repo.write(f"{NAME}.77-1.tmp", '{"entries": [')
    other = repo.write(".copilot-tracking/calibration/notes.tmp", "mine")
    add(file, 6)
    assert (stale.exists(), other.exists()) == (False, True)


def test_deep_text_and_numbers_come_back_as_they_were() -> None:
    given = {"a": [1, -0.5, 1e300, True, None, "\ud800 ä \x00"], "b": {"c": {}}}
    assert strict_json.parse_object(strict_json.format_object(given)) == given


def _write_many(number: int, repo: Repository) -> None:
    for call in range(5):
        add(at(repo), 100 * number + call)


@pytest.mark.skipif(os.name == "nt", reason="forks of POSIX")
def test_sixteen_processes_lose_no_entry(repo: Repository) -> None:
    repo.write(NAME, json.dumps({"entries": [entry(9)], "unheard_of": "keep"}))
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_many, args=(n, repo)) for n in range(1, 17)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 16
    written = [100 * number + call for number in range(1, 17) for call in range(5)]
    assert sorted(numbers(repo)) == [9, *written]
    assert read(repo)["unheard_of"] == "keep"
    assert list((repo.root / NAME).parent.glob("*.tmp")) == []


@pytest.mark.slow
def test_sixteen_commands_lose_no_entry(repo: Repository, tmp_path: Path) -> None:
    command = [*COMMAND, "calibration", "write-entry", "--body-file"]
    bodies = [tmp_path / f"{number}.json" for number in range(1, 17)]
    for number, body in enumerate(bodies, 1):
        body.write_text(json.dumps(entry(number)))
    running = [
        subprocess.Popen(
            [*command, str(body)], cwd=repo.root, env=environment(tmp_path / "home"),
            stdout=subprocess.DEVNULL,
        )
        for body in bodies
    ]  # fmt: skip
    assert [process.wait(60) for process in running] == [0] * 16
    assert sorted(numbers(repo)) == list(range(1, 17))


_WRITER = """
import sys
from session_memory.calibration.file import CalibrationFile
from session_memory.calibration.writing import with_entries
from session_memory.core.checkout import locate
file = CalibrationFile(locate(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 30):
    new = {"pr_number": number, "created_at": "2026-03-20", "findings": []}
    file.change(lambda current: with_entries(current, [new]))
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_killed_processes_lose_nothing_that_was_written(repo: Repository) -> None:
    def start(first: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(repo.root), str(first)],
            env=environment(repo.root.parent / "home"),
            stdout=subprocess.PIPE,
        )

    killed, lasting = [start(1000), start(2000), start(3000)], [start(5000), start(6000)]
    for delay_s, process in enumerate(killed):
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay_s * 0.005)
        process.kill()
    told = [
        int(line) for process in [*killed, *lasting] for line in process.communicate()[0].split()
    ]
    assert {*range(5000, 5030), *range(6000, 6030)} <= set(told)
    assert {1000, 2000, 3000, *told} <= set(numbers(repo))
    add(at(repo), 1)
    assert list((repo.root / NAME).parent.glob("*.tmp")) == []
