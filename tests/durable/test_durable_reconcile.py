"""``reconcile``: its four outcomes, the log it reads, and what never changes an outcome."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from durable_support import Cli, completion, decision, lines, record, token
from fake_github import Thread, World
from support import Hook, Repository, question

ASKED = token("cache-key")
CODES = {"clean": 0, "findings": 10, "nothing-to-check": 11, "incomplete": 12}


@pytest.fixture
def log(clone: Repository) -> Callable[..., Path]:
    """Writes the log of a conversation in this clone."""

    def write(*records: dict[str, Any], name: str = "s-1", tail: str = "") -> Path:
        path = f"memories/session/gate-events-{name}.jsonl"
        return clone.write(path, lines(*records) + tail)

    return write


def ids(listed: list[dict[str, Any]]) -> list[str]:
    return [item["decision_id"] for item in listed]


Outcome = tuple[list[dict[str, Any]], list[str], str]

OUTCOMES: dict[str, Outcome] = {
    "recorded": ([ASKED], [record(7, "design", decision())], "clean"),
    "not recorded": ([ASKED], [record(7, "design", decision("other-one"))], "findings"),
    "nothing recorded at all": ([ASKED], [], "findings"),
    "no token": ([], [record(7, "design", decision())], "nothing-to-check"),
    "other issue": ([token("cache-key", issue_number=8)], [], "nothing-to-check"),
    "lawful skip": ([token("cache-key", outcome="declined")], [], "clean"),
    "unreadable dispositions": (
        [token("d", outcome="declined")],
        [completion(7, "design-phase-complete", "```yaml\na: [\n```")],
        "incomplete",
    ),
}


@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES)
def test_outcomes(cli: Cli, log: Callable[..., Path], issue: Thread, outcome: Outcome) -> None:
    tokens, bodies, status = outcome
    log(*tokens)
    for body in bodies:
        issue.post(body)

    warned = cli("reconcile", "--issue", 7, "--json")
    strict = cli("reconcile", "--issue", 7, "--strict", "--json")

    assert (warned.code, warned.json["status"]) == (0, status)
    assert (strict.code, strict.json) == (CODES[status], warned.json)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_unread_conversation_leaves_no_findings(
    every_cli: Cli, log: Callable[..., Path], world: World, issue: Thread, status: int
) -> None:
    log(ASKED)
    issue.post(record(7, "design", decision()))
    world.fault("comments", status=status)

    ran = every_cli("reconcile", "--issue", 7, "--strict", "--json")

    assert (ran.code, ran.json["status"], ran.json["findings"]) == (12, "incomplete", [])
    assert ran.json["problems"][0]["code"] == f"source-{'absent' if status == 404 else 'failed'}"
    assert ran.json["token_count"] == 1


def test_finding_has_a_stable_shape(cli: Cli, log: Callable[..., Path], issue: Thread) -> None:
    log(ASKED, token("cache-key", 5))

    answer = cli("reconcile", "--issue", 7, "--json").json

    assert answer["findings"] == [
        {
            "decision_id": "cache-key",
            "phase": "design",
            "window_position": "pre-ask",
            "asked_at": "2026-06-02T00:05:00Z",
            "session_key": "s-1",
            "times": 2,
            "severity": "warn",
        }
    ]
    assert answer["target"] == "issue 7"
    assert (answer["token_count"], answer["recorded_count"], answer["lawful_skips"]) == (2, 0, 0)


def test_strangers_record_settles_nothing(
    cli: Cli, log: Callable[..., Path], issue: Thread
) -> None:
    log(ASKED)
    issue.post(record(7, "design", decision()), "stranger")
    issue.post(record(7, "design", decision(), version=99), "stranger")

    ran = cli("reconcile", "--issue", 7)

    assert ran.code == 0
    assert ran.stdout == (
        "findings: issue 7: decisions were asked for and are not recorded\n"
        "  not recorded: cache-key (design, pre-ask, 2026-06-02T00:00:00Z)\n"
        "  not confirmed by an event: cache-key (design, pre-ask, 2026-06-02T00:00:00Z)\n"
        "1 token, 0 recorded decisions, 0 lawful skips\n"
    )
    assert ran.stderr.count("[untrusted-author]") == 2


def test_real_event_confirms_a_question(
    cli: Cli, hook: Callable[..., Hook], clone: Repository, issue: Thread
) -> None:
    fields = "--phase design --outcome asked --classification load-bearing --issue 7 --session s1"
    for name in ("cache-key", "unseen-one"):
        emitted = cli(
            "gate", "emit", "--decision-id", name, "--window-position", "pre-ask", *fields.split()
        )
        assert emitted.code == 0
    hook("post_tool_use", question(clone)).assert_quiet()
    issue.post(record(7, "design", decision(), decision("unseen-one")))

    answer = cli("reconcile", "--issue", 7, "--json").json

    assert (answer["status"], answer["findings"]) == ("clean", [])
    assert ids(answer["uncorroborated"]) == ["cache-key"]
    assert answer["uncorroborated"][0]["severity"] == "info"


def test_design_findings_and_review_dispositions_are_records(
    cli: Cli, log: Callable[..., Path], issue: Thread, pull_request: Thread
) -> None:
    review: dict[str, Any] = {"issue_number": None, "pull_request_number": 9, "phase": "review"}
    log(
        token("f1", window_position="disposition"),
        token("gh-77", window_position="review-disposition", **review),
        token("gh-78", window_position="review-disposition", **review),
    )
    block = "```yaml\nfinding_dispositions:\n  entries:\n    - finding_id: F1\n```"
    issue.post(completion(7, "design-phase-complete", block))
    disposed = "```yaml\nschema_version: 1\nentries:\n  - stable_finding_key: gh-77\n```\n"
    pull_request.post(f"<!-- review-dispositions-9 -->\n{disposed}")

    assert cli("reconcile", "--issue", 7, "--json").json["status"] == "clean"
    assert ids(cli("reconcile", "--pr", 9, "--json").json["findings"]) == ["gh-78"]


def test_phase_filter(cli: Cli, log: Callable[..., Path], issue: Thread) -> None:
    log(ASKED, token("planned", phase="plan"))

    ran = cli("reconcile", "--issue", 7, "--phase", "plan", "--json")

    assert ids(ran.json["findings"]) == ["planned"]


@pytest.mark.parametrize("source", ["file", "-"])
def test_log_of_ones_choice(cli: Cli, issue: Thread, tmp_path: Path, source: str) -> None:
    text = lines(ASKED) + "torn {\n" + "x" * (1 << 20) + "y\n" + json.dumps(token("last-one"))
    path = tmp_path / "log.jsonl"
    path.write_text(text, "utf-8")

    where = path if source == "file" else "-"
    answer = cli("reconcile", "--issue", 7, "--log", where, "--json", stdin=text).json

    assert ids(answer["findings"]) == ["cache-key", "last-one"]
    assert answer["bad_lines"] == 2


def test_logs_of_all_conversations_and_bad_lines(
    cli: Cli, log: Callable[..., Path], issue: Thread
) -> None:
    log(ASKED, tail="{\n")
    log(token("other-one", 1, session_key="b-main"), name="b-main")

    answer = cli("reconcile", "--issue", 7, "--json").json

    assert ids(answer["findings"]) == ["cache-key", "other-one"]
    assert (answer["bad_lines"], answer["problems"][0]["code"]) == (1, "bad-lines")


def test_log_that_cannot_be_opened_leaves_the_outcome_open(
    cli: Cli, clone: Repository, issue: Thread, tmp_path: Path
) -> None:
    clone.write("memories/session/README", "")
    (clone.session / "gate-events-s-1.jsonl").symlink_to(tmp_path / "elsewhere")

    answer = cli("reconcile", "--issue", 7, "--json").json

    assert (answer["status"], answer["problems"][0]["code"]) == ("incomplete", "log-unreadable")


def test_absent_log_file_is_refused(cli: Cli) -> None:
    cli("reconcile", "--issue", 7, "--log", "absent").assert_fault(2, "absent: No such file")


def test_outside_any_repository(
    cli: Cli, issue: Thread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    cli("reconcile", "--issue", 7, "--repo", "acme/widgets").assert_fault(2, "no log")
    cli("reconcile", "--issue", 7).assert_fault(2, "--repo")


@pytest.mark.parametrize("arguments", [[], ["--issue", "7", "--pr", "9"]], ids=["none", "both"])
def test_one_conversation_is_reconciled(cli: Cli, arguments: list[str]) -> None:
    cli("reconcile", *arguments).assert_fault(64, "--issue or --pr")
