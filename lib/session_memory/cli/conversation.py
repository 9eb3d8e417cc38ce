"""Which conversation a command is about: the one whose hooks would run here."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from session_memory.core.payload import Event
from session_memory.core.session import STABLE_ID_VARIABLE, Session

# A shell that an editor has opened tells so in its environment; the first is the one that stays.
_VARIABLES = (STABLE_ID_VARIABLE, "CLAUDE_CODE_SESSION_ID")
# No editor, so that no rule for an editor's payloads changes what the caller asked for.
_BY_HAND = "command-line"


@dataclass(frozen=True)
class Conversation:
    """``variable`` is the one that gave the session id, if any did."""

    session: Session
    variable: str


def find(session_id: str, cwd: str) -> Conversation:
    """The conversation with this id; without one, that of the host, else of the branch or commit.

    A key that was copied from a log, with its prefix, is not an id.
    """
    variable = "" if session_id else next((v for v in _VARIABLES if os.environ.get(v)), "")
    payload: dict[str, object] = {
        "session_id": session_id or os.environ.get(variable, ""),
        "cwd": os.path.abspath(cwd),
    }
    return Conversation(Session(Event(payload, _BY_HAND)), variable)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--session`` and ``--cwd``."""
    for option in (
        click.option(
            "--cwd",
            type=click.Path(exists=True, file_okay=False),
            default=".",
            help="Folder of the conversation; default: this one.",
        ),
        click.option(
            "--session",
            "session_id",
            default="",
            metavar="ID",
            help="Session id; default: the host's, else the branch, else the commit.",
        ),
    ):
        command = option(command)
    return command
