"""Settings of any layout, with our entries in any number and place, keep all that is not ours."""

import json
from random import Random
from typing import Any

import pytest

from install_support import LIBRARY, RUNNER
from session_memory.editors import jsonc
from session_memory.install import registration
from session_memory.install.place import GROUPED

HOOKS = LIBRARY.hooks
WANTED = registration.wanted(GROUPED, RUNNER, HOOKS)
HANDLERS = [*(one.handler for one in WANTED), {"type": "command", "command": "another"}]
MATCHERS = sorted({one.matcher for one in WANTED} | {"Edit"})
GAPS = ("", "", "", " ", "\n", "\n  ", "/* c */", "// l\n", "\t", "\r\n")


def gap(random: Random) -> str:
    return "".join(random.choice(GAPS) for _ in range(random.randrange(3)))


def written(value: Any, random: Random) -> str:
    """The value as JSON with comments, in an odd layout, at times with a comma at the end."""
    if not isinstance(value, dict | list):
        return json.dumps(value)
    opener, closer = "{}" if isinstance(value, dict) else "[]"
    pairs = value.items() if isinstance(value, dict) else [("", item) for item in value]
    items = []
    for key, inner in pairs:
        label = f"{json.dumps(key)}{gap(random)}:{gap(random)}" if closer == "}" else ""
        items.append(gap(random) + label + written(inner, random) + gap(random))
    tail = "," if items and random.random() < 0.2 else ""
    return opener + ",".join(items) + tail + gap(random) + closer


def settings(random: Random) -> dict[str, Any]:
    def item() -> dict[str, Any]:
        if random.random() < 0.3:
            return dict(random.choice(HANDLERS))
        inner = [random.choice(HANDLERS) for _ in range(random.randrange(4))]
        return {"matcher": random.choice(MATCHERS), "hooks": inner}

    events = ["SessionStart", "PostToolUse", "Stop"][: random.randrange(4)]
    hooks = {event: [item() for _ in range(random.randrange(4))] for event in events}
    members = [("a", 1), ("hooks", hooks), ("z", [1])]
    random.shuffle(members)
    return dict(members[: random.randrange(4)])


def commands(value: dict[str, Any], ours: bool) -> list[tuple[str, str]]:
    return [
        (event, handler["command"])
        for event, items in value.get("hooks", {}).items()
        for item in items
        for handler in item.get("hooks", [item])
        if ("--registered-by=" in handler["command"]) == ours
    ]


def rest(value: dict[str, Any]) -> dict[str, Any]:
    return {key: inner for key, inner in value.items() if key != "hooks"}


@pytest.mark.parametrize("seed", range(200))
def test_any_layout(seed: int) -> None:
    random = Random(seed)
    value = settings(random)
    text = gap(random) + written(value, random) + gap(random)
    stripped = jsonc.parse(registration.strip(text, HOOKS)).root.plain()
    assert commands(stripped, ours=True) == []
    registered = registration.add(text, GROUPED, HOOKS, WANTED)
    added = jsonc.parse(registered).root.plain()
    assert sorted(commands(added, ours=True)) == sorted(
        (one.event, one.handler["command"]) for one in WANTED
    )
    assert registration.add(registered, GROUPED, HOOKS, WANTED) == registered
    for made in (stripped, added):
        assert rest(made) == rest(value)
        assert sorted(commands(made, ours=False)) == sorted(commands(value, ours=False))
