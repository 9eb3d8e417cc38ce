"""Reading a payload from a pipe that may be slow, silent, open for ever, or not a pipe at all."""

import contextlib
import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from session_memory.core import stdin
from session_memory.core.stdin import UnusablePayload, read_object
from support import Hook, Repository, clean_environment, hook_command, question


@contextlib.contextmanager
def pipe_of(data: bytes) -> Iterator[int]:
    """The read end of a pipe that holds ``data`` and stays open."""
    out, into = os.pipe()
    writer = threading.Thread(target=os.write, args=(into, data))
    writer.start()
    try:
        yield out
    finally:
        writer.join(1)
        os.close(into)
        os.close(out)


def read_whole(tmp_path: Path, data: bytes) -> dict[str, object]:
    """What is read when input ends after ``data``."""
    path = tmp_path / "payload"
    path.write_bytes(data)
    fd = os.open(path, os.O_RDONLY)
    try:
        return read_object(fd)
    finally:
        os.close(fd)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b'{"a": 1}', {"a": 1}, id="plain"),
        pytest.param(b'\xef\xbb\xbf{"a": 1}', {"a": 1}, id="byte-order mark"),
        pytest.param(b' \r\n\t{"a": 1} \n', {"a": 1}, id="white space around"),
        pytest.param(b'{"a": 1}{"b": 2}', {"a": 1}, id="second value"),
        pytest.param(b'{"a": 1} garbage \xff', {"a": 1}, id="garbage behind"),
        pytest.param('{"a": "\ufeff"}'.encode(), {"a": "\ufeff"}, id="mark inside a text stays"),
        pytest.param(b'{"a": "\xff\xfe"}', {"a": "\ufffd\ufffd"}, id="not UTF-8"),
        pytest.param(b'{"a": "\\ud83d"}', {"a": "\ud83d"}, id="lone surrogate is kept until used"),
        pytest.param(b'{"a": NaN, "a": 2}', {"a": 2}, id="last of two members wins"),
        pytest.param(b"{}", {}, id="empty object"),
        pytest.param(b'{"a": "%s"}' % (b"x" * 65526), {"a": "x" * 65526}, id="exactly one chunk"),
    ],
)
def test_usable(tmp_path: Path, data: bytes, expected: dict[str, object]) -> None:
    assert read_whole(tmp_path, data) == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b" \n\t ", "empty", id="blank"),
        pytest.param(b"\xef\xbb\xbf", "empty", id="only a mark"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbf{}", "not JSON", id="two marks"),
        pytest.param(b"null", "not a JSON object", id="null"),
        pytest.param(b"[]", "not a JSON object", id="list"),
        pytest.param(b'"x"', "not a JSON object", id="text"),
        pytest.param(b"0", "not a JSON object", id="number"),
        pytest.param(b"true", "not a JSON object", id="boolean"),
        pytest.param(b'{"secret": "abc', "not JSON", id="cut off in a text"),
        pytest.param(b'{"secret": ', "no complete JSON value", id="cut off before a value"),
        pytest.param(b"{'secret': 1}", "not JSON", id="single quotes"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, "nested too deeply", id="deep list"),
        pytest.param(b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply", id="deep"),
        pytest.param(b'{"secret": %s}' % (b"9" * 5_000), "bad number", id="5,000 digits"),
        pytest.param(b"\xff\xfe{\0}\0", "not JSON", id="UTF-16"),
    ],
)
def test_unusable(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(UnusablePayload, match=reason) as caught:
        read_whole(tmp_path, data)
    assert "secret" not in str(caught.value)


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdin, "MAX_BYTES", 1000)
    with pytest.raises(UnusablePayload, match="exceeds 1000 bytes"):
        read_whole(tmp_path, b'{"a": "%s"}' % (b"x" * 200_000))


def test_a_whole_value_in_an_open_pipe_is_enough() -> None:
    started = time.monotonic()
    with pipe_of(b'{"a": {"b": 1}}\n') as fd:
        assert read_object(fd) == {"a": {"b": 1}}
    assert time.monotonic() - started < stdin.IDLE_S / 2


def test_a_large_value_in_an_open_pipe_is_enough() -> None:
    data = b'{"a": "%s"}' % (b"}" * 700_001)
    started = time.monotonic()
    with pipe_of(data) as fd:
        assert len(str(read_object(fd)["a"])) == 700_001
    assert time.monotonic() - started < stdin.IDLE_S


def test_a_pipe_that_is_not_blocking_is_waited_for() -> None:
    with pipe_of(b"") as fd:
        os.set_blocking(fd, False)
        late = threading.Timer(0.1, os.write, (fd_of_writer(fd), b'{"a": 1}'))
        late.start()
        assert read_object(fd) == {"a": 1}
        late.join()


def fd_of_writer(reader: int) -> int:
    return os.open(f"/proc/self/fd/{reader}", os.O_WRONLY)


def test_a_directory_is_no_payload() -> None:
    fd = os.open("/", os.O_RDONLY)
    with pytest.raises(UnusablePayload, match="standard input: Is a directory"):
        read_object(fd)
    os.close(fd)


def start(entry: str, tmp_path: Path, stdin: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        hook_command(entry),
        env=clean_environment(tmp_path),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_a_slow_writer_is_not_cut_off(repo: Repository, tmp_path: Path) -> None:
    text = b'{"session_id":"slow","cwd":"%s","tool_name":"ask_user"}' % str(repo.root).encode()
    with start("post_tool_use", tmp_path, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        pause = 5.2 / (len(text) / 3)
        for index in range(0, len(text), 3):
            process.stdin.write(text[index : index + 3])
            process.stdin.flush()
            time.sleep(pause)
        assert process.wait(5) == 0
    assert len(repo.log("s-slow")) == 1


@pytest.mark.parametrize("sent", [b"", b'{"session_id": '], ids=["nothing", "a part"])
def test_silence_is_bounded(tmp_path: Path, sent: bytes) -> None:
    started = time.monotonic()
    with start("session_start", tmp_path, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(sent)
        process.stdin.flush()
        assert process.wait(10) == 0
        elapsed = time.monotonic() - started
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == b""
        assert process.stderr.read().count(b"\n") == 1
    assert elapsed < stdin.IDLE_S + 1.5


@pytest.mark.slow
def test_a_trickle_is_bounded(tmp_path: Path) -> None:
    started = time.monotonic()
    out, into = os.pipe()
    with start("session_start", tmp_path, stdin=out) as process:
        os.close(out)
        while process.poll() is None and time.monotonic() - started < 12:
            with contextlib.suppress(BrokenPipeError):
                os.write(into, b"x")
            time.sleep(0.0005)
        assert process.wait(5) == 0
    os.close(into)
    assert time.monotonic() - started < stdin.TOTAL_S + 1.5


def test_a_terminal_is_no_payload(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    with start("user_prompt_submit", tmp_path, stdin=theirs) as process:
        assert process.wait(5) == 0
        assert process.stderr is not None
        assert b"standard input is a terminal" in process.stderr.read()
    os.close(ours)
    os.close(theirs)


def run_with_closed(
    fd: int, payload: bytes, tmp_path: Path
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        hook_command("post_tool_use"),
        input=payload,
        env=clean_environment(tmp_path),
        capture_output=True,
        timeout=10,
        check=False,
        preexec_fn=lambda: os.close(fd),
    )


@pytest.mark.parametrize("fd", [0, 1, 2])
def test_a_closed_descriptor_fails_open(repo: Repository, tmp_path: Path, fd: int) -> None:
    payload = b'{"session_id":"s1","cwd":"%s","tool_name":"ask_user"}' % str(repo.root).encode()
    done = run_with_closed(fd, payload, tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(repo.log("s-s1")) == (0 if fd == 0 else 1)
    assert (b"Bad file descriptor" in done.stderr) == (fd == 0)


def test_without_a_standard_error_the_log_is_left(tmp_path: Path) -> None:
    done = subprocess.run(
        hook_command("post_tool_use"),
        input=b"[]",
        env={**clean_environment(tmp_path), "CLAUDE_PLUGIN_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        check=True,
        preexec_fn=lambda: os.close(2),
    )
    assert done.stdout == b""
    assert b"not a JSON object" in (tmp_path / "hook-diagnostics.jsonl").read_bytes()


@pytest.mark.parametrize("extra", [b"", b"\n", b"}", b'{"session_id":"two"}', b"\x00\xff"])
def test_what_follows_the_first_value_is_ignored(
    hook: Callable[..., Hook], repo: Repository, extra: bytes
) -> None:
    hook("post_tool_use", json.dumps(question(repo)).encode() + extra).assert_quiet()
    assert [record["session_key"] for record in repo.log("s-s1")] == ["s-s1"]
