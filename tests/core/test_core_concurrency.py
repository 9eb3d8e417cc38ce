"""Many real processes at one file."""

import json
import multiprocessing
import os
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import journal, runonce
from session_memory.core.folder import Folder
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.gates import questions
from support import Repository, clean_environment, hook_command, question

PROCESSES, CALLS = 32, 200


def together(count: int, work: Callable[..., None], *arguments: object) -> None:
    """Run ``work(number, *arguments)`` in ``count`` processes that start at the same moment."""
    context = multiprocessing.get_context("fork")
    gate = context.Barrier(count)

    def run(number: int) -> None:
        gate.wait(30)
        work(number, *arguments)

    workers = [context.Process(target=run, args=(number,)) for number in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0] * count


def ask(number: int, payload: dict[str, Any]) -> None:
    for call in range(CALLS):
        session = Session(Event({**payload, "tool_use_id": f"{number}-{call}"}))
        questions.record(session)
        assert session.losses == []


@pytest.mark.slow
def test_no_record_of_32_processes_is_torn_or_lost(repo: Repository) -> None:
    together(PROCESSES, ask, question(repo))
    calls = [record["tool_use_id"] for record in repo.log("s-s1")]
    assert len(calls) == PROCESSES * CALLS
    assert len(set(calls)) == PROCESSES * CALLS
    assert repo.status() == ""


def append_large(number: int, root: str) -> None:
    folder = Folder(root, (), create=False)
    record = {"n": number, "text": "x" * 200_000}
    journal.append(folder, "log.jsonl", json.dumps(record).encode())
    folder.close()


def test_large_records_stay_whole_also_across_a_rotation(tmp_path: Path) -> None:
    together(50, append_large, str(tmp_path))
    names = ("log~1.jsonl", "log.jsonl")
    lines = b"".join((tmp_path / name).read_bytes() for name in names).splitlines()
    assert sorted(json.loads(line)["n"] for line in lines) == list(range(50))


def append_and_rotate(number: int, root: str) -> None:
    journal.MAX_BYTES = 20_000
    folder = Folder(root, (), create=False)
    for call in range(100):
        journal.append(folder, "log.jsonl", json.dumps({"n": number, "call": call}).encode())
    folder.close()


def test_rotation_under_many_writers_keeps_every_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each generation is renamed exactly once, so with names that count none is overwritten."""
    monkeypatch.setattr(journal, "earlier", lambda name: f"{name}.{next_free(tmp_path)}")
    together(12, append_and_rotate, str(tmp_path))
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    records = [json.loads(line) for line in data.splitlines()]
    assert len(list(tmp_path.iterdir())) > 1
    assert Counter(record["n"] for record in records) == dict.fromkeys(range(12), 100)


def next_free(folder: Path) -> int:
    return len(list(folder.iterdir()))


def count_up(number: int, root: str) -> None:
    from session_memory.core import document

    folder = Folder(root, (), create=False)
    for call in range(10):

        def add(state: "dict[str, object] | None", key: str = f"{number}-{call}") -> Any:
            return {**(state or {}), key: "x" * number * 50}

        document.update(folder, "state.json", add, stuck_s=30)
    folder.close()


def test_no_change_of_a_document_is_lost(tmp_path: Path) -> None:
    together(16, count_up, str(tmp_path))
    assert len(json.loads((tmp_path / "state.json").read_bytes())) == 160
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state.json", "state.json.lock"]


def claim(number: int, root: str) -> None:
    folder = Folder(root, (), create=False)
    if runonce.claim(folder, "marker"):
        journal.append(folder, "winners", str(number).encode())
    folder.close()


@pytest.mark.parametrize("abandoned", [False, True])
def test_one_of_many_claims_wins(tmp_path: Path, abandoned: bool) -> None:
    if abandoned:
        (tmp_path / "marker").touch()
        os.utime(tmp_path / "marker", (1, 1))
    together(16, claim, str(tmp_path))
    assert len((tmp_path / "winners").read_bytes().splitlines()) == 1


def run_at_once(repo: Repository, payloads: list[dict[str, Any]]) -> None:
    processes = [
        subprocess.Popen(
            hook_command("post_tool_use"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(repo.root.parent),
        )
        for _ in payloads
    ]
    for process, payload in zip(processes, payloads, strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.flush()
    for process in processes:
        assert process.communicate(timeout=30)[0] == b""
        assert process.returncode == 0


def test_hooks_that_run_at_once_record_every_call(repo: Repository) -> None:
    run_at_once(repo, [question(repo, tool_use_id=f"toolu_{n}") for n in range(8)])
    assert {record["tool_use_id"] for record in repo.log("s-s1")} == {
        f"toolu_{n}" for n in range(8)
    }
    assert repo.status() == ""


@pytest.mark.parametrize("call", [{"tool_use_id": "toolu_1"}, {}], ids=["with id", "without id"])
def test_a_hook_that_is_registered_twice_records_once(
    repo: Repository, call: dict[str, str]
) -> None:
    run_at_once(repo, [question(repo, **call)] * 4)
    assert len(repo.log("s-s1")) == 1


def test_the_two_dialects_of_one_host_record_once(repo: Repository) -> None:
    asked = {"message": "Which way?", "requestedSchema": {}}
    common = {"cwd": str(repo.root), "timestamp": 1}
    camel = {**common, "sessionId": "c", "toolName": "ask_user", "toolArgs": asked}
    pascal = {**common, "session_id": "c", "tool_name": "AskUserQuestion", "tool_input": asked}
    run_at_once(repo, [camel, {**pascal, "hook_event_name": "PostToolUse", "tool_result": {}}])
    assert len(repo.log("s-c")) == 1
