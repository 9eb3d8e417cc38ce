"""Inputs that broke other tools of this kind, from public reports.

``field_cases.json`` holds the reports. A row whose input can be sent is sent to every entry point
here; every other row names the test that proves it.
"""

import ast
import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import guard
from session_memory.core.json_text import parse_object
from session_memory.core.payload import Event
from support import ROOT, Hook, Repository, question

CASES = {
    row["id"]: row for row in json.loads((Path(__file__).parent / "field_cases.json").read_text())
}

PROVED_BY = {
    "BUG-010": "core/test_core_stdin.py::test_a_whole_value_in_an_open_pipe_is_enough",
    "BUG-011": "core/test_core_stdin.py::test_a_slow_writer_is_not_cut_off",
    "BUG-012": "core/test_core_deadline.py::test_waits_nest",
    "BUG-026": "core/test_core_session.py::test_two_detached_commits_have_two_keys",
    "BUG-034": "core/test_core_session.py::test_a_hosted_session_keeps_its_key",
    "BUG-040": "core/test_core_checkout.py::test_a_linked_worktree",
    "BUG-041": "core/test_core_session.py::test_both_directions_between_worktrees",
    "BUG-042": "core/test_core_checkout.py::test_the_environment_of_a_git_hook_is_not_asked",
    "BUG-043": "core/test_core_checkout.py::test_a_foreign_owner_is_no_obstacle",
    "BUG-044": "core/test_core_session.py::test_a_working_folder_that_is_gone",
    "BUG-045": "core/test_core_faults.py::test_an_unreadable_folder",
    "BUG-047": "core/test_core_field_cases.py::test_a_key_wherever_a_session_starts",
    "BUG-050": "events/test_events_payloads.py::test_captured",
    "BUG-052": "events/test_events_payloads.py::test_payloads_of_other_events_are_ignored",
    "BUG-054": "core/test_core_reply.py::test_long_context_is_cut_at_a_line_and_says_so",
    "BUG-056": "core/test_core_reply.py::test_characters_beyond_ascii_come_back",
    "BUG-057": "core/test_core_faults.py::test_a_read_only_disk",
    "BUG-065": "core/test_core_concurrency.py::test_a_hook_that_is_registered_twice_records_once",
    "BUG-067": "core/test_core_concurrency.py::test_hooks_that_run_at_once_record_every_call",
    "BUG-071": "core/test_core_concurrency.py::test_no_change_of_a_document_is_lost",
    "BUG-072": "core/test_core_concurrency.py::"
    "test_large_records_stay_whole_also_across_a_rotation",
    "BUG-073": "core/test_core_faults.py::test_a_corrupt_log_is_continued",
    "BUG-076": "core/test_core_lock.py::test_a_file_system_without_locks",
    "BUG-077": "core/test_core_faults.py::test_something_else_in_place_of_both_logs",
    "BUG-079": "core/test_core_folder.py::test_made_folders_are_private_whatever_the_mask",
    "BUG-080": "core/test_core_field_cases.py::test_the_mode_is_only_asked_for_at_creation",
    "BUG-081": "core/test_core_faults.py::test_an_unwritable_repository",
    "BUG-082": "core/test_core_journal.py::test_a_very_long_log_is_put_aside",
    "BUG-083": "core/test_core_stale.py::test_a_bounded_number_goes_a_run",
    "BUG-084": "core/test_core_faults.py::test_a_full_disk",
}


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def generated() -> dict[str, list[bytes]]:
    """Inputs that a report describes by a program."""
    read = {"session_id": "big", "hook_event_name": "PostToolUse", "tool_name": "Read"}
    response = {
        "tool_input": {"file_path": "/tmp/x"},
        "tool_response": {"content": "A" * 5_000_000},
    }
    edit = {"session_id": "env", "hook_event_name": "PostToolUse", "tool_name": "Write"}
    secret = {"tool_input": {"file_path": ".env", "content": "TOKEN=" + SECRET}}
    long_id = {"session_id": "a" * 5000, "hook_event_name": "UserPromptSubmit", "prompt": "x"}
    return {
        "BUG-007": [
            b"[" * 100_000 + b"]" * 100_000,
            f'{{"session_id":"deep","tool_input":{nested(2000)}}}'.encode(),
        ],
        "BUG-017": [json.dumps({**read, **response}).encode()],
        "BUG-021": [json.dumps(long_id).encode()],
        "BUG-131": [json.dumps({**edit, **secret}).encode()],
    }


SECRET = "sk-" + "ant-api03-" + "b" * 40


def inputs(row: dict[str, Any]) -> list[bytes]:
    """What is sent for a report, in order."""
    kind, given = row["input_kind"], row["input"]
    if kind == "generator":
        return generated()[row["id"]]
    if kind == "stdin_b64":
        return [base64.b64decode(given)]
    return [text.encode() for text in ([given] if kind == "stdin_text" else given)]


def rows() -> Iterator[Any]:
    for number, row in CASES.items():
        if number not in PROVED_BY:
            for index, data in enumerate(inputs(row)):
                yield pytest.param(data, id=f"{number}-{index}")


def moved(data: bytes, repo: Repository) -> bytes:
    """The same input, from a conversation in this repository where it names one."""
    return data.replace(b'"/tmp/repo"', json.dumps(str(repo.root)).encode())


@pytest.mark.parametrize("entry", sorted(guard.EVENT_NAMES))
@pytest.mark.parametrize("data", list(rows()))
def test_sent(
    hook: Callable[..., Hook], repo: Repository, tmp_path: Path, entry: str, data: bytes
) -> None:
    outside = set(tmp_path.iterdir()) | {tmp_path / "home"}
    done = hook(entry, moved(data, repo))
    assert done.code == 0
    assert done.answer is None or len(done.answer) <= 2
    assert done.stderr.count(b"\n") <= 1
    assert not any(secret in done.stderr for secret in (b"hunter2", SECRET.encode()))
    assert set(tmp_path.iterdir()) <= outside
    assert not list((tmp_path / "home").iterdir())
    for path in (path for path in repo.root.rglob("*") if path.is_file()):
        assert SECRET.encode() not in path.read_bytes()
    assert repo.status() == ""


def test_every_row_is_sent_or_proved() -> None:
    assert {
        number for number in CASES if CASES[number]["input_kind"].startswith("stdin")
    }.isdisjoint(PROVED_BY)
    assert PROVED_BY.keys() <= CASES.keys()


@pytest.mark.parametrize("test", PROVED_BY.values())
def test_the_proof_exists(test: str) -> None:
    path, _, name = test.partition("::")
    module = ast.parse((ROOT / "tests" / path).read_text("utf-8"))
    assert name in {part.name for part in module.body if isinstance(part, ast.FunctionDef)}


def test_the_rule_for_invalid_bytes_is_replacement(
    hook: Callable[..., Hook], repo: Repository
) -> None:
    payload = json.dumps(question(repo, tool_use_id="@")).encode().replace(b"@", b"\xff\xfe")
    hook("post_tool_use", payload).assert_quiet()
    assert [record["tool_use_id"] for record in repo.log("s-s1")] == ["\ufffd\ufffd"]


def test_lone_surrogates_are_written_as_valid_text(
    hook: Callable[..., Hook], repo: Repository
) -> None:
    payload = json.dumps(question(repo, tool_use_id="half \ud83d", session_id="\ude00x")).encode()
    hook("post_tool_use", payload).assert_quiet()
    (record,) = repo.log("s-x")
    assert record["tool_use_id"] == "half \ufffd"


def test_two_writings_of_the_same_arguments() -> None:
    """An encoded text in some versions, an object in others."""
    texts = [CASES[number]["input"] for number in ("BUG-014", "BUG-015")]
    arguments = [Event(parse_object(text)).tool_arguments() for text in texts]
    assert arguments == [{"path": "README.md"}, {"command": "ls"}]


def test_a_type_of_agent_is_no_subagent() -> None:
    assert Event(parse_object(CASES["BUG-032"]["input"])).agent_id == ""


def test_no_id_leads_out_of_the_folder(hook: Callable[..., Hook], repo: Repository) -> None:
    for text in CASES["BUG-020"]["input"]:
        session_id = json.loads(text)["session_id"]
        hook("post_tool_use", question(repo, session_id=session_id)).assert_quiet()
    logs = sorted(path.name for path in repo.session.glob("gate-events-*"))
    assert logs == [
        "gate-events-b-main.jsonl",
        "gate-events-s-..-..-..-..-tmp-pwned.jsonl",
        "gate-events-s-..-..-x.jsonl",
        "gate-events-s-C-x.jsonl",
        "gate-events-s-a-b.jsonl",
        "gate-events-s-etc-passwd.jsonl",
    ]


def test_a_line_break_in_an_id_forges_no_record(
    hook: Callable[..., Hook], repo: Repository
) -> None:
    forged = parse_object(CASES["BUG-033"]["input"])["session_id"]
    hook("post_tool_use", question(repo, session_id=forged, tool_use_id=forged)).assert_quiet()
    (log,) = repo.session.glob("gate-events-*")
    assert len(log.read_text("ascii").splitlines()) == 1


@pytest.mark.parametrize(
    ("setup", "below", "key"),
    [
        pytest.param(["init", "--quiet", "--initial-branch=new"], "", "b-new", id="no commit yet"),
        pytest.param(
            ["init", "--quiet", "--initial-branch=new"], ".git", "b-new", id="inside .git"
        ),
        pytest.param(["init", "--quiet", "--bare"], "", "", id="bare"),
        pytest.param(["--version"], "", "", id="no repository"),
    ],
)
def test_a_key_wherever_a_session_starts(
    hook: Callable[..., Hook], tmp_path: Path, setup: list[str], below: str, key: str
) -> None:
    place = Repository(tmp_path / "place")
    place.root.mkdir()
    place.git(*setup)
    before = set(place.root.rglob("*"))
    done = hook("post_tool_use", question(place, session_id="", cwd=str(place.root / below)))
    assert (done.code, done.stdout) == (0, b"")
    assert bool(done.stderr) == (not key)
    assert len(place.log(key)) == bool(key)
    assert key or set(place.root.rglob("*")) == before


def test_the_mode_is_only_asked_for_at_creation() -> None:
    for path in (ROOT / "lib" / "session_memory" / "core").glob("*.py"):
        called = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute)
        }
        assert not called & {"chmod", "fchmod", "umask"}, path.name
