"""After the pull request exists, durable evidence decides how far a review is."""

import pytest

from fake_github import Thread, World
from memory_support import Cli, outcomes
from session_memory.markers.comment import Comment
from session_memory.memory import review_evidence
from session_memory.memory.review_evidence import Evidence
from session_memory.memory.sources import FOUND, Source

SENTINEL = "<!-- review-judge-produced-9 -->"
RULINGS = """## Review Score Summary

| finding | points |
|---|---|
| F1 | P+5 |

<!-- judge-rulings
- id: F1
  judge_ruling: sustained
-->
"""


def metrics(*lines: str) -> str:
    return "\n".join(["Text.", "", "<!-- pipeline-metrics", *lines, "-->", ""])


V4 = ("metrics_version: 4", "credits:")
CREDIT = ("  - port: review", "    adapter: standard")
DONE = {"prosecution": True, "defense": True, "judgment": True}
HALF = {"prosecution": True, "defense": False, "judgment": False}
COUNTS = ("prosecution_findings: 0", "defense_disproved: n/a", "judge_accepted: n/a")


@pytest.mark.parametrize(
    ("body", "stages", "reason"),
    [
        pytest.param("", None, "no metrics", id="none"),
        pytest.param(metrics(*V4, *CREDIT, "    status: passed"), DONE, "", id="passed"),
        pytest.param(metrics(*V4, *CREDIT, "    status: failed"), DONE, "", id="failed"),
        pytest.param(metrics(*V4, *CREDIT, "    status: skipped"), None, "nothing", id="skipped"),
        pytest.param(metrics(*V4, "  - port: plan", "    status: passed"), None, "nothing",
                     id="another-port"),
        pytest.param(metrics(*COUNTS), HALF, "", id="counts"),
        pytest.param(metrics(*V4, *COUNTS), HALF, "", id="counts-with-version"),
        pytest.param(metrics("broken"), None, "cannot be read", id="broken"),
        pytest.param(metrics(*COUNTS) + metrics(*COUNTS), None, "cannot be read", id="two"),
    ],
)  # fmt: skip
def test_what_metrics_say(body: str, stages: "dict[str, bool] | None", reason: str) -> None:
    found, why = review_evidence.of_metrics(body)
    assert found == stages
    assert reason in why


def test_equal_evidence_is_spared_and_other_evidence_stale() -> None:
    def told(name: str, done: dict[str, bool]) -> Evidence:
        return Evidence(Source(name, FOUND), done)

    given = [told("one", DONE), told("two", DONE), told("three", HALF)]
    found = review_evidence.settle(7, 9, given)
    assert found.complete
    assert [source.outcome for source in found.sources] == ["found", "not-asked", "stale"]


@pytest.mark.parametrize("body", [SENTINEL, RULINGS], ids=["sentinel", "rulings"])
def test_a_judges_comment_completes_a_review(cli: Cli, pull_request: Thread, body: str) -> None:
    pull_request.post(body, "colleague")
    found = cli("read", "review-state", "--issue", 7, "--pr", 9, "--json").json
    assert (found["row"], found["answered_by"]) == ("SMC-06", "review-comment")
    assert (found["review_completion"], found["missing"]) == ("complete", [])


@pytest.mark.parametrize(
    "body",
    [f"> {SENTINEL}", "<!-- code-review-complete-9 -->", "<!-- review-judge-produced-99 -->"],
    ids=["quoted", "retired", "another-number"],
)
def test_other_comments_are_no_judges(body: str) -> None:
    assert review_evidence.of_comments([Comment(1, body)], 9) is None


def test_a_stranger_is_no_judge(cli: Cli, pull_request: Thread) -> None:
    pull_request.post(SENTINEL, "stranger")
    pull_request.post(RULINGS, "stranger")
    found = cli("read", "review-state", "--pr", 9, "--json").json
    assert (found["answered_by"], found["review_completion"]) == (None, "incomplete")
    assert outcomes(found)["review-comment"] == "absent"


def test_metrics_go_before_session_memory(cli: Cli, pull_request: Thread) -> None:
    cli("write", "review-state", "--stage", "all")
    pull_request.body = metrics(*COUNTS)
    ran = cli("read", "review-state", "--pr", 9)
    assert "incomplete; missing: defense, judgment" in ran.stdout
    assert "asked only if" in ran.stdout
    assert "session: stale: pr-body-metrics goes first, and says otherwise" in ran.stderr


def test_a_strangers_description_is_no_evidence(cli: Cli, world: World) -> None:
    opened = world.repository().open(number=9, pull_request=True, author="stranger")
    opened.body = metrics(*V4, *CREDIT, "    status: passed")
    found = cli("read", "review-state", "--pr", 9, "--json").json
    assert outcomes(found)["pr-body-metrics"] == "absent"
    assert found["review_completion"] == "incomplete"


def test_session_memory_is_the_last_to_be_asked(cli: Cli, pull_request: Thread) -> None:
    cli("write", "review-state", "--stage", "all", "--mode", "lite")
    found = cli("read", "review-state", "--pr", 9, "--json").json
    assert (found["answered_by"], found["review_mode"]) == ("session", "lite")
    assert found["gaps"] == []


def test_unread_evidence_is_said(cli: Cli, pull_request: Thread, world: World) -> None:
    cli("write", "review-state", "--stage", "all")
    world.fault("GET .*/9", status=403, times=9)
    found = cli("read", "review-state", "--pr", 9, "--json").json
    assert found["answered_by"] == "session"
    assert "session memory alone answered" in found["gaps"][0]


def test_nothing_read_is_not_nothing_done(cli: Cli, pull_request: Thread, world: World) -> None:
    world.fault("GET .*/9", status=403, times=9)
    ran = cli("read", "review-state", "--pr", 9)
    assert ran.code == 3
    assert "not all could be asked" in ran.stderr


def test_without_an_issue_session_memory_is_not_looked_at(
    cli: Cli, pull_request: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess

    subprocess.run(["git", "checkout", "--quiet", "main"], check=True)
    found = cli("read", "review-state", "--pr", 9, "--json").json
    assert list(outcomes(found)) == ["review-comment", "pr-body-metrics"]
    assert "no issue is named" in found["gaps"][0]
