"""A burst is checked as a whole, written in order, halted by a failure, and finished by a rerun."""

import pytest

from fake_github import Thread, World
from session_memory.markers import burst, burst_order
from session_memory.markers.candidate import Candidate
from session_memory.markers.outcome import NotDelivered, PostStepFailed, Refused, Unverified
from session_memory.markers.writer import Writer
from writer_support import (
    DESIGN,
    EVERY_GH,
    PLAN,
    credit_body,
    experience,
    issue,
    on_pull,
    plan,
    record_body,
)


def design() -> Candidate:
    return issue("design-phase-complete", f"{DESIGN}\n\nDesigned.\n")


def record(phase: str = "design") -> Candidate:
    return issue("engagement-record", record_body(phase), part=phase)


def credit(port: str = "design") -> Candidate:
    return issue("credit-input", credit_body(port), part=port)


def sentinel() -> Candidate:
    return on_pull("review-judge-produced", "<!-- review-judge-produced-9 -->")


DESIGN_BURST = [design(), record(), credit()]


@EVERY_GH
def test_a_phase_is_written_in_order(writer: Writer, thread: Thread) -> None:
    said: list[str] = []
    report = burst.write(writer, DESIGN_BURST, said.append)
    assert report.success
    assert report.artifacts == "entry-1=landed, entry-2=landed, entry-3=landed"
    assert thread.bodies == [candidate.body for candidate in DESIGN_BURST]
    assert said[1] == "entry 2 of 3: engagement-record"


def test_a_burst_over_an_issue_and_its_pull_request(
    writer: Writer, thread: Thread, pull: Thread
) -> None:
    report = burst.write(writer, [plan(), sentinel()])
    assert (report.success, len(thread.bodies), len(pull.bodies)) == (True, 1, 1)


def test_a_failure_halts_and_a_rerun_finishes(writer: Writer, thread: Thread, world: World) -> None:
    world.fault("^POST ")
    world.fault("^POST ", status=422)
    report = burst.write(writer, DESIGN_BURST)
    assert report.states == [burst.LANDED, burst.FAILED, burst.NOT_ATTEMPTED]
    assert report.halted
    assert report.reason.startswith(
        "persist-marker: burst halted at entry 2 of 3, family 'engagement-record': "
    )
    # A credit must not be there without its record.
    assert len(thread.bodies) == 1
    again = burst.write(writer, DESIGN_BURST)
    assert [outcome.action for outcome in again.outcomes] == ["no-op", "posted", "posted"]
    assert thread.bodies == [candidate.body for candidate in DESIGN_BURST]


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(issue("plan-issue", "no marker"), id="body"),
        pytest.param(plan(number=9), id="surface"),
        pytest.param(plan(number=404), id="number"),
    ],
)
def test_one_bad_entry_keeps_all_from_being_written(
    bad: Candidate, writer: Writer, thread: Thread, pull: Thread, world: World
) -> None:
    report = burst.write(writer, [experience(), bad])
    assert isinstance(report.failure, Refused)
    assert report.reason.startswith(
        "persist-marker: REFUSED (burst preflight, entry 2 of 2, family 'plan-issue'): "
    )
    assert report.states == [burst.NOT_ATTEMPTED] * 2
    assert not report.halted
    assert not world.log("POST")


def test_an_account_that_may_not_keeps_all_from_being_written(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.account("octo-dev", "read")
    report = burst.write(writer, DESIGN_BURST)
    assert isinstance(report.failure, NotDelivered)
    assert (report.halted, thread.bodies) == (False, [])


def test_what_may_pass_is_asked_again(writer: Writer, thread: Thread, world: World) -> None:
    world.fault(r"GET .*/comments\?", status=500, times=3)
    assert burst.write(writer, DESIGN_BURST).success


def test_a_text_that_landed_whose_copy_stayed(writer: Writer, thread: Thread, world: World) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    world.fault(f"^PATCH .*/{copy.id}$", status=403)
    report = burst.write(writer, [plan(), record("plan")])
    assert report.states == [burst.POST_STEP_FAILED, burst.NOT_ATTEMPTED]
    assert isinstance(report.failure, PostStepFailed)
    assert report.halted


def test_a_text_that_may_be_there_has_halted_it(
    writer: Writer, thread: Thread, world: World
) -> None:
    world.fault("^POST ", cut=True, applied=True)
    world.fault(r"GET .*/comments\?", times=2)
    world.fault(r"GET .*/comments\?", status=500, times=99)
    report = burst.write(writer, [experience()])
    assert isinstance(report.failure, Unverified)
    assert report.halted


@pytest.mark.parametrize(
    ("candidates", "at"),
    [
        pytest.param(DESIGN_BURST, None, id="a phase"),
        pytest.param([record(), design()], 1, id="record before completion"),
        pytest.param([design(), credit(), record()], 2, id="credit before record"),
        pytest.param([*DESIGN_BURST, plan(), record("plan")], None, id="two phases"),
        pytest.param([credit(), plan(number=8)], None, id="two issues"),
        pytest.param(
            [on_pull("engagement-record", record_body("review", 9), "review"), sentinel()],
            1,
            id="sentinel last",
        ),
    ],
)
def test_the_order_within_a_phase(candidates: "list[Candidate]", at: "int | None") -> None:
    found = burst_order.check(candidates)
    assert (found[0] if found else None) == at


def test_a_burst_out_of_order_is_refused(writer: Writer, thread: Thread, world: World) -> None:
    report = burst.write(writer, [credit(), design()])
    assert "design-phase-complete comes before credit-input" in report.reason
    assert world.log() == []
