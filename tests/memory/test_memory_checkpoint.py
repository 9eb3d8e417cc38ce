"""A pause makes durable what is missing or provably changed, and nothing else."""

from typing import Any

import pytest

from fake_github import Thread, World
from memory_support import Cli
from session_memory.memory.handoff import CONTINUE, PAUSE, is_continue, is_pause, is_settled
from support import Repository

PLAN = "<!-- plan-issue-7 -->"
DESIGN = "<!-- design-issue-7 -->"


def write(here: Repository, name: str, text: str) -> None:
    here.write(f"memories/session/{name}", text)


def pause(cli: Cli, *more: object) -> Any:
    """What a pause does about each artifact, by family and issue."""
    ran = cli("checkpoint", "--answer", PAUSE, "--json", *(more or ("--issue", 7)))
    assert ran.code == 0, ran.stderr
    return {(row["family"], row["issue"]): row["action"] for row in ran.json["artifacts"]}


def test_missing_records_are_written_from_the_caches(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    write(here, "plan-issue-7.md", "\ufeffThe  \r\nplan.\r\n")
    write(here, "design-issue-7.md", f"{DESIGN}\n\nThe design.\n")
    assert pause(cli) == {("plan-issue", 7): "write", ("design-issue", 7): "write"}
    assert issue.bodies == [f"{PLAN}\n\nThe  \nplan.\n", f"{DESIGN}\n\nThe design.\n"]
    assert set(pause(cli, "--issue", 7, "--dry-run").values()) == {"keep"}


def test_a_changed_plan_replaces_its_own_record(cli: Cli, issue: Thread, here: Repository) -> None:
    issue.post(f"{PLAN}\n\n- [ ] one\n")
    write(here, "plan-issue-7.md", "- [ ] one\n")
    cli("read", "plan", "--issue", 7)
    write(here, "plan-issue-7.md", "- [x] one\n")
    ran = cli("checkpoint", "--issue", 7, "--answer", "Pause")
    assert "plan-issue: updated comment" in ran.stdout
    assert "the cache is provably newer" in ran.stdout
    assert issue.bodies == [f"{PLAN}\n\n- [x] one\n"]


def test_only_transport_has_changed(cli: Cli, issue: Thread, here: Repository) -> None:
    issue.post(f"{PLAN}\r\n\r\nThe plan.  \r\n")
    write(here, "plan-issue-7.md", "The plan.\n")
    assert pause(cli) == {("plan-issue", 7): "keep", ("design-issue", 7): "nothing"}


@pytest.mark.slow
def test_a_record_that_somebody_changed_stays(cli: Cli, issue: Thread, here: Repository) -> None:
    write(here, "plan-issue-7.md", "one\n")
    pause(cli)
    (comment,) = issue.comments.values()
    issue.edit(comment, f"{PLAN}\n\ntwo\n")
    assert pause(cli)["plan-issue", 7] == "keep"
    assert issue.bodies == [f"{PLAN}\n\ntwo\n"]


@pytest.mark.parametrize("was_in_step", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_conflict_is_refused_until_somebody_decides(
    cli: Cli, issue: Thread, here: Repository, was_in_step: bool
) -> None:
    comment = issue.post(f"{PLAN}\n\none\n")
    if was_in_step:
        write(here, "plan-issue-7.md", "one\n")
        cli("read", "plan", "--issue", 7)
    issue.edit(comment, f"{PLAN}\n\ntwo\n")
    write(here, "plan-issue-7.md", "three\n")

    ran = cli("checkpoint", "--issue", 7, "--answer", "pause")
    ran.assert_fault(2, "plan-issue of issue 7", "Nothing was written", "--take-cache")
    assert issue.bodies == [f"{PLAN}\n\ntwo\n"]

    assert pause(cli, "--issue", 7, "--take-cache")["plan-issue", 7] == "write"
    assert issue.bodies[0] == f"{PLAN}\n\nthree\n"


@pytest.mark.slow
def test_a_plan_that_the_writer_adds_to_is_in_step(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    comment = issue.post(f"{PLAN}\n\none\n")
    write(here, "plan-issue-7.md", "one\n")
    cli("read", "plan", "--issue", 7)
    issue.edit(comment, f"{PLAN}\n\none\n\n**Plan Stress-Test**\n\nKept.\n")
    write(here, "plan-issue-7.md", "two\n")
    pause(cli, "--issue", 7, "--take-cache")
    assert issue.bodies == [f"{PLAN}\n\ntwo\n\n**Plan Stress-Test**\n\nKept.\n"]
    assert pause(cli)["plan-issue", 7] == "keep"
    write(here, "plan-issue-7.md", "three\n")
    assert pause(cli)["plan-issue", 7] == "write"


@pytest.mark.slow
def test_a_bundle_is_written_to_each_of_its_issues(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    other = issue.world.repository().open(number=8)
    write(here, "plan-bundle-7-8.md", "Both.\n")
    write(here, "plan-issue-7.md", "alone\n")
    told = pause(cli, "--bundle", "7-8")
    assert (told["plan-issue", 7], told["plan-issue", 8]) == ("write", "write")
    assert issue.bodies == [f"{PLAN}\n\nBoth.\n"]
    assert other.bodies == ["<!-- plan-issue-8 -->\n\nBoth.\n"]


@pytest.mark.slow
def test_a_bundle_goes_before_a_single_plan(cli: Cli, issue: Thread, here: Repository) -> None:
    write(here, "plan-bundle-6-7.md", "Both.\n")
    write(here, "plan-issue-7.md", "alone\n")
    pause(cli)
    assert issue.bodies == [f"{PLAN}\n\nBoth.\n"]


def test_a_bundle_that_cannot_be_read_ends_the_pause(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    write(here, "plan-issue-7.md", "alone\n")
    (here.session / "plan-bundle-6-7.md").write_bytes(b"\xff")
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause", "--take-cache")
    ran.assert_fault(3, "not UTF-8", "Nothing was written")
    assert issue.bodies == []


def test_to_continue_writes_and_asks_nothing(
    cli: Cli, world: World, issue: Thread, here: Repository
) -> None:
    write(here, "plan-issue-7.md", "one\n")
    ran = cli("checkpoint", "--issue", 7, "--answer", "Continue implementation")
    assert ran.stdout == "continue: nothing is written durably\n"
    assert world.log() == []


def test_a_dry_run_shows_and_writes_nothing(cli: Cli, issue: Thread, here: Repository) -> None:
    write(here, "plan-issue-7.md", "one\n")
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause", "--dry-run")
    assert "would write from the cache: there is no durable record yet" in ran.stdout
    assert issue.bodies == []


@pytest.mark.parametrize(
    ("content", "ends"),
    [
        (b"\xff", (3, "not UTF-8")),
        (b"<!-- design-issue-7 -->\n", (2, "another record")),
        (b"```\nopen\n", (2, "fence")),
    ],
)
def test_a_cache_that_cannot_be_posted_ends_the_pause(
    cli: Cli, issue: Thread, here: Repository, content: bytes, ends: tuple[int, str]
) -> None:
    here.session.mkdir(parents=True)
    (here.session / "plan-issue-7.md").write_bytes(content)
    write(here, "design-issue-7.md", "The design.\n")
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause")
    assert issue.bodies == []
    ran.assert_fault(*ends)


def test_a_record_that_cannot_be_read_ends_the_pause(
    cli: Cli, world: World, issue: Thread, here: Repository
) -> None:
    write(here, "plan-issue-7.md", "one\n")
    world.fault("GET .*/comments", status=403, times=9)
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause")
    ran.assert_fault(3, "not allowed", "Nothing was written")


@pytest.mark.slow
def test_a_pause_that_is_cut_short_says_so_and_converges(
    cli: Cli, world: World, issue: Thread, here: Repository
) -> None:
    write(here, "plan-issue-7.md", "one\n")
    write(here, "design-issue-7.md", "The design.\n")
    posts = iter([False, True])
    fault = world.fault("POST .*/comments", status=403)
    fault.applies = lambda line: "POST" in line and next(posts, False)  # type: ignore[method-assign]
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause")
    assert ran.code == 5
    assert "entry-1=landed" in ran.stderr
    assert pause(cli) == {("plan-issue", 7): "keep", ("design-issue", 7): "write"}


def test_offline_nothing_can_be_paused(cli: Cli) -> None:
    ran = cli("checkpoint", "--issue", 7, "--answer", "pause", "--offline")
    ran.assert_fault(2, "offline")
    assert cli("checkpoint", "--issue", 7, "--offline").code == 3


def test_the_question_is_unnecessary_once_all_is_durable(cli: Cli, issue: Thread) -> None:
    ran = cli("checkpoint", "--issue", 7, "--tier", "abbreviated")
    assert ran.stdout == "necessary\n  issue 7 lacks plan-issue\n"
    issue.post(f"{PLAN}\n\nThe plan.\n")
    ran = cli("checkpoint", "--issue", 7, "--tier", "abbreviated", "--json")
    assert ran.json == {"necessary": False, "tier": "abbreviated", "missing": {"7": []}}
    assert cli("checkpoint", "--issue", 7, "--json").json["necessary"] is True


def test_what_this_session_posted_does_not_count(cli: Cli, issue: Thread) -> None:
    issue.post(f"{PLAN}\n\nThe plan.\n")
    given = ("checkpoint", "--issue", 7, "--tier", "abbreviated", "--json", "--began")
    assert cli(*given, "2001-01-01T00:00:00Z").json["necessary"] is True
    assert cli(*given, "2999-01-01T00:00:00Z").json["necessary"] is False
    assert cli(*given, "yesterday").code == 64


def test_the_answers_are_told_apart() -> None:
    assert (is_pause(PAUSE), is_continue(PAUSE)) == (True, False)
    assert (is_pause(CONTINUE), is_continue(CONTINUE)) == (False, True)


def test_every_issue_of_a_bundle_must_be_settled() -> None:
    full = ["experience-owner-complete", "design-phase-complete", "plan-issue", "design-issue"]
    assert is_settled("full", [full, full])
    assert not is_settled("full", [full, full[:-1]])
    assert not is_settled("full", [])


@pytest.mark.parametrize(
    "options",
    [
        ["--answer", "pause"],
        ["--issue", 7, "--bundle", "7-8"],
        ["--issue", 7, "--answer", "perhaps"],
        ["--bundle", "7"],
    ],
)
def test_usage(cli: Cli, options: list[object]) -> None:
    assert cli("checkpoint", *options).code == 64
