"""What a ruling on follow-ups records, and when a queue counts as ruled on."""

from typing import Any

import pytest

from session_memory.records.followup_queue import Queue, QueueError
from session_memory.records.rulings import NotRuled, check_ruled, entries

KEYS = ("followup-0000000000000001", "followup-0000000000000002", "gh-41")
TITLES = ("Tidy up", "Write docs", "Add the lock")
QUEUE = Queue(
    9,
    "claimed",
    tuple(
        {"canonical_title": title, "followup_key": key}
        for title, key in zip(TITLES, KEYS, strict=True)
    ),
)
OUTCOMES = dict(zip(KEYS, ("approved", "dropped", "modified"), strict=True))
NOW = "2026-01-01T00:00:00.002Z"


def ruling(**changes: Any) -> "dict[str, object]":
    return {**entries(QUEUE, OUTCOMES, "pr", NOW, [])[0], **changes}


def test_a_batch_and_what_was_not_simply_approved() -> None:
    batch, *single = entries(QUEUE, OUTCOMES, "pr", NOW, [])

    assert batch["gate_ruling_counts"] == "proposed: 3, approved: 1, modified: 1, dropped: 1"
    assert batch["gate_ruling_surface"] == "pr-9"
    assert batch["gate_ruling_decided_at"] == NOW
    assert batch["gate_ruling_items"] == [
        {"title": "Tidy up", "outcome": "approved"},
        {"title": "Write docs", "outcome": "dropped"},
        {"title": "Add the lock", "outcome": "modified"},
    ]
    # The key of a finding is no follow-up's and would not be united with the other records.
    assert [(item["decision_id"], item["engineer_choice"]) for item in single] == [
        (KEYS[1], "dropped")
    ]


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [({**OUTCOMES, "other": "approved"}, "no proposal other"), ({KEYS[0]: "approved"}, KEYS[1])],
    ids=["unknown", "left out"],
)
def test_every_proposal_is_ruled_on_once(outcomes: "dict[str, str]", words: str) -> None:
    with pytest.raises(QueueError, match=words):
        entries(QUEUE, outcomes, "pr", NOW, [])


def test_rulings_of_a_surface_follow_each_other_in_time() -> None:
    other = ruling(gate_ruling_items=[])
    with pytest.raises(ValueError, match="later than every earlier"):
        entries(QUEUE, OUTCOMES, "pr", NOW, [other])
    assert entries(QUEUE, OUTCOMES, "issue", NOW, [ruling()])


@pytest.mark.parametrize("before", [0, 2], ids=["the only one", "the newest"])
def test_the_same_ruling_again_is_kept(before: int) -> None:
    earlier = [
        ruling(gate_ruling_items=[], gate_ruling_decided_at=f"2026-01-01T00:00:00.00{n}Z")
        for n in range(before)
    ]
    again = entries(QUEUE, OUTCOMES, "pr", "2026-01-02T00:00:00.000Z", [ruling(), *earlier])
    assert again == entries(QUEUE, OUTCOMES, "pr", NOW, [])


@pytest.mark.parametrize(
    "recorded",
    [
        entries(QUEUE, OUTCOMES, "pr", NOW, []),
        [ruling(gate_ruling_items=[{"title": TITLES[2], "outcome": "dropped"}]),
         *[{"decision_id": key, "engineer_choice": "dropped"} for key in KEYS[:2]]],
    ],
    ids=["by title", "by title and key"],
)  # fmt: skip
def test_ruled(recorded: "list[dict[str, object]]") -> None:
    check_ruled(QUEUE, "pr", recorded)


@pytest.mark.parametrize(
    "recorded",
    [
        [],
        [ruling(gate_ruling_surface="pr-8")],
        [ruling(gate_ruling_surface="issue-9")],
        [ruling(gate_ruling_counts=None)],
        [ruling(gate_ruling_items="Tidy up")],
        [ruling(gate_ruling_items=["Tidy up", {"title": "Tidy up", "outcome": "maybe"}])],
    ],
    ids=["nothing", "other number", "other surface", "no counts", "no list", "no outcomes"],
)
def test_not_ruled(recorded: "list[dict[str, object]]") -> None:
    with pytest.raises(NotRuled, match=KEYS[0]):
        check_ruled(QUEUE, "pr", recorded)
