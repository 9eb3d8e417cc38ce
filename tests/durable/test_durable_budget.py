"""A long conversation: the right answer out of every page, in hardly more requests than pages."""

from collections.abc import Callable
from typing import Any

import pytest

from durable_support import Cli, completion, credit, decision, lines, record, token
from fake_github import Thread, World
from session_memory.records.followup_queue import Queue, build
from support import Repository

_SPREAD = {
    5: completion(7, "experience-owner-complete"),
    105: record(7, "experience", decision("scope", "small")),
    333: credit(7, "experience"),
    418: completion(7, "design-phase-complete"),
    555: record(7, "design", decision("cache-key", "by name")),
    720: build(Queue(7, proposals=({"canonical_title": "Tidy up"},))),
    999: record(7, "design", decision("cache-key", "by digest")),
}
_FORGED = [
    completion(7, "plan-issue"),
    record(7, "design", decision("cache-key", "forged")),
    record(7, "plan", decision("wire-format"), version=99),
    credit(7, "design"),
    build(Queue(7, "consumed")),
]


@pytest.fixture
def long_issue(issue: Thread) -> Thread:
    """A thousand comments, 300 of them by strangers; every second of those is forged."""
    for number in range(1000):
        if number in _SPREAD:
            issue.post(_SPREAD[number])
        elif number % 10 in (1, 4, 7):
            body = _FORGED[number % len(_FORGED)] if number % 20 < 10 else "talk"
            issue.post(body, f"stranger-{number}")
        else:
            issue.post("talk", "colleague")
    return issue


def complete(told: Any) -> Any:
    return [phase["phase"] for phase in told["phases"] if phase["complete"]]


def choices(told: Any) -> Any:
    return [item["engineer_choice"] for item in told["decisions"]]


READS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "resume": (complete, ["experience", "design"]),
    "records read": (choices, ["small", "by digest"]),
    "credits harvest --retries 0": (
        lambda told: [row["port"] for row in told["rows"]],
        ["experience"],
    ),
    "followups list": (lambda told: told["state"], "proposed"),
    "markers list": (len, len(_SPREAD)),
    "reconcile": (
        lambda told: [item["decision_id"] for item in told["findings"]],
        ["wire-format"],
    ),
}


@pytest.mark.usefixtures("long_issue")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=command.split(" --")[0], marks=[pytest.mark.slow] * (number > 1))
        for number, command in enumerate(READS)
    ],
)
def test_thousand_comments(cli: Cli, clone: Repository, world: World, command: str) -> None:
    clone.write(
        "memories/session/gate-events-s-1.jsonl",
        lines(token("cache-key"), token("wire-format", phase="plan")),
    )
    world.requests.clear()
    look, expected = READS[command]

    ran = cli(*command.split(), "--issue", 7, "--json")

    assert (ran.code, look(ran.json)) == (0, expected)
    assert len(world.requests) <= 11
