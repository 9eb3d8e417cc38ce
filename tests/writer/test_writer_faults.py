"""A write lands once or is told not to have landed, whatever GitHub and others do meanwhile."""

import dataclasses
import json
from typing import Any

import pytest

from fake_github import Fault, Thread, World
from session_memory.markers import families
from session_memory.markers.outcome import NotDelivered, PostStepFailed, Refused, Unverified
from session_memory.markers.writer import Writer
from writer_support import EVERY_GH, EXPERIENCE, PLAN, experience, issue, plan, queue_body

SECRET = "text that no message may repeat"
LIST = r"GET .*/issues/7/comments\?"
GET_ONE = r"GET .*/issues/comments/\d+$"

LOST_ANSWERS = [
    pytest.param({"status": 502}, id="502"),
    pytest.param({"cut": True}, id="connection cut"),
]


@EVERY_GH
@pytest.mark.parametrize("fault", LOST_ANSWERS)
@pytest.mark.parametrize("applied", [True, False], ids=["landed", "lost"])
@pytest.mark.parametrize("old", [(), (f"{PLAN}\n\nOld.",)], ids=["POST", "PATCH"])
def test_an_answer_that_is_lost(
    old: "tuple[str, ...]", applied: bool, fault: "dict[str, Any]", writer: Writer, thread: Thread
) -> None:
    for body in old:
        thread.post(body)
    thread.world.fault("^(POST|PATCH) ", applied=applied, **fault)
    outcome = writer.write(plan())
    assert thread.bodies == [plan().body]
    assert outcome.comment_id in thread.comments


def test_an_update_that_fails_for_good_has_written_nothing(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nOld.")
    world.fault("^PATCH ", status=502, times=99)
    with pytest.raises(NotDelivered, match="could not be reached"):
        writer.write(plan())
    assert thread.bodies == [f"{PLAN}\n\nOld."]


def test_an_update_after_which_nothing_can_be_read(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nOld.")
    world.fault("^PATCH ", status=502, applied=True, times=99)
    # The look before the update works.
    world.fault(GET_ONE)
    world.fault(GET_ONE, status=500, times=99)
    with pytest.raises(Unverified, match="reading comment"):
        writer.write(plan())


@pytest.mark.parametrize("match", [LIST, r"comments\?.*page=2", r"GET .*/issues/7$", "/user$"])
def test_what_cannot_be_read_is_not_absent(
    match: str, writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nOld.")
    for number in range(100):
        thread.post(f"Comment {number}")
    world.fault(match, status=500, times=99)
    with pytest.raises(NotDelivered):
        writer.write(plan())
    assert not world.log("POST")
    assert not world.log("PATCH")


def test_the_record_is_found_on_the_last_page(writer: Writer, thread: Thread) -> None:
    for number in range(150):
        thread.post(f"Comment {number}")
    old = thread.post(f"{PLAN}\n\nOld.")
    assert writer.write(plan()).comment_id == old.id


def test_a_listing_that_is_a_moment_old_makes_no_second_record(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nOld.")
    world.fault(LIST, stale=1)
    assert writer.write(plan()).action == "updated"
    assert thread.bodies == [plan().body]


def test_a_listing_that_stays_old_is_healed_by_the_writer_itself(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    world.fault(LIST, stale=1, times=2)
    outcome = writer.write(plan())
    assert (outcome.comment_id, old.body) == (old.id, plan().body)
    assert sum(PLAN in body for body in thread.bodies) == 1


def test_somebody_elses_edit_between_listing_and_update(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    theirs = f"{PLAN}\n\nTheirs.\n\n**Plan Stress-Test**\n\nPassed."
    world.fault(f"GET .*/{old.id}$", first=lambda: thread.edit(old, theirs))
    outcome = writer.write(plan())
    assert outcome.preserved == ("Plan Stress-Test",)
    assert thread.bodies == [f"{PLAN}\n\nThe plan.\n\n**Plan Stress-Test**\n\nPassed.\n"]


def test_somebody_elses_claim_between_listing_and_update(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(queue_body("proposed", "Later"))
    claimed = queue_body("claimed", "Later")
    world.fault(f"GET .*/{old.id}$", first=lambda: thread.edit(old, claimed))
    with pytest.raises(Refused, match="claimed"):
        writer.write(issue("proposed-followups", queue_body("proposed", "Later", "Another")))
    assert old.body == claimed


def test_somebody_who_never_stops_writing(writer: Writer, thread: Thread, world: World) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    edits = iter(range(99))
    world.fault(
        f"GET .*/{old.id}$",
        first=lambda: thread.edit(old, f"{PLAN}\n\n{next(edits)}"),
        times=99,
    )
    with pytest.raises(NotDelivered, match="somebody else wrote it 5 times"):
        writer.write(plan())


def test_a_record_that_is_deleted_before_the_update(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    world.fault(f"GET .*/{old.id}$", first=lambda: thread.comments.pop(old.id))
    with pytest.raises(NotDelivered, match="disappeared before it could be updated"):
        writer.write(plan())
    assert thread.bodies == []


def test_a_record_that_is_deleted_during_the_update(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    world.fault("^PATCH ", first=lambda: thread.comments.pop(old.id))
    with pytest.raises(NotDelivered, match="not found"):
        writer.write(plan())


def test_an_update_that_github_answers_and_does_not_make(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\n{SECRET}")
    answer = {"id": old.id, "body": "anything"}
    world.fault("^PATCH ", status=200, content=json.dumps(answer).encode())
    with pytest.raises(Unverified, match="GitHub holds another text") as caught:
        writer.write(plan(SECRET * 2))
    assert caught.value.comment_id == old.id
    assert SECRET not in str(caught.value)


def test_a_text_that_comes_back_in_part_is_told_by_its_size(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    cut = Fault(GET_ONE, content=json.dumps({"id": old.id, "body": PLAN}).encode(), times=9)
    world.fault("^PATCH ", first=lambda: world.faults.append(cut))
    with pytest.raises(Unverified, match=r"21 of \d+ characters"):
        writer.write(plan("word " * 50))


def spoil_readings(world: World, thread: Thread, times: int) -> None:
    """The next readings of a single comment give another text than it has."""

    def text(fault: Fault) -> None:
        identity = max(thread.comments)
        fault.content = json.dumps({"id": identity, "body": EXPERIENCE + "\n\nspoilt"}).encode()

    fault = world.fault(GET_ONE, times=times)
    fault.first = lambda: text(fault)


def test_a_reading_that_is_wrong_once_is_no_reason_to_write_again(
    writer: Writer, thread: Thread, world: World
) -> None:
    spoil_readings(world, thread, 1)
    assert not writer.write(experience()).repaired
    assert not world.log("PATCH")


def test_a_post_that_reads_wrong_is_repaired_once(
    writer: Writer, thread: Thread, world: World
) -> None:
    spoil_readings(world, thread, 2)
    outcome = writer.write(experience())
    assert outcome.repaired
    assert "repair" in outcome.confirmation
    assert (len(world.log("PATCH")), len(world.log("POST"))) == (1, 1)


def test_a_record_that_an_edit_would_void_is_not_repaired(
    writer: Writer, thread: Thread, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = families.FAMILIES["experience-owner-complete"]
    sensitive = dataclasses.replace(family, edit_sensitive=True)
    monkeypatch.setitem(families.FAMILIES, family.name, sensitive)
    spoil_readings(world, thread, 9)
    with pytest.raises(Unverified, match="an edit would void the record"):
        writer.write(experience())
    assert not world.log("PATCH")


def test_a_rate_limit_that_lasts(writer: Writer, thread: Thread, world: World) -> None:
    world.fault("^POST ", status=403, headers={"Retry-After": "3600"}, times=9)
    with pytest.raises(NotDelivered, match=r"rate limit.*3600 s"):
        writer.write(plan())
    assert thread.bodies == []


def test_a_rate_limit_that_passes(writer: Writer, thread: Thread, world: World) -> None:
    thread.post(f"{PLAN}\n\nOld.")
    world.fault("^PATCH ", status=429, headers={"Retry-After": "2"})
    assert writer.write(plan()).action == "updated"


def test_a_post_of_which_nothing_can_be_found_out(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.fault("^POST ", cut=True, applied=True)
    world.fault(LIST)
    world.fault(LIST, status=500, times=99)
    with pytest.raises(Unverified, match="could not be confirmed"):
        writer.write(experience())


def test_a_copy_that_cannot_be_retired(writer: Writer, thread: Thread, world: World) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    world.fault(f"^PATCH .*/{copy.id}$", status=403)
    with pytest.raises(PostStepFailed, match="a second copy could not be retired") as caught:
        writer.write(plan())
    assert caught.value.outcome.action == "updated"
    assert writer.write(plan()).retired == (copy.id,)


def test_a_copy_that_is_gone_is_nothing_to_retire(
    writer: Writer, thread: Thread, world: World
) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    world.fault(f"GET .*/{copy.id}$", first=lambda: thread.comments.pop(copy.id))
    outcome = writer.write(plan())
    assert [problem.code for problem in outcome.warnings] == ["copy-gone"]


def test_nothing_of_a_text_is_in_any_failure(writer: Writer, thread: Thread, world: World) -> None:
    thread.post(f"{PLAN}\n\n{SECRET}")
    for method, status in (("PATCH", 422), ("GET", 500)):
        world.fault(f"^{method} ", status=status, times=99)
        with pytest.raises(NotDelivered) as caught:
            writer.write(plan(SECRET + "!"))
        assert SECRET not in str(caught.value)
