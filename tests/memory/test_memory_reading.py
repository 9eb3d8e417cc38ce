"""Each row is read by its own chain; what could not be asked is never taken for nothing."""

import pytest

from fake_github import Thread, World
from memory_support import Cli, outcomes
from session_memory.memory.caches import Caches, Unwritable
from support import Repository

PLAN = "<!-- plan-issue-7 -->"
DESIGN = "<!-- design-issue-7 -->"


def write(here: Repository, name: str, text: str) -> None:
    here.write(f"memories/session/{name}", text)


# ---- without GitHub -----------------------------------------------------------------------------


def test_a_cache_answers_without_a_repository_on_github(local: Cli, here: Repository) -> None:
    write(here, "plan-issue-7.md", "# Plan\n\x1b[2Jstep\n")
    ran = local("read", "plan", "--issue", 7)
    assert (ran.code, ran.stdout) == (0, "# Plan\n\\x1b[2Jstep\n")
    assert "session answered; unchecked" in ran.stderr
    assert "issue-comment: failed: looking for the repository" in ran.stderr


def test_offline_is_said(local: Cli, here: Repository) -> None:
    write(here, "plan-issue-7.md", "# Plan\n")
    found = local("read", "plan", "--issue", 7, "--offline", "--json").json
    assert (found["answered_by"], found["freshness"]) == ("session", "unchecked")
    assert outcomes(found) == {
        "session-bundle": "absent",
        "session": "found",
        "issue-comment": "not-asked",
    }


@pytest.mark.parametrize("command", [["plan"], ["design"]])
def test_what_could_not_be_asked_is_not_absent(local: Cli, command: list[str]) -> None:
    ran = local("read", *command, "--issue", 7, "--offline")
    assert (ran.code, ran.stdout) == (3, "")
    assert "not all could be asked" in ran.stderr


def test_a_bundle_goes_before_a_single_plan(local: Cli, here: Repository) -> None:
    write(here, "plan-issue-7.md", "alone\n")
    write(here, "plan-bundle-6-7.md", "together\n")
    ran = local("read", "plan", "--issue", 7, "--offline")
    assert ran.stdout == "together\n"
    assert "session: not-asked: a bundle plan goes before a single one" in ran.stderr


def test_many_files_of_others_hide_no_bundle(local: Cli, here: Repository) -> None:
    write(here, "plan-bundle-6-7.md", "together\n")
    for number in range(2001):
        (here.session / f"a{number}").touch()
    assert local("read", "plan", "--issue", 7, "--offline").stdout == "together\n"


def test_what_was_changed_meanwhile_is_not_replaced(caches: Caches, here: Repository) -> None:
    write(here, "plan-issue-7.md", "one\n")
    before = caches.read("plan-issue-7.md")
    write(here, "plan-issue-7.md", "two\n")
    with pytest.raises(Unwritable, match="changed meanwhile"):
        caches.write("plan-issue-7.md", "three\n", before)
    assert caches.read("plan-issue-7.md").text == "two\n"
    caches.write("plan-issue-7.md", "three\n", caches.read("plan-issue-7.md"))
    caches.write("plan-issue-8.md", "new\n", caches.read("plan-issue-8.md"))
    assert caches.read("plan-issue-7.md").text == "three\n"


def test_a_bundle_that_cannot_be_read_leaves_the_single_plan(local: Cli, here: Repository) -> None:
    write(here, "plan-issue-7.md", "alone\n")
    (here.session / "plan-bundle-6-7.md").write_bytes(b"\xff")
    ran = local("read", "plan", "--issue", 7, "--offline")
    assert ran.stdout == "alone\n"
    assert "session-bundle: failed: it is not UTF-8 at byte 0" in ran.stderr


def test_of_several_bundles_the_last_written_answers(local: Cli, here: Repository) -> None:
    import os

    write(here, "plan-bundle-7-8.md", "old\n")
    write(here, "plan-bundle-6-7.md", "new\n")
    os.utime(here.session / "plan-bundle-7-8.md", (1, 1))
    ran = local("read", "plan", "--issue", 7, "--offline")
    assert ran.stdout == "new\n"
    assert "also part of 7-8" in ran.stderr


@pytest.mark.parametrize(
    ("content", "outcome"),
    [(b"", "absent"), (b" \n", "absent"), (b"\xff", "failed"), (b"x" * 300_000, "failed")],
)
def test_a_file_that_is_no_text_does_not_answer(
    caches: Caches, here: Repository, content: bytes, outcome: str
) -> None:
    here.session.mkdir(parents=True)
    (here.session / "plan-issue-7.md").write_bytes(content)
    assert caches.read("plan-issue-7.md").outcome == outcome


def test_a_planted_folder_link_is_not_entered(caches: Caches, here: Repository, local: Cli) -> None:
    outside = here.root.parent / "outside"
    outside.mkdir()
    (outside / "plan-issue-7.md").write_text("secret", "utf-8")
    (here.root / "memories").mkdir()
    (here.root / "memories" / "session").symlink_to(outside)
    source = caches.read("plan-issue-7.md")
    assert (source.outcome, source.text) == ("failed", "")
    assert local("read", "plan", "--issue", 7, "--offline").code == 3
    assert local("list").code == 3
    written = local("write", "plan", "--issue", 7, "--body-file", "-", stdin="mine")
    assert written.code == 3
    assert sorted(path.name for path in outside.iterdir()) == ["plan-issue-7.md"]


def test_review_state_of_the_branch(local: Cli) -> None:
    assert local("write", "review-state", "--stage", "defense").code == 0
    ran = local("read", "review-state", "--json")
    assert (ran.code, ran.json["missing"]) == (0, ["prosecution", "judgment"])
    assert (ran.json["row"], ran.json["answered_by"]) == ("SMC-05", "session")


def test_without_a_state_every_stage_is_missing(local: Cli) -> None:
    ran = local("read", "review-state")
    assert ran.code == 0
    assert "missing: prosecution, defense, judgment" in ran.stdout
    assert "no source answered" in ran.stderr


def test_a_branch_without_an_issue_has_no_review_state(local: Cli, here: Repository) -> None:
    here.git("checkout", "--quiet", "main")
    assert local("read", "review-state").code == 2
    ran = local("write", "review-state", "--stage", "all", "--json")
    assert (ran.code, ran.json["written"]) == (0, None)
    assert "names no issue" in ran.stderr
    assert not here.session.exists()


def test_a_state_beside_its_branch_is_written_and_said(local: Cli) -> None:
    ran = local("write", "review-state", "--issue", 8, "--stage", "all", "--json")
    assert ran.json["state"]["issue_id"] == 8
    assert any("the branch is not feature/issue-8-" in gap for gap in ran.json["gaps"])


# ---- with GitHub --------------------------------------------------------------------------------


def test_the_newest_comment_of_somebody_who_counts_answers(cli: Cli, issue: Thread) -> None:
    issue.post(f"{PLAN}\n\nolder\n", "colleague")
    newest = issue.post(f"{PLAN}\n\nnewer\n")
    issue.post(f"{PLAN}\n\nplanted\n", "stranger")
    issue.post(f"Look at\n{PLAN}\n", "colleague")
    found = cli("read", "plan", "--issue", 7, "--json").json
    assert (found["answered_by"], found["freshness"]) == ("issue-comment", "only-durable")
    assert found["parts"][0]["text"] == newest.body
    notes = " ".join(note for source in found["sources"] for note in source["notes"])
    assert "2 comments carry this marker" in notes
    assert "may not write here" in notes


def test_nothing_anywhere_is_a_refusal(cli: Cli) -> None:
    ran = cli("read", "plan", "--issue", 7)
    assert (ran.code, ran.stdout) == (2, "")
    assert "issue-comment: absent" in ran.stderr


@pytest.mark.parametrize("status", [403, 404])
def test_a_failure_is_never_nothing(cli: Cli, world: World, status: int) -> None:
    world.fault("GET .*/issues/7/comments", status=status, times=9)
    ran = cli("read", "plan", "--issue", 7, "--json")
    assert ran.code == 3
    assert outcomes(ran.json)["issue-comment"] == "failed"


def test_a_cache_that_nothing_proves_newer_is_stale(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    issue.post(f"{PLAN}\n\ndurable\n")
    write(here, "plan-issue-7.md", "cached\n")
    found = cli("read", "plan", "--issue", 7, "--json").json
    assert (found["answered_by"], found["freshness"]) == ("issue-comment", "unproven")
    assert outcomes(found)["session"] == "stale"
    assert found["next_durable_write"] is None


def test_a_newer_file_time_proves_nothing(cli: Cli, issue: Thread, here: Repository) -> None:
    import os

    issue.post(f"{PLAN}\n\ndurable\n")
    write(here, "plan-issue-7.md", "cached\n")
    os.utime(here.session / "plan-issue-7.md", (4e9, 4e9))
    assert cli("read", "plan", "--issue", 7, "--json").json["freshness"] == "unproven"


def test_a_cache_that_changed_after_both_were_in_step_is_newer(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    issue.post(f"{PLAN}\r\n\r\n- [ ] one\r\n")
    write(here, "plan-issue-7.md", "- [ ] one\n")
    assert cli("read", "plan", "--issue", 7, "--json").json["freshness"] == "same"
    write(here, "plan-issue-7.md", "- [x] one\n")
    found = cli("read", "plan", "--issue", 7, "--json").json
    assert (found["answered_by"], found["freshness"]) == ("session", "cache-newer")
    assert found["next_durable_write"] == "session"
    assert outcomes(found)["issue-comment"] == "stale"


def test_a_cache_that_was_begun_after_the_record_was_read_is_newer(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    issue.post(f"{PLAN}\n\n- [ ] one\n")
    cli("read", "plan", "--issue", 7)
    cli("write", "plan", "--issue", 7, "--body-file", "-", stdin="- [x] one\n")
    assert cli("read", "plan", "--issue", 7, "--json").json["freshness"] == "cache-newer"


def test_a_record_that_changed_makes_the_cache_stale_and_refresh_replaces_it(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    comment = issue.post(f"{PLAN}\n\none\n")
    write(here, "plan-issue-7.md", "one\n")
    cli("read", "plan", "--issue", 7)
    issue.edit(comment, f"{PLAN}\n\ntwo\n")
    found = cli("read", "plan", "--issue", 7, "--json").json
    assert (found["answered_by"], found["freshness"]) == ("issue-comment", "durable-newer")
    assert (here.session / "plan-issue-7.md").read_text("utf-8") == "one\n"

    ran = cli("read", "plan", "--issue", 7, "--refresh")

    assert "was made anew from issue-comment" in ran.stderr
    assert (here.session / "plan-issue-7.md").read_text("utf-8") == "two\n"
    assert cli("read", "plan", "--issue", 7, "--json").json["freshness"] == "same"


def test_refresh_replaces_nothing_that_is_not_provably_older(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    comment = issue.post(f"{PLAN}\n\none\n")
    write(here, "plan-issue-7.md", "one\n")
    cli("read", "plan", "--issue", 7)
    issue.edit(comment, f"{PLAN}\n\ntwo\n")
    write(here, "plan-issue-7.md", "three\n")
    ran = cli("read", "plan", "--issue", 7, "--refresh")
    assert ran.code == 2
    assert (here.session / "plan-issue-7.md").read_text("utf-8") == "three\n"
    assert cli("read", "plan", "--issue", 7, "--json").json["freshness"] == "diverged"


def test_refresh_leaves_the_file_of_a_bundle(cli: Cli, issue: Thread, here: Repository) -> None:
    comment = issue.post(f"{PLAN}\n\nboth\n")
    write(here, "plan-bundle-7-8.md", "both\n")
    cli("read", "plan", "--issue", 7)
    issue.edit(comment, f"{PLAN}\n\nfor seven\n")
    assert cli("read", "plan", "--issue", 7, "--refresh").code == 2
    assert (here.session / "plan-bundle-7-8.md").read_text("utf-8") == "both\n"


def test_a_design_is_read_from_comment_then_text(cli: Cli, issue: Thread, here: Repository) -> None:
    found = cli("read", "design", "--issue", 7, "--json").json
    assert (found["answered_by"], found["parts"][0]["text"]) == ("issue-body", "What it is about.")
    issue.post(f"{DESIGN}\n\nThe design.\n")
    found = cli("read", "design", "--issue", 7, "--json").json
    assert found["answered_by"] == "issue-comment"
    assert outcomes(found)["issue-body"] == "not-asked"
    assert "parent agent" in found["gaps"][0]


def test_a_design_cache_answers_only_where_it_is_newer_or_alone(
    cli: Cli, issue: Thread, world: World, here: Repository
) -> None:
    write(here, "design-issue-7.md", "Another text.\n")
    found = cli("read", "design", "--issue", 7, "--json").json
    assert (found["answered_by"], outcomes(found)["session"]) == ("issue-body", "stale")
    issue.body = ""
    found = cli("read", "design", "--issue", 7, "--json").json
    assert (found["answered_by"], found["freshness"]) == ("session", "only-cache")


def test_a_bundle_without_a_file_is_read_from_its_issues(cli: Cli, issue: Thread) -> None:
    issue.world.repository().open(number=8)
    issue.post(f"{PLAN}\n\nfor seven\n")
    found = cli("read", "plan-bundle", "7-8", "--json").json
    assert [part["title"] for part in found["parts"]] == ["issue 7"]
    assert found["gaps"] == ["no durable plan was read for issue 8"]
    assert "----- issue 7 -----\n" in cli("read", "plan-bundle", "7-8").stdout


def test_a_bundle_file_answers_unless_a_record_goes_first(
    cli: Cli, issue: Thread, here: Repository
) -> None:
    other = issue.world.repository().open(number=8)
    write(here, "plan-bundle-7-8.md", "both\n")
    found = cli("read", "plan-bundle", "7-8", "--json").json
    assert (found["answered_by"], found["next_durable_write"]) == ("session-bundle", "session")
    other.post("<!-- plan-issue-8 -->\n\nfor eight\n")
    found = cli("read", "plan-bundle", "7-8", "--json").json
    assert (found["answered_by"], found["freshness"]) == ("issue-comment", "unproven")
    assert outcomes(found)["session-bundle"] == "stale"


def test_a_bundle_that_nobody_has(cli: Cli, issue: Thread) -> None:
    issue.world.repository().open(number=8)
    assert cli("read", "plan-bundle", "7-8").code == 2
    assert cli("read", "plan-bundle", "7-8", "--offline").code == 3
