"""What the ``memory`` commands share: the folder they are about, and the repository behind it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from session_memory.cli import reading as shared
from session_memory.cli.conversation import event_in
from session_memory.cli.errors import Undelivered
from session_memory.core.checkout import Checkout
from session_memory.core.session import Session
from session_memory.memory.caches import Caches, Unwritable
from session_memory.memory.durable import Durable
from session_memory.memory.names import BadName
from session_memory.memory.rungs import Rungs

body_file = click.option(
    "--body-file", required=True, metavar="FILE", help="Below .tmp; - is standard input."
)
issue_option = shared.number_option("--issue", "issue", required=True)
scope_option = click.option("--scope", required=True, help="What the work belongs to.")


@dataclass(frozen=True)
class Here:
    """Session memory of the current folder."""

    caches: Caches
    checkout: Checkout | None

    @classmethod
    def find(cls) -> "Here":
        """That of the checkout around the current folder, or of the host's project."""
        session = Session(event_in("."))
        return cls(Caches.of(session), session.checkout)

    @property
    def branch(self) -> str:
        return self.checkout.branch if self.checkout else ""


def in_folder(run: Callable[..., None]) -> Callable[..., None]:
    """Hands ``run`` the :class:`Here`, and ends what cannot be named or written."""

    @wraps(run)
    def wrapped(**options: Any) -> None:
        with told_faults():
            run(Here.find(), **options)

    return wrapped


def on_rungs(run: Callable[..., None]) -> Callable[..., None]:
    """Adds ``--repo`` and ``--offline``, and hands ``run`` the :class:`Rungs`."""

    @shared.repository_option
    @click.option("--offline", is_flag=True, help="Session memory only; GitHub is not asked.")
    @wraps(run)
    def wrapped(repo: str, offline: bool, **options: Any) -> None:
        connect = None if offline else lambda: shared.connect(repo)
        with told_faults():
            run(Rungs(Here.find().caches, Durable(connect)), **options)

    return wrapped


@contextmanager
def told_faults() -> Iterator[None]:
    """Names and files that do not do, as the end of the command."""
    try:
        yield
    except BadName as error:
        raise click.UsageError(str(error)) from None
    except Unwritable as error:
        raise Undelivered(f"{error}. Nothing was written.") from None
