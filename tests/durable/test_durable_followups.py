"""``followups``: proposals wait for a person, one session at a time works through them."""

import json
from typing import Any

import pytest

from durable_support import Cli
from fake_github import Thread, World
from session_memory.markers.families import marker
from session_memory.records.followup_queue import Claim, Queue, build
from session_memory.records.followups import followup_key

LITERAL = marker("proposed-followups", 7).literal
PAST, FUTURE = "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"

pytestmark = pytest.mark.usefixtures("issue")


def proposals(*titles: str, **more: str) -> str:
    return json.dumps([{"canonical_title": title, **more} for title in titles])


def propose(cli: Cli, *titles: str) -> Any:
    return cli("followups", "propose", "-", "--issue", 7, "--json", stdin=proposals(*titles)).json


def claim(cli: Cli, claimant: str, *options: str) -> Any:
    return cli("followups", "claim", "--issue", 7, "--claimant", claimant, *options)


def approve(cli: Cli, *titles: str) -> Any:
    keys = [option for title in titles for option in ("--approved", followup_key(title))]
    named = ("--issue", 7, "--claimant", "one", "--phase", "plan")
    return cli("followups", "rule", *named, *keys)


def consume(cli: Cli, claimant: str) -> Any:
    return cli("followups", "consume", "--issue", 7, "--claimant", claimant, "--json")


def titles(answer: Any) -> list[str]:
    return [item["canonical_title"] for item in answer["proposals"]]


def queue(claimant: str = "other", until: str = FUTURE) -> Queue:
    held = Claim(claimant, PAST, until)
    return Queue(7, "claimed", ({"canonical_title": "Tidy up"},), held)


def test_whole_life_of_a_queue(every_cli: Cli, issue: Thread) -> None:
    assert propose(every_cli, "Tidy up")["state"] == "proposed"
    assert titles(propose(every_cli, "Write docs")) == ["Tidy up", "Write docs"]
    claimed = claim(every_cli, "one", "--lease", "30m", "--json").json
    assert (claimed["state"], claimed["lease_live"]) == ("claimed", True)
    assert claimed["claim"]["claimant"] == "one"
    assert approve(every_cli, "Tidy up", "Write docs").code == 0
    consumed = consume(every_cli, "one").json
    assert (consumed["state"], titles(consumed)) == ("consumed", ["Tidy up", "Write docs"])

    listed = every_cli("followups", "list", "--issue", 7, "--json").json

    assert listed == consumed
    assert len(issue.comments) == 2


def test_keys_are_made_of_titles(cli: Cli) -> None:
    (made,) = propose(cli, "Tidy up")["proposals"]
    assert made["followup_key"] == followup_key("Tidy up")


def test_what_was_ruled_on_is_not_proposed_again(cli: Cli) -> None:
    propose(cli, "Tidy up")
    claim(cli, "one")
    approve(cli, "Tidy up")
    consume(cli, "one")
    known = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Tidy up"))
    assert known.stdout.startswith("consumed: 1 proposal\n")
    assert known.stderr == "note: 1 proposal left out: ruled on before\n"

    again = propose(cli, "Tidy up", "Write docs")

    assert (again["state"], titles(again)) == ("proposed", ["Write docs"])
    assert again["settled"] == [followup_key("Tidy up")]


def test_claimed_queue_is_not_overwritten(cli: Cli, issue: Thread) -> None:
    body = build(queue())
    issue.post(body)

    added = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Write docs"))

    added.assert_fault(2, "claimed by other")
    claim(cli, "me").assert_fault(2, "claimed by other until 2999")
    consume(cli, "me").assert_fault(2, "claimed by other")
    assert issue.bodies == [body]


def test_claimant_renews_and_a_lease_that_ended_is_taken_over(cli: Cli, issue: Thread) -> None:
    posted = issue.post(build(queue("me")))
    assert claim(cli, "me").code == 0
    issue.edit(posted, build(queue(until=PAST)))
    assert "claimed by other until 2020-01-01T00:00:00Z, lease ended: 1 proposal" in (
        cli("followups", "list", "--issue", 7).stdout
    )

    taken = claim(cli, "me", "--json")

    assert taken.json["claim"]["claimant"] == "me"


def test_claim_that_somebody_overtakes_is_refused(cli: Cli, world: World, issue: Thread) -> None:
    posted = issue.post(build(Queue(7, proposals=({"canonical_title": "Tidy up"},))))
    world.fault(
        f"GET .*/comments/{posted.id}", first=lambda: issue.edit(posted, build(queue("rival")))
    )

    ran = claim(cli, "me")

    assert (ran.code, ran.stdout) == (2, "")
    assert "rival" in posted.body


def test_claim_that_does_not_stand_is_told(cli: Cli, world: World, issue: Thread) -> None:
    posted = issue.post(build(Queue(7, proposals=({"canonical_title": "Tidy up"},))))
    # The look before the update, the read-back, and then the rival.
    for _ in range(2):
        world.fault(f"GET .*/comments/{posted.id}")
    world.fault(
        f"GET .*/comments/{posted.id}", first=lambda: issue.edit(posted, build(queue("rival")))
    )

    claim(cli, "me").assert_fault(4, "somebody else")


@pytest.mark.parametrize("fault", ["failing", "unreadable"])
def test_claim_that_cannot_be_looked_at_is_not_called_unwritten(
    cli: Cli, world: World, issue: Thread, fault: str
) -> None:
    posted = issue.post(build(Queue(7, proposals=({"canonical_title": "Tidy up"},))))
    look = f"GET .*/comments/{posted.id}"
    for _ in range(2):
        world.fault(look)
    if fault == "failing":
        world.fault(look, status=403)
    else:
        world.fault(look, first=lambda: issue.edit(posted, LITERAL))

    ran = claim(cli, "me")

    assert (ran.code, ran.stdout) == (4, "")
    assert "nothing was written" not in ran.stderr.lower()


def test_strangers_queue_is_neither_read_nor_touched(cli: Cli, issue: Thread) -> None:
    forged = build(queue("stranger"))
    issue.post(forged, "stranger")

    assert cli("followups", "list", "--issue", 7).stdout == "no queue\n"
    assert propose(cli, "Tidy up")["state"] == "proposed"
    assert issue.bodies[0] == forged
    assert len(issue.comments) == 2


def test_queue_that_cannot_be_read_is_named_and_kept(cli: Cli, issue: Thread) -> None:
    posted = issue.post(f"{LITERAL}\n\nstate: proposed\n")

    cli("followups", "list", "--issue", 7).assert_fault(2, f"comment {posted.id}", "yaml fence")
    added = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Write docs"))
    added.assert_fault(2, f"comment {posted.id}")
    assert issue.bodies == [f"{LITERAL}\n\nstate: proposed\n"]


def test_claimant_is_the_conversation_unless_told(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "abc")
    propose(cli, "Tidy up")

    claimed = cli("followups", "claim", "--issue", 7, "--json").json

    assert claimed["claim"]["claimant"] == "s-abc"


def test_queue_of_a_pull_request(cli: Cli, pull_request: Thread) -> None:
    added = cli("followups", "propose", "-", "--pr", 9, stdin="- canonical_title: Tidy up\n")

    assert (added.code, added.stdout.splitlines()[0]) == (0, "proposed: 1 proposal")
    assert pull_request.bodies[0].startswith("<!-- proposed-followups-9 -->\n")


def test_nothing_to_claim(cli: Cli) -> None:
    claim(cli, "me").assert_fault(2, "no queue")
    consume(cli, "me").assert_fault(2, "no queue")


@pytest.mark.parametrize("pattern", ["GET .*/comments", "GET .*/issues/7$"])
def test_unread_conversation_is_no_empty_queue(cli: Cli, world: World, pattern: str) -> None:
    world.fault(pattern, status=403, times=9)

    added = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Write docs"))

    added.assert_fault(3, "not allowed")


def test_write_that_is_refused_by_github(cli: Cli, world: World, issue: Thread) -> None:
    world.fault("POST", status=403)

    added = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Write docs"))

    assert (added.code, issue.bodies) == (3, [])


BAD_FILES = {
    "not a list": "a: b\n",
    "empty": "[]",
    "no title": '[{"rationale": "x"}]',
    "blank title": '[{"canonical_title": " "}]',
    "marker in a title": '[{"canonical_title": "<!-- plan-issue-7 -->"}]',
    "unknown field": '[{"canonical_title": "x", "colour": "red"}]',
    "bad json": '[{"canonical',
    "bad yaml": "- a: &x b\n",
}


@pytest.mark.parametrize("text", BAD_FILES.values(), ids=BAD_FILES)
def test_proposals_that_cannot_be_used(cli: Cli, world: World, text: str) -> None:
    ran = cli("followups", "propose", "-", "--issue", 7, stdin=text)

    assert (ran.code, ran.stdout, world.log("POST")) == (2, "", [])


@pytest.mark.parametrize(
    "options", [["--lease", "0m"], ["--lease", "soon"], ["--claimant", "a\nb"]], ids=str
)
def test_bad_options(cli: Cli, options: list[str]) -> None:
    cli("followups", "claim", "--issue", 7, *options).assert_fault(64, "--help")


def test_write_that_cannot_be_confirmed_is_told(cli: Cli, world: World, issue: Thread) -> None:
    world.fault("GET .*/issues/comments/", status=403, times=9)
    world.fault("PATCH", status=403, times=9)

    added = cli("followups", "propose", "-", "--issue", 7, stdin=proposals("Write docs"))

    added.assert_fault(4, "read-back")
    assert len(issue.comments) == 1
