"""Follow-ups: keys, the union, and the queue's only ways to change."""

from typing import Any

import pytest

from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.markers.target import Target
from session_memory.records import followup_queue, followup_transitions, followups
from session_memory.records.followup_queue import Claim, Queue, build, parse
from session_memory.records.followup_transitions import (
    InvalidTransition,
    check_successor,
    claim,
    consume,
    propose,
)
from session_memory.records.rendering import render_body
from session_memory.records.validators import check

KEYS = [f"followup-{digit * 16}" for digit in "abc"]
EMPTY = (
    "<!-- proposed-followups-7 -->\n\nstate: proposed\n\n"
    "```yaml\nschema_version: 1\nproposals: []\n```"
)


def record(number: int, phase: str, *ids: str, **changes: Any) -> Comment:
    payload = {
        "schema_version": 4,
        "phase": phase,
        "capture_session": "x",
        "load_bearing_decisions": [
            {"decision_id": one, "engineer_choice": str(number)} for one in ids
        ],
        **changes,
    }
    body = render_body(marker("engagement-record", 7, phase), payload)
    return Comment(number, body, author="alice", created_at=f"2026-01-{number:02}")


def test_the_newest_record_of_a_phase_is_carried_whole() -> None:
    prior = [
        record(1, "plan", "dropped-decision", KEYS[0]),
        record(2, "plan", "kept-decision", "other-decision"),
        record(3, "design", KEYS[1]),
    ]
    batch = [{"decision_id": KEYS[2], "engineer_choice": "new"}, {"decision_id": "other-decision"}]
    carried = followups.carry_forward(prior, batch, Target(7, phase="plan"))
    assert [item["decision_id"] for item in carried] == ["kept-decision", "other-decision", *KEYS]
    assert "phase" not in carried[0]
    assert "engineer_choice" not in carried[1]


@pytest.mark.parametrize(
    "broken", [{"load_bearing_decisions": [{"decision_id": "Bad"}]}, {"capture_session": None}]
)
def test_nothing_is_written_over_records_that_cannot_be_read(broken: dict[str, Any]) -> None:
    prior = [record(1, "plan", "kept-decision"), record(2, "plan", **broken)]
    with pytest.raises(followups.Unreadable, match="comment 2 by alice"):
        followups.carry_forward(prior, [], Target(7, phase="plan"))


def test_a_stranger_cannot_stop_a_write() -> None:
    prior = [record(1, "plan", "kept-decision"), Comment(2, record(2, "plan", "Bad").body)]
    carried = followups.carry_forward(
        prior, [], Target(7, phase="plan"), trusts=lambda one: one.author == "alice"
    )
    assert [item["decision_id"] for item in carried] == ["kept-decision"]


def test_an_entry_without_a_key_is_told() -> None:
    union = followups.unite([], [{"engineer_choice": "x"}], Target(7))
    assert [warning.code for warning in union.warnings] == ["keyless-entry"]


def test_uniting_twice_changes_nothing() -> None:
    prior = [record(1, "plan", *KEYS)]
    once = followups.unite(prior, [], Target(7))
    assert followups.unite(prior, once.entries, Target(7)).entries == once.entries


def test_a_ruling_of_a_batch_is_later_than_the_one_before() -> None:
    earlier = ["2026-01-01T00:00:00.001Z"]
    identity = followups.ruling_identity("pr", 7, "2026-01-01T00:00:00.002Z", earlier)
    assert identity == "gate-ruling:pr-7:2026-01-01T00:00:00.002Z"
    for late in ("2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000Z"):
        with pytest.raises(ValueError, match="time"):
            followups.ruling_identity("pr", 7, late, earlier)


PROPOSAL = {"canonical_title": "T", "followup_key": KEYS[0], "rationale": "r"}
NEXT = {"canonical_title": "U", "followup_key": KEYS[1]}
NOW, LATER, END = "2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T01:00:00Z"


def queue(state: str = "proposed", who: str = "") -> Queue:
    held = Claim(who, NOW, END) if who else None
    return Queue(7, state, (PROPOSAL,), held)


def test_an_empty_queue_reads_exactly_like_this() -> None:
    assert build(Queue(7)) == EMPTY
    assert parse(EMPTY) == Queue(7)


def test_a_claimed_queue_reads_back() -> None:
    text = build(consume(queue("claimed", "s-1"), "s-1"))
    assert parse(text).claim == Claim("s-1", NOW, END)
    assert parse(text).settled == (KEYS[0],)
    assert check(text, marker("proposed-followups", 7)) == []


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("text", "NotAQueue"),
        ("<!-- plan-issue-7 -->", "NotAQueue"),
        (EMPTY.replace("state: proposed", "state: done"), "MissingState"),
        (EMPTY.replace("state: proposed\n", ""), "MissingState"),
        (EMPTY.replace("state: proposed\n", "").replace("schema", "state: proposed\nschema"),
         "MissingState"),
        (EMPTY.replace("```", "~~~"), "MissingPayload"),
        (EMPTY.replace("schema_version: 1", "schema_version: 2"), "BadPayload"),
        (EMPTY.replace("proposals: []", "proposals: [{}]"), "BadPayload"),
        (EMPTY.replace("proposals: []", "a: b: c"), "BadPayload"),
        (EMPTY.replace("schema_version: 1\nproposals: []", "- x"), "BadPayload"),
        (EMPTY.replace("proposals: []", "claim: {claimant: x}"), "BadPayload"),
        (EMPTY.replace("proposals: []", "settled: [1]"), "BadPayload"),
    ],
)  # fmt: skip
def test_what_is_no_queue(body: str, error: str) -> None:
    with pytest.raises(followup_queue.QueueError) as raised:
        parse(body)
    assert type(raised.value).__name__ == error
    found = check(body, marker("proposed-followups", 7))
    assert found


def test_proposals_are_added_and_replaced_by_key() -> None:
    again = {**PROPOSAL, "canonical_title": "T2", "board_position": 3, "rationale": None}
    made = propose(queue(), 7, [again, NEXT])
    assert made.keys == KEYS[:2]
    assert made.proposals[0] == {
        "canonical_title": "T2", "followup_key": KEYS[0], "board_position": "3", "rationale": "",
    }  # fmt: skip
    assert propose(None, 7, [{"canonical_title": True}]).keys == ["true"]


def test_a_claimed_queue_takes_no_proposal() -> None:
    with pytest.raises(InvalidTransition, match="claimed by s-1"):
        propose(queue("claimed", "s-1"), 7, [NEXT])


def test_what_was_ruled_on_is_not_proposed_again() -> None:
    consumed = consume(queue("claimed", "s-1"), "s-1")
    fresh = propose(consumed, 7, [PROPOSAL, NEXT])
    assert (fresh.state, fresh.keys, fresh.settled) == ("proposed", [KEYS[1]], (KEYS[0],))
    assert check_successor(build(consumed), build(fresh)) == []


@pytest.mark.parametrize(
    ("given", "who", "now", "lawful"),
    [
        (queue(), "s-2", NOW, True),
        (queue("claimed", "s-1"), "s-1", NOW, True),
        (queue("claimed", "s-1"), "s-2", NOW, False),
        (queue("claimed", "s-1"), "s-2", LATER, True),
        (queue("claimed"), "s-2", NOW, True),
        (queue("consumed", "s-1"), "s-1", LATER, False),
        (queue(), " ", NOW, False),
        (Queue(7), "s-1", NOW, False),
    ],
    ids=["free", "renewed", "taken", "lapsed", "nobody's", "consumed", "nameless", "empty"],
)
def test_claiming(given: Queue, who: str, now: str, lawful: bool) -> None:
    if not lawful:
        with pytest.raises(InvalidTransition):
            claim(given, who, now, END)
        return
    made = claim(given, who, now, END)
    assert (made.state, made.claim) == ("claimed", Claim(who, now, END))
    assert check_successor(build(given), build(made)) == []


def test_a_lease_without_a_readable_end_does_not_lapse() -> None:
    assert Claim("a", NOW, "soon").is_live(LATER)


@pytest.mark.parametrize(
    ("given", "who"),
    [(queue(), "s-1"), (queue("claimed", "s-1"), "s-2"), (Queue(7, "claimed"), "s-1")],
    ids=["unclaimed", "somebody else's", "empty"],
)
def test_what_cannot_be_consumed(given: Queue, who: str) -> None:
    with pytest.raises(InvalidTransition):
        consume(given, who)


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (queue(), queue(), None),
        (queue(), Queue(7), "lost-proposals"),
        (queue(), queue("consumed"), "queue-overwrite"),
        (queue("claimed", "a"), queue(), "queue-overwrite"),
        (queue("claimed", "a"), queue("claimed", "b"), "queue-overwrite"),
        (queue("claimed", "a"), queue("consumed", "a"), None),
        (queue("claimed"), queue("consumed"), None),
        (queue("claimed", "a"), queue("consumed"), "queue-overwrite"),
        (queue("consumed"), queue(), "queue-overwrite"),
        (queue("consumed"), Queue(7, settled=("other",)), "queue-overwrite"),
    ],
)
def test_what_may_take_a_queues_place(before: Queue, after: Queue, code: "str | None") -> None:
    found = [problem.code for problem in check_successor(build(before), build(after))]
    assert found == ([code] if code else [])


def test_a_queue_that_cannot_be_read_is_not_replaced() -> None:
    (problem,) = check_successor(EMPTY.replace("state", "stat"), EMPTY)
    assert problem.code == "unreadable-queue"


def test_states_move_one_step() -> None:
    with pytest.raises(InvalidTransition):
        followup_transitions.next_state("proposed", "done")
