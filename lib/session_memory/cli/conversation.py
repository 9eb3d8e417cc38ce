"""Which conversation a command is about: the one whose hooks would run here."""

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from session_memory.cli import output
from session_memory.core import key as keys
from session_memory.core.payload import Event
from session_memory.core.session import STABLE_ID_VARIABLE, Session

# A shell that an editor has opened tells so in its environment; the first is the one that stays.
_VARIABLES = (STABLE_ID_VARIABLE, "CLAUDE_CODE_SESSION_ID")
# No editor, so that no rule for an editor's payloads changes what the caller asked for.
_BY_HAND = "command-line"

# How keys begin, and the rung that gives such keys.
_RUNGS = {"s-": keys.SESSION_ID, "b-": keys.BRANCH, "sha-": keys.SHA}


@dataclass(frozen=True)
class Conversation:
    """``variable`` is the one that gave the session id, if any did.

    ``chosen`` tells that an option named the conversation.
    """

    session: Session
    variable: str
    chosen: bool


class _KeyedSession(Session):
    """The conversation with a given key."""

    def __init__(self, event: Event, key: str) -> None:
        super().__init__(event)
        self._given = key

    def _climb(self) -> tuple[str, str]:
        return self._given, _rung(self._given)


def find(session_id: str, key: str, cwd: str) -> Conversation:
    """The conversation with this id or key; without, that of the host, else of the checkout."""
    if session_id and key:
        raise click.UsageError("--session and --key exclude each other.")
    if key and (not _rung(key) or keys.slug(key) != key):
        raise click.UsageError("--key is a session key, such as s-1f2e or b-main.")
    if key:
        return Conversation(_KeyedSession(event_in(cwd), key), "", True)
    variable = "" if session_id else next((v for v in _VARIABLES if os.environ.get(v)), "")
    session = Session(event_in(cwd, session_id or os.environ.get(variable, "")))
    if _rung(session_id):
        click.echo(
            f"note: the session id {output.printable(session_id)} looks like a key;"
            f" as an id it makes the key {session.key}. --key takes a key as it is.",
            err=True,
        )
    return Conversation(session, variable, bool(session_id))


def event_in(cwd: str, session_id: str = "") -> Event:
    """What an editor would tell in the folder ``cwd``, whose name may be no text."""
    event = Event({"session_id": session_id}, _BY_HAND)
    event.cwd = os.path.abspath(cwd)
    return event


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--session``, ``--key`` and ``--cwd``; ``command`` gets a ``conversation``."""

    @functools.wraps(command)
    def run(*, session_id: str, key: str, cwd: str, **rest: Any) -> Any:
        return command(conversation=find(session_id, key, cwd), **rest)

    for option in (_CWD, _KEY, _SESSION):
        run = option(run)
    return run


_CWD = click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="Folder of the conversation; default: this one.",
)
_KEY = click.option("--key", default="", metavar="KEY", help="Session key, instead of --session.")
_SESSION = click.option(
    "--session",
    "session_id",
    default="",
    metavar="ID",
    help="Session id; default: the host's, else the branch, else the commit.",
)


def _rung(key: str) -> str:
    """The rung that gives such keys; ``""`` for what is no key."""
    if key == keys.LAST_RESORT:
        return keys.LAST_RESORT
    return next((rung for start, rung in _RUNGS.items() if key.startswith(start)), "")
