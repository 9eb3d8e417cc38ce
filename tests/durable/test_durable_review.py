"""``credits``, ``sentinel`` and ``dispositions``: what a review and its phases left behind."""

from pathlib import Path
from typing import Any

import pytest

from durable_support import Cli, completion, credit, record
from fake_github import Thread, World
from fake_github.watch import Watch
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository as Name
from session_memory.records.harvest import Retry
from session_memory.records.harvesting import collect
from session_memory.records.sources import Sources

METRICS = "<!-- pipeline-metrics\nmetrics_version: 4\ncredits:\n  - port: {port}\n-->\n"
DISPOSITIONS = """<!-- review-dispositions-9 -->

```yaml
schema_version: 4
passes_run: [1]
{sources}entries:
  - stable_finding_key: {key}
    pass: 1
    disposition: {disposition}
    severity: high
    classification: routine
    disposition_rationale: because
    reviewer_source: {source}
    internal_match:
      match_status: {match}
```
"""


def dispositions(**changes: str) -> str:
    usual = {
        "sources": "external_sources_reconciled: []\n",
        "key": "gh-1",
        "disposition": "incorporate",
        "source": "outsider",
        "match": "novel",
    }
    return DISPOSITIONS.format(**{**usual, **changes})


def results(answer: Any) -> dict[str, str]:
    return {item["port"]: item["result"] for item in answer["outcomes"]}


def phases(issue: Thread, author: str = "octo-dev") -> None:
    issue.post(completion(7, "experience-owner-complete"), author)
    issue.post(credit(7, "experience", "walked through"), author)
    issue.post(completion(7, "design-phase-complete"), author)
    issue.post(credit(7, "plan"), author)
    issue.post(record(7, "orchestration"), author)
    issue.post("<!-- credit-input-orchestration-7 -->\n\nnothing\n", author)


def test_every_port_has_an_outcome(every_cli: Cli, issue: Thread, pull_request: Thread) -> None:
    phases(issue)
    pull_request.body = METRICS.format(port="orchestration")

    ran = every_cli("credits", "harvest", "--issue", 7, "--pr", 9, "--retries", 0, "--json")

    assert (ran.code, ran.stderr) == (0, "")
    assert results(ran.json) == {
        "experience": "credited",
        "design": "no credit input",
        "plan": "phase not complete",
        "orchestration": "already credited",
    }
    assert ran.json["rows"] == [
        {
            "port": "experience",
            "adapter": "work-adapter",
            "status": "passed",
            "evidence": "walked through",
        }
    ]


def test_harvest_for_people(cli: Cli, issue: Thread) -> None:
    phases(issue)
    ran = cli("credits", "harvest", "--issue", 7, "--retries", 0)

    assert "experience     credited: passed, walked through\n" in ran.stdout
    assert "orchestration  credit input cannot be read\n" in ran.stdout


def test_strangers_earn_no_credit(cli: Cli, issue: Thread) -> None:
    phases(issue, "stranger")
    ran = cli("credits", "harvest", "--issue", 7, "--json")

    assert set(results(ran.json).values()) == {"phase not complete"}
    assert ran.json["rows"] == []


def test_unreachable_is_an_outcome_of_its_own(cli: Cli, world: World, issue: Thread) -> None:
    phases(issue)
    world.fault("comments", status=403)
    ran = cli("credits", "harvest", "--issue", 7, "--json")

    assert ran.code == 3
    assert set(results(ran.json).values()) == {"GitHub could not be asked"}
    assert "not allowed" in ran.stderr


def test_unread_pull_request_credits_nothing(cli: Cli, world: World, issue: Thread) -> None:
    phases(issue)
    ran = cli("credits", "harvest", "--issue", 7, "--pr", 9, "--json")

    ran.assert_fault(3, "pull request acme/widgets#9", "not found")


def sources(watch: Watch) -> Sources:
    return Sources(
        GitHub.connect(
            Name("github.com", "acme", "widgets"),
            watch.messages.append,
            Limits(attempts=1),
            watch.clock(),
        )
    )


@pytest.mark.usefixtures("cli")
def test_missing_credit_is_looked_for_again(world: World, issue: Thread) -> None:
    watch = Watch()
    issue.post(completion(7, "design-phase-complete"))
    world.fault("comments")
    world.fault("comments", first=lambda: issue.post(credit(7, "design", "late")))

    collected = collect(sources(watch), 7, retry=Retry(sleep=watch.sleeps.append))

    assert [row["evidence"] for row in collected.harvest.rows] == ["late"]
    assert watch.sleeps == [1.0]


@pytest.mark.usefixtures("cli")
def test_looking_again_ends(world: World, issue: Thread) -> None:
    watch = Watch()
    issue.post(completion(7, "design-phase-complete"))

    collected = collect(sources(watch), 7, retry=Retry(sleep=watch.sleeps.append))

    assert (watch.sleeps, collected.harvest.fetches) == ([1.0, 2.0, 4.0], 4)
    assert collected.harvest.rows == []


@pytest.mark.usefixtures("cli")
def test_failure_while_looking_again_ends_it_and_is_told(world: World, issue: Thread) -> None:
    watch = Watch()
    issue.post(completion(7, "design-phase-complete"))
    world.fault("comments")
    world.fault("comments", status=502)

    collected = collect(sources(watch), 7, retry=Retry(sleep=watch.sleeps.append))

    assert (watch.sleeps, collected.harvest.reachable) == ([1.0], False)
    assert "could not be reached" in str(collected.error)


SENTINEL = "<!-- review-judge-produced-9 -->"


def test_lost_credit_of_a_review(every_cli: Cli, pull_request: Thread) -> None:
    pull_request.body = METRICS.format(port="plan")
    posted = pull_request.post(SENTINEL)

    ran = every_cli("sentinel", "--pr", 9, "--json")

    assert ran.json["present"] is ran.json["trusted"] is True
    assert ran.json["comment"]["id"] == posted.id
    assert ran.json["missing_credit"]["status"] == "not-persisted"
    shown = every_cli("sentinel", "--pr", 9)
    assert shown.stdout.startswith(f"present: comment {posted.id} by octo-dev\ncredit of the")


@pytest.mark.parametrize(
    ("body", "version"),
    [
        ("", None),
        (METRICS.format(port="review"), 4),
        ("<!-- pipeline-metrics\n:\n-->", "parse-error"),
    ],
    ids=["no metrics", "credited", "unreadable"],
)
def test_nothing_is_owed(cli: Cli, pull_request: Thread, body: str, version: object) -> None:
    pull_request.body = body
    pull_request.post(SENTINEL)

    answer = cli("sentinel", "--pr", 9, "--json").json

    assert (answer["missing_credit"], answer["metrics_version"]) == (None, version)


def test_strangers_description_credits_nothing(
    cli: Cli, world: World, issue: Thread, pull_request: Thread
) -> None:
    pull_request.author = "stranger"
    pull_request.body = METRICS.format(port="review")
    pull_request.post(SENTINEL)
    issue.post(completion(7, "experience-owner-complete"))
    issue.post(credit(7, "experience"))

    told = cli("sentinel", "--pr", 9, "--json").json
    pull_request.body = METRICS.format(port="experience")
    rows = cli("credits", "harvest", "--issue", 7, "--pr", 9, "--json").json

    assert (told["metrics_version"], told["missing_credit"]) == (None, None)
    assert [row["port"] for row in rows["rows"]] == ["experience"]
    for answer in (told, rows):
        assert [warning["code"] for warning in answer["warnings"]] == ["untrusted-author"]


def test_strangers_sentinel(cli: Cli, pull_request: Thread) -> None:
    pull_request.body = METRICS.format(port="plan")
    pull_request.post(SENTINEL, "stranger")
    pull_request.post(f"see {SENTINEL}")

    ran = cli("sentinel", "--pr", 9)
    assert (ran.stdout, ran.stderr.count("untrusted-author")) == ("absent\n", 1)
    shown = cli("sentinel", "--pr", 9, "--any-author")
    assert "by stranger, UNTRUSTED" in shown.stdout
    assert "credit of" not in shown.stdout


def test_sentinel_of_an_issue(cli: Cli, issue: Thread) -> None:
    cli("sentinel", "--pr", 7).assert_fault(3, "pull request acme/widgets#7", "not found")


def test_body_files_are_checked(cli: Cli, tmp_path: Path) -> None:
    good, bad, other = (tmp_path / name for name in ("good.md", "bad.md", "other.md"))
    good.write_text(dispositions(), "utf-8")
    bad.write_text(dispositions(disposition="dismiss"), "utf-8")
    other.write_text("<!-- plan-issue-7 -->\n", "utf-8")

    assert cli("dispositions", "check", good).code == 0
    ran = cli("dispositions", "check", good, bad, other, "--json")
    assert ran.code == 2
    assert [[problem["code"] for problem in item["problems"]] for item in ran.json] == [
        [],
        ["entry[0]:ac_cross_check"],
        ["not-dispositions"],
    ]
    assert "[entry[0]:ac_cross_check]" in cli("dispositions", "check", bad).stdout


def test_posted_dispositions_are_checked_and_only_warned_of(cli: Cli, pull_request: Thread) -> None:
    assert cli("dispositions", "check", "--pr", 9).stdout == "none: 0 comments, 0 entries\n"
    pull_request.post(dispositions(disposition="dismiss"))
    pull_request.post(dispositions(key="gh-2"), "stranger")

    ran = cli("dispositions", "check", "--pr", 9, "--json")

    assert (ran.code, ran.json["status"], ran.json["comments"]) == (0, "findings", 1)
    shown = cli("dispositions", "check", "--pr", 9)
    assert (shown.code, "ac_cross_check" in shown.stderr) == (0, True)


@pytest.mark.parametrize("arguments", [[], ["x.md", "--pr", "9"]], ids=["none", "both"])
def test_files_or_a_pull_request_are_checked(cli: Cli, arguments: list[str]) -> None:
    cli("dispositions", "check", *arguments).assert_fault(64, "either FILES or --pr")


def test_merge_takes_the_newest_of_each_finding(every_cli: Cli, pull_request: Thread) -> None:
    pull_request.post(dispositions(match="duplicate"))
    pull_request.post(dispositions())
    pull_request.post(dispositions(key="gh-2", match="duplicate"))
    pull_request.post(dispositions(key="gh-3"), "colleague")

    answer = every_cli("dispositions", "merge", "--pr", 9, "--json").json

    assert (answer["judge"], answer["measured"]) == ("octo-dev", True)
    assert (answer["novel"], answer["duplicate"], answer["external_catch"]) == (1, 1, 2)
    assert [entry["stable_finding_key"] for entry in answer["entries"]] == ["gh-1", "gh-2"]


def test_sentinel_asks_only_about_authors_of_sentinels(
    cli: Cli, pull_request: Thread, world: World
) -> None:
    pull_request.post(SENTINEL)
    pull_request.post(dispositions(), "colleague")

    assert cli("sentinel", "--pr", 9).stdout.startswith("present")
    assert [line for line in world.log() if "colleague" in line] == []


def test_merge_asks_for_nobodys_permission(cli: Cli, pull_request: Thread, world: World) -> None:
    for author in ("octo-dev", "colleague", "member"):
        pull_request.post(dispositions(), author)

    assert cli("dispositions", "merge", "--pr", 9).stderr == ""
    assert [line for line in world.log() if "permission" in line] == []


@pytest.mark.parametrize("judge", ["stranger", "judge[bot]"])
def test_merge_of_a_named_judge(cli: Cli, pull_request: Thread, judge: str) -> None:
    pull_request.post(dispositions(key="gh-4"), judge)
    pull_request.post(dispositions(key="gh-5"), judge.removesuffix("[bot]") + "x")

    ran = cli("dispositions", "merge", "--pr", 9, "--judge", judge)

    assert "gh-4: incorporate, high, outsider\n" in ran.stdout
    assert "findings from outside: 0 duplicate, 1 novel" in ran.stdout
    assert "gh-5" not in ran.stdout


def test_merge_is_not_measured_without_a_pass_over_outsiders(
    cli: Cli, pull_request: Thread
) -> None:
    pull_request.post(dispositions(sources=""))

    assert "not measured" in cli("dispositions", "merge", "--pr", 9).stdout


def test_app_names_its_judge(cli: Cli, world: World, pull_request: Thread) -> None:
    world.account("app[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "app[bot]")

    cli("dispositions", "merge", "--pr", 9).assert_fault(64, "--judge")
