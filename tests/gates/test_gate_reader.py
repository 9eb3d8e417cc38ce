"""Reading logs: bad lines, rotation, the fallback, hostile files."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import journal
from session_memory.gates import log_name, log_path
from session_memory.gates.lines import MAX_LINE_BYTES, LineSplitter
from session_memory.gates.reader import GateLog
from session_memory.gates.selection import OTHER, QUESTION, TOKEN, Selection, kind
from support import Repository
from token_samples import ISSUE_TOKEN

KEY = "s-abc"


def record(number: int, minute: int = 0, **fields: Any) -> bytes:
    time = f"2026-06-02T00:{minute:02}:00Z"
    return json.dumps({"n": number, "timestamp": time, **fields}).encode() + b"\n"


def numbers(log: GateLog) -> list[object]:
    return [entry.record.get("n") for entry in log.read()]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    folder = tmp_path / "memories" / "session"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / ".copilot-tracking"
    folder.mkdir()
    return folder / "gate-events.jsonl"


@pytest.fixture
def log(tmp_path: Path) -> GateLog:
    return GateLog(str(tmp_path), KEY)


def test_bad_lines_are_counted_and_passed_over(session: Path, log: GateLog) -> None:
    path = session / log_name(KEY)
    path.write_bytes(b'{"n":1}\n{"n":2}{"n":3}\n{"a":\n\n{"n":4}')
    assert numbers(log) == [1, 4]
    assert (log.faults.lines, log.faults.first) == (2, [f"{path}:2", f"{path}:3"])


BAD_LINES = {
    "not an object": b"[1]",
    "not UTF-8": b'{"n": "\xff"}',
    "not a number of JSON": b'{"n": NaN}',
    "endless number": b'{"n": ' + b"9" * 5000 + b"}",
    "nested too deeply": b'{"n":' * 50_000,
    "control character": b'{"n": "\x1b[2J"}',
    "too long": b'{"n": "' + b"x" * MAX_LINE_BYTES + b'"}',
    "longer than any chunk": b"x" * (5 * MAX_LINE_BYTES),
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_bad_line_between_good_ones(session: Path, log: GateLog, line: bytes) -> None:
    (session / log_name(KEY)).write_bytes(record(1) + line + b"\n" + record(2))
    assert numbers(log) == [1, 2]
    assert log.faults.lines == 1


def test_only_the_first_bad_lines_are_kept(session: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(b"x\n" * 1000)
    assert numbers(log) == []
    assert (log.faults.lines, len(log.faults.first)) == (1000, 5)


@pytest.mark.parametrize("character", ["\u2028", "\u0085", "\x0c", "\r"], ids=ascii)
def test_only_a_line_feed_ends_a_line(session: Path, log: GateLog, character: str) -> None:
    line = f'{{"n": 1}}{character}{{"n": 2}}\n{{"n": 3}}\n'
    (session / log_name(KEY)).write_bytes(line.encode())
    assert numbers(log) == [3]
    assert log.faults.lines == 1


def test_log_written_by_another_tool(session: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(b'\xef\xbb\xbf{"n": 1}\r\n{"n": "\xc3\xa9"}\r\n')
    assert numbers(log) == [1, "é"]


def test_nothing_to_read(log: GateLog, tmp_path: Path) -> None:
    assert numbers(log) == []
    assert log.faults.files == []
    assert log.paths() == [
        str(tmp_path / "memories" / "session" / "gate-events-s-abc.jsonl"),
        str(tmp_path / ".copilot-tracking" / "gate-events.jsonl"),
    ]


def test_earlier_generation_comes_first(session: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(record(2))
    (session / journal.earlier(log_name(KEY))).write_bytes(record(1)[:-1])
    assert numbers(log) == [1, 2]


def test_line_numbers_start_again_with_a_generation(session: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(record(3) + b"bad\n")
    (session / journal.earlier(log_name(KEY))).write_bytes(record(1) + record(2))
    assert numbers(log) == [1, 2, 3]
    assert log.faults.first == [f"{session / log_name(KEY)}:2"]


def test_logs_are_merged_by_time(session: Path, shared: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(record(1, 1) + record(3, 3))
    shared.write_bytes(record(2, 2, session_key=KEY) + record(4, 4, session_key=KEY)[:-1])
    assert numbers(log) == [1, 2, 3, 4]


def test_order_of_writing_beats_a_wrong_clock(session: Path, shared: Path, log: GateLog) -> None:
    (session / log_name(KEY)).write_bytes(record(1, 5) + record(2, 1) + b'{"n": 3}\n')
    shared.write_bytes(record(4, 6, session_key=KEY))
    assert numbers(log) == [1, 2, 3, 4]


def test_fallback_holds_other_conversations(shared: Path, log: GateLog) -> None:
    shared.write_bytes(record(1, session_key="s-other") + record(2, session_key=KEY) + record(3))
    assert numbers(log) == [2]


def test_all_conversations(session: Path, shared: Path, tmp_path: Path) -> None:
    (session / log_name("s-a")).write_bytes(record(2, 2))
    (session / log_name("b-x")).write_bytes(record(1, 1))
    (session / journal.earlier(log_name("s-orphan"))).write_bytes(record(4, 4))
    (session / "hook-diagnostics.jsonl").write_bytes(record(9))
    shared.write_bytes(record(3, 3))
    assert numbers(GateLog(str(tmp_path))) == [1, 2, 3, 4]


def test_many_logs_need_few_descriptors(session: Path, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    for number in range(200):
        (session / log_name(f"s-{number}")).write_bytes(record(number))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        assert len(numbers(GateLog(str(tmp_path)))) == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_links_and_devices_are_not_followed(session: Path, shared: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(record(1))
    (session / log_name(KEY)).symlink_to(secret)
    (session / journal.earlier(log_name(KEY))).hardlink_to(secret)
    os.mkfifo(shared)
    log = GateLog(str(tmp_path), KEY)
    assert numbers(log) == []
    assert len(log.faults.files) == 3


def test_folder_that_is_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside" / "session"
    outside.mkdir(parents=True)
    (outside / log_name(KEY)).write_bytes(record(1))
    root = tmp_path / "root"
    root.mkdir()
    (root / "memories").symlink_to(outside.parent)
    for log in (GateLog(str(root), KEY), GateLog(str(root))):
        assert numbers(log) == []
        assert len(log.faults.files) == 1


def news(log: GateLog) -> list[object]:
    return [entry.record["n"] for entry in log.news()]


def test_news_are_what_was_added(session: Path, log: GateLog) -> None:
    assert news(log) == []
    with (session / log_name(KEY)).open("ab", buffering=0) as file:
        file.write(record(1) + record(2)[:10])
        assert news(log) == [1]
        file.write(record(2)[10:])
        assert news(log) == [2]
        assert news(log) == []


def test_news_survive_rotation(session: Path, log: GateLog) -> None:
    path, earlier = session / log_name(KEY), session / journal.earlier(log_name(KEY))
    path.write_bytes(record(1))
    assert news(log) == [1]
    with path.open("ab") as file:
        file.write(record(2))
    path.rename(earlier)
    assert news(log) == [2]
    path.write_bytes(record(3))
    assert news(log) == [3]


def test_news_of_two_rotations_at_once(session: Path, log: GateLog) -> None:
    path, earlier = session / log_name(KEY), session / journal.earlier(log_name(KEY))
    path.write_bytes(record(1))
    assert news(log) == [1]
    path.rename(session / "gone")
    earlier.write_bytes(record(2))
    path.write_bytes(record(3))
    assert news(log) == [2, 3]


def test_news_after_the_log_was_emptied(session: Path, log: GateLog) -> None:
    path = session / log_name(KEY)
    path.write_bytes(record(1) + record(2))
    assert news(log) == [1, 2]
    path.write_bytes(record(3))
    assert news(log) == [3]


def test_news_of_a_conversation_that_begins(session: Path, tmp_path: Path) -> None:
    log = GateLog(str(tmp_path))
    assert news(log) == []
    (session / log_name("s-new")).write_bytes(record(1))
    assert news(log) == [1]


def test_rotation_while_reading(session: Path, log: GateLog) -> None:
    path, earlier = session / log_name(KEY), session / journal.earlier(log_name(KEY))
    path.write_bytes(b"".join(record(n, padding="x" * 1000) for n in range(100)))
    stream = log.read()
    seen = [next(stream).record["n"]]
    path.rename(earlier)
    path.write_bytes(record(100))
    assert seen + [entry.record["n"] for entry in stream] == list(range(101))


def test_memory_is_bounded() -> None:
    splitter = LineSplitter()
    for _ in range(1000):
        splitter.feed(b"x" * 100_000, "log")
        assert len(splitter._rest) <= MAX_LINE_BYTES
    splitter.feed(b"\nlast", "log")
    splitter.finish()
    assert list(splitter.lines()) == [("log", 1, None), ("log", 2, b"last")]


KINDS = {
    TOKEN: ISSUE_TOKEN,
    QUESTION: {"event_type": "structured-question-fired"},
    OTHER: {"event_type": "something", "decision_id": ""},
}


@pytest.mark.parametrize(("name", "found"), KINDS.items(), ids=KINDS)
def test_kinds(name: str, found: dict[str, Any]) -> None:
    assert kind(found) == name


SELECTIONS = {
    "everything": (Selection(), True),
    "its kind": (Selection(kind=TOKEN), True),
    "another kind": (Selection(kind=QUESTION), False),
    "its phase": (Selection(phase="DESIGN"), True),
    "another phase": (Selection(phase="plan"), False),
    "its decision": (Selection(decision="D-Load-Order"), True),
    "part of its decision": (Selection(decision="d-load"), False),
    "since its time": (Selection(since=1780358400), True),
    "since later": (Selection(since=1780358401), False),
}


@pytest.mark.parametrize(("wanted", "taken"), SELECTIONS.values(), ids=SELECTIONS)
def test_selection(session: Path, log: GateLog, wanted: Selection, taken: bool) -> None:
    (session / log_name(KEY)).write_text(json.dumps(ISSUE_TOKEN))
    [entry] = log.read()
    assert wanted.takes(entry) is taken


def test_log_path_is_where_hooks_write(repo: Repository) -> None:
    assert log_path(str(repo.root), KEY) == str(repo.session / "gate-events-s-abc.jsonl")


def test_log_path_when_the_session_folder_cannot_be(repo: Repository) -> None:
    (repo.root / "memories").symlink_to(repo.root.parent)
    assert log_path(str(repo.root), KEY) == str(
        repo.root / ".copilot-tracking" / "gate-events.jsonl"
    )


def test_no_log_path(repo: Repository) -> None:
    repo.write("memories", "a file")
    repo.write(".copilot-tracking", "a file")
    assert log_path(str(repo.root), KEY) == ""
