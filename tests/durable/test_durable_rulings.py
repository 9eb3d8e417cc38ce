"""``followups rule`` and ``consume``: nothing is closed whose ruling is not on GitHub."""

from typing import Any

import pytest

from durable_support import Cli, decision, record
from fake_github import Thread, World
from session_memory.records.followup_queue import Claim, Queue, build
from session_memory.records.followups import followup_key

TITLES = ("Tidy up", "Write docs")
TIDY, DOCS = map(followup_key, TITLES)
CLAIMED = Queue(
    7,
    "claimed",
    tuple({"canonical_title": title, "followup_key": followup_key(title)} for title in TITLES),
    Claim("me", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"),
)


def rule(cli: Cli, *options: str, number: int = 7) -> Any:
    where = ("--issue" if number == 7 else "--pr", number)
    return cli("followups", "rule", *where, "--claimant", "me", *options)


def consume(cli: Cli) -> Any:
    return cli("followups", "consume", "--issue", 7, "--claimant", "me")


def test_ruling_carries_on_what_is_in_force(every_cli: Cli, issue: Thread) -> None:
    issue.post(record(7, "design", decision("older")))
    issue.post(record(7, "plan", decision("cache-key")))
    issue.post(build(CLAIMED))

    ruled = rule(every_cli, "--approved", TIDY, "--dropped", DOCS)

    assert ruled.code == 0
    assert ruled.stdout.startswith("ruled: proposed: 2, approved: 1, modified: 0, dropped: 1\n")
    assert issue.bodies[-1].startswith("<!-- engagement-record-plan-7 -->\n")
    read = every_cli("records", "read", "--issue", 7, "--json").json
    assert [item["decision_id"] for item in read["decisions"]] == ["older", "cache-key"]
    assert DOCS in [item["decision_id"] for item in read["followups"]]
    assert consume(every_cli).stdout.startswith("consumed: 2 proposals\n")


def test_ruling_on_a_pull_request_is_part_of_the_review(cli: Cli, pull_request: Thread) -> None:
    pull_request.post(build(Queue(9, "claimed", CLAIMED.proposals, CLAIMED.claim)))

    ruled = rule(cli, "--approved", TIDY, "--modified", DOCS, "--json", number=9).json

    assert ruled["ruling"]["gate_ruling_surface"] == "pr-9"
    assert ruled["record"] == "<!-- engagement-record-review-9 -->"
    closed = cli("followups", "consume", "--pr", 9, "--claimant", "me")
    assert (closed.code, closed.stderr) == (0, "")


def test_ruling_again_is_the_same_ruling(cli: Cli, issue: Thread, world: World) -> None:
    issue.post(record(7, "plan", decision()))
    issue.post(build(CLAIMED))
    first = rule(cli, "--approved", TIDY, "--dropped", DOCS, "--json").json
    world.requests.clear()

    again = rule(cli, "--approved", TIDY, "--dropped", DOCS, "--json").json

    assert again["comment_id"] == first["comment_id"]
    assert again["ruling"]["decision_id"] == first["ruling"]["decision_id"]
    assert world.log("POST") == []
    changed = rule(cli, "--approved", TIDY, "--approved", DOCS, "--json").json
    assert changed["ruling"]["decision_id"] != first["ruling"]["decision_id"]


def test_queue_without_a_ruling_is_not_consumed(cli: Cli, issue: Thread) -> None:
    body = build(CLAIMED)
    issue.post(body)
    # A stranger's ruling is none.
    rule_of = decision(
        "followup-00000000000000aa",
        gate_ruling_counts="proposed: 2",
        gate_ruling_surface="issue-7",
        gate_ruling_items=[{"title": title, "outcome": "approved"} for title in TITLES],
    )
    issue.post(record(7, "plan", rule_of), "stranger")

    consume(cli).assert_fault(2, TIDY, "followups rule")
    assert issue.bodies[0] == body


@pytest.mark.parametrize(
    ("options", "end"),
    [
        (["--approved", TIDY], (2, DOCS)),
        (["--approved", TIDY, "--dropped", DOCS, "--dropped", "x"], (2, "no proposal x")),
        (["--approved", TIDY, "--dropped", TIDY], (64, "one outcome")),
        (["--approved", TIDY, "--dropped", DOCS], (2, "--phase")),
        (["--approved", TIDY, "--dropped", DOCS, "--phase", "orchestration"], (2, "complete")),
    ],
    ids=["left out", "unknown", "twice", "no record yet", "would complete a phase"],
)
def test_bad_ruling(
    cli: Cli, issue: Thread, world: World, options: "list[str]", end: "tuple[int, str]"
) -> None:
    issue.post(build(CLAIMED))

    rule(cli, *options).assert_fault(*end)
    assert world.log("POST") == []


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        (Queue(7, proposals=CLAIMED.proposals), "not claimed"),
        (Queue(7, "claimed", CLAIMED.proposals, Claim("you", "a", "b")), "claimed by you"),
        (Queue(7, "consumed", CLAIMED.proposals, CLAIMED.claim), "consumed"),
    ],
    ids=["unclaimed", "somebody else's", "consumed"],
)
def test_only_the_claimant_rules(cli: Cli, issue: Thread, queue: Queue, words: str) -> None:
    issue.post(build(queue))

    rule(cli, "--approved", TIDY, "--dropped", DOCS).assert_fault(2, words)


@pytest.mark.parametrize("version", ["99", "2\nx: &y z"], ids=["unknown version", "bad yaml"])
def test_decisions_that_cannot_be_read_are_not_written_over(
    cli: Cli, issue: Thread, world: World, version: str
) -> None:
    issue.post(build(CLAIMED))
    issue.post(record(7, "plan", decision()).replace("version: 2", f"version: {version}"))

    ruled = rule(cli, "--approved", TIDY, "--dropped", DOCS, "--phase", "plan")

    assert (ruled.code, ruled.stdout, world.log("POST")) == (2, "", [])


def test_copy_that_cannot_be_retired_is_told(cli: Cli, issue: Thread, world: World) -> None:
    issue.post(build(Queue(7, proposals=CLAIMED.proposals)))
    copy = issue.post(build(Queue(7, proposals=CLAIMED.proposals)))
    world.fault(f"PATCH .*/comments/{copy.id}", status=403, times=9)

    claimed = cli("followups", "claim", "--issue", 7, "--claimant", "me")

    claimed.assert_fault(4, "second copy")
    assert "claimed" in issue.bodies[0]
