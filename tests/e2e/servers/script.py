"""What the model says, by prompt, which is one line.

The answer to a request follows from the request alone: from the last scripted prompt in it, and
from how often the model spoke since. So retries, resumed, cleared and compacted conversations, and
subagents, need no bookkeeping.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DONE = "Done."


@dataclass(frozen=True)
class Call:
    """The model calls a tool."""

    tool: str
    arguments: dict[str, Any]


# A text, or calls of tools.
Turn = str | Sequence[Call]
Script = Mapping[str, Sequence[Turn]]


@dataclass(frozen=True)
class Message:
    """A message of a request in neither provider's spelling."""

    from_model: bool
    text: str


@dataclass(frozen=True)
class Place:
    """Where in the script a request is. ``prompt`` is ``""`` when nothing of it was said."""

    prompt: str
    turn: int


def locate(script: Script, messages: Sequence[Message]) -> Place:
    """The last scripted prompt among ``messages``, and how many turns followed it."""
    turns = 0
    for message in reversed(messages):
        if message.from_model:
            turns += 1
            continue
        lines = message.text.splitlines()
        named = [prompt for prompt in script if prompt in lines]
        if named:
            return Place(named[-1], turns)
    return Place("", turns)


def answer(script: Script, place: Place) -> Turn:
    """The turn at ``place``; past the end of the script the model is done."""
    turns = script.get(place.prompt, ())
    return turns[place.turn] if place.turn < len(turns) else DONE


def texts(value: object) -> list[str]:
    """All texts in a JSON value, in order."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in texts(item)]


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()
