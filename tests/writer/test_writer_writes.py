"""What one write does to a conversation, and whose comments it never touches."""

import re

import pytest

from fake_github import Thread, World
from session_memory.markers.candidate import Candidate
from session_memory.markers.outcome import NotDelivered, Refused, Unverified
from session_memory.markers.trust import WriteAccess
from session_memory.markers.writer import Writer
from writer_support import (
    DESIGN,
    EVERY_GH,
    EXPERIENCE,
    PLAN,
    credit_body,
    experience,
    issue,
    on_pull,
    plan,
    queue_body,
    record_body,
)

WRITES = {"POST", "PATCH", "DELETE"}


def written(world: World) -> list[str]:
    return [seen.method for seen in world.requests if seen.method in WRITES]


@EVERY_GH
def test_the_first_write_creates_and_the_second_updates(writer: Writer, thread: Thread) -> None:
    first = writer.write(plan("One."))
    second = writer.write(plan("Two."))
    assert (first.action, second.action) == ("created", "updated")
    assert first.comment_id == second.comment_id > 2**31
    assert thread.bodies == [f"{PLAN}\n\nTwo.\n"]
    assert first.url.endswith(f"#issuecomment-{first.comment_id}")


@EVERY_GH
@pytest.mark.parametrize(
    "candidate",
    [
        pytest.param(plan(), id="upsert"),
        pytest.param(experience(), id="post-new"),
        pytest.param(issue("engagement-record", record_body(), part="design"), id="record"),
        pytest.param(issue("credit-input", credit_body(), part="design"), id="credit"),
        pytest.param(issue("proposed-followups", queue_body()), id="queue"),
        pytest.param(plan("\\u001b, C:\\u0041 and ✓ 🎉"), id="what gh rewrites"),
    ],
)
def test_what_is_there_is_not_written_twice(
    candidate: Candidate, writer: Writer, thread: Thread, world: World
) -> None:
    first = writer.write(candidate)
    again = writer.write(candidate)
    assert again.action == "no-op"
    assert again.comment_id == first.comment_id
    assert written(world) == ["POST"]


def test_line_ends_are_written_as_lf(writer: Writer, thread: Thread) -> None:
    writer.write(issue("plan-issue", f"{PLAN}\r\n\r\nOne.\r\n"))
    assert thread.bodies == [f"{PLAN}\n\nOne.\n"]


def test_a_body_that_the_web_saved_again_is_equal(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\r\n\r\nThe plan.  \r\n")
    assert writer.write(plan()).action == "no-op"
    assert written(world) == []


def test_a_superseded_text_is_posted_again(writer: Writer, thread: Thread) -> None:
    for text in ("One.", "Two.", "One."):
        writer.write(experience(text))
    assert [body.split()[-1] for body in thread.bodies] == ["One.", "Two.", "One."]


@pytest.mark.parametrize(
    ("family", "body", "part"),
    [
        ("review-judge-produced", "<!-- review-judge-produced-9 -->", ""),
        ("engagement-record", record_body("review", 9), "review"),
        ("proposed-followups", queue_body(number=9), ""),
    ],
)
def test_records_of_a_review_go_to_the_pull_request(
    family: str, body: str, part: str, writer: Writer, pull: Thread
) -> None:
    writer.write(on_pull(family, body, part))
    assert pull.bodies == [body]


def test_a_strangers_comment_is_never_taken_over(
    writer: Writer, thread: Thread, world: World
) -> None:
    stranger = thread.post(f"{PLAN}\n\nMine.", "mallory")
    outcome = writer.write(plan())
    assert outcome.action == "created"
    assert stranger.body == f"{PLAN}\n\nMine."
    assert [problem.code for problem in outcome.warnings] == ["untrusted-author"]
    assert "mallory" in outcome.warnings[0].message


def test_a_strangers_equal_comment_is_no_reason_to_write_nothing(
    writer: Writer, thread: Thread
) -> None:
    thread.post(f"{EXPERIENCE}\n\nDone.\n", "mallory")
    assert writer.write(experience()).action == "posted"


def test_a_colleagues_comment_is_updated(writer: Writer, thread: Thread) -> None:
    theirs = thread.post(f"{PLAN}\n\nTheirs.", "colleague")
    assert writer.write(plan()).comment_id == theirs.id


def test_a_quotation_is_no_target(writer: Writer, thread: Thread) -> None:
    quoting = thread.post(f"See:\n```\n{PLAN}\n```")
    assert writer.write(plan()).action == "created"
    assert "See:" in quoting.body


def test_a_second_copy_is_retired_and_the_oldest_updated(writer: Writer, thread: Thread) -> None:
    copies = [thread.post(f"{PLAN}\n\n{text}") for text in "ABC"]
    outcome = writer.write(plan())
    assert (outcome.comment_id, outcome.action) == (copies[0].id, "updated")
    assert outcome.retired == (copies[1].id, copies[2].id)
    assert [PLAN in body for body in thread.bodies] == [True, False, False]
    assert str(copies[0].id) in thread.bodies[1]


def test_a_copy_is_retired_even_when_the_record_is_equal(writer: Writer, thread: Thread) -> None:
    thread.post(plan().body)
    copy = thread.post(f"{PLAN}\n\nold")
    outcome = writer.write(plan())
    assert (outcome.action, outcome.retired) == ("no-op", (copy.id,))


def test_a_copy_that_changed_meanwhile_is_left_alone(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    world.fault(f"GET .*/comments/{copy.id}$", first=lambda: thread.edit(copy, f"{PLAN}\n\nnew"))
    outcome = writer.write(plan())
    assert (outcome.retired, copy.body) == ((), f"{PLAN}\n\nnew")
    assert [problem.code for problem in outcome.warnings] == ["copy-changed"]


def test_a_copy_of_a_queue_that_holds_more_is_left_alone(writer: Writer, thread: Thread) -> None:
    thread.post(queue_body("proposed", "Later"))
    copy = thread.post(queue_body("proposed", "Another"))
    outcome = writer.write(issue("proposed-followups", queue_body("proposed", "Later")))
    assert outcome.retired == ()
    assert copy.body == queue_body("proposed", "Another")
    assert [problem.code for problem in outcome.warnings] == ["lost-proposals"]


def test_proposals_are_not_overwritten(writer: Writer, thread: Thread) -> None:
    thread.post(queue_body("proposed", "Later"))
    with pytest.raises(Refused, match="proposals that the queue holds"):
        writer.write(issue("proposed-followups", queue_body("proposed", "Another")))


REFUSED = [
    pytest.param(issue("plan-issue", "No marker."), "missing entirely", id="no marker"),
    pytest.param(issue("plan-issue", "<!-- plan-issue-8 -->\n"), "missing", id="another issue's"),
    pytest.param(issue("plan-issue", f"\n{PLAN}\n"), "line 1", id="second line"),
    pytest.param(issue("plan-issue", f"{PLAN}\n\n{DESIGN}\n"), "another record", id="foreign"),
    pytest.param(issue("plan-issue", f"{PLAN}\n" + "x" * 65_536), "65536", id="too long"),
    pytest.param(issue("plan-issue", f"{PLAN}\n\x1b"), "control character", id="escape"),
    pytest.param(issue("plan-issue", f"{PLAN}\n\u0085"), r"U\+0085", id="unreadable"),
    pytest.param(issue("credit-input", credit_body("plan"), part="design"), "marker", id="port"),
    pytest.param(on_pull("plan-issue", "<!-- plan-issue-9 -->"), "belongs on the issue", id="PR"),
    pytest.param(
        issue("engagement-record", record_body("review"), part="review"),
        "belongs on the pull request",
        id="review on an issue",
    ),
    pytest.param(
        issue("frame-slices", "<!-- frame-slices-7 -->"), "written by other tools", id="other tool"
    ),
]


@pytest.mark.parametrize(("candidate", "reason"), REFUSED)
def test_what_is_refused_before_anything_is_asked(
    candidate: Candidate, reason: str, writer: Writer, thread: Thread, world: World
) -> None:
    with pytest.raises(Refused, match=reason) as caught:
        writer.write(candidate)
    assert str(caught.value).startswith(f"persist-marker: REFUSED ({candidate.marker.family.name},")
    assert len(str(caught.value)) < 600
    assert world.log() == []


@pytest.mark.parametrize(
    ("family", "number", "part"),
    [("plan-isue", 7, ""), ("plan-issue", 0, ""), ("credit-input", 7, "review"),
     ("pipeline-metrics", 0, ""), ("judge-rulings", 7, "")],
)  # fmt: skip
def test_no_candidate_for_an_unlawful_key(family: str, number: int, part: str) -> None:
    with pytest.raises(Refused, match=re.escape(family)):
        issue(family, "text", number, part)


def test_the_surface_is_checked_against_what_is_there(
    writer: Writer, pull: Thread, world: World
) -> None:
    with pytest.raises(Refused, match="9 is a pull request, not an issue"):
        writer.write(plan(number=9))
    assert written(world) == []


def test_a_number_that_nothing_has(writer: Writer, world: World) -> None:
    world.repository()
    with pytest.raises(Refused, match="not found"):
        writer.write(plan())


def test_an_account_whose_comments_would_not_count_writes_nothing(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.account("octo-dev", "read")
    with pytest.raises(NotDelivered, match="name the trusted authors in the settings"):
        writer.write(plan())
    assert thread.bodies == []


def test_a_reader_whom_only_others_could_ask_about(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.tokens = dict.fromkeys(world.tokens, "colleague")
    world.fault("permission", status=404)
    with pytest.raises(Refused, match="comments of colleague do not count here"):
        writer.write(plan())
    assert thread.bodies == []


def test_a_bot_that_nobody_named_writes_nothing(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.account("ci[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "ci[bot]")
    with pytest.raises(Refused, match="comments of a bot do not count"):
        writer.write(plan())


def test_a_bot_that_is_named_keeps_one_comment(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.account("ci[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "ci[bot]")
    writer.trusts = WriteAccess(writer.github.permission, frozenset({"ci[bot]"}))
    writer.write(plan("One."))
    writer.write(plan("Two."))
    assert thread.bodies == [plan("Two.").body]


def test_a_bot_that_is_not_the_named_one_learns_that_nobody_reads_it(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.account("ci[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "ci[bot]")
    writer.trusts = WriteAccess(writer.github.permission, frozenset({"other[bot]"}))
    with pytest.raises(Unverified, match=r"do not count comments of ci\[bot\]"):
        writer.write(plan())
