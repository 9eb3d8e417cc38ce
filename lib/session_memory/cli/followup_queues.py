"""What the commands about the queue of follow-ups share: its target, its claimant, its change."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from session_memory.cli import conversation
from session_memory.cli import reading as shared
from session_memory.cli.errors import Fault, Refused, Undelivered, Unverified
from session_memory.cli.output import print_json, printable
from session_memory.gates.questions import utc_time
from session_memory.markers import outcome, write_lock
from session_memory.markers.candidate import Candidate
from session_memory.markers.families import ISSUE, PULL_REQUEST, Marker
from session_memory.markers.problem import echo
from session_memory.markers.target import Target
from session_memory.markers.writer import Writer
from session_memory.records.followup_keeping import Kept, Step, change
from session_memory.records.followup_queue import Queue, QueueError
from session_memory.records.sources import Sources

_MAX_CLAIMANT = 100

_FAULTS: dict[type[outcome.WriteFailed], type[Fault]] = {
    outcome.NotDelivered: Undelivered,
    outcome.Unverified: Unverified,
    outcome.PostStepFailed: Unverified,
}


def claimant_option(run: Callable[..., None]) -> Callable[..., None]:
    """``--claimant``, else the key of the conversation."""

    def named(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
        claimant = text or conversation.find("", "", ".").session.key
        if len(claimant) > _MAX_CLAIMANT or not claimant.isprintable():
            raise click.BadParameter(f"at most {_MAX_CLAIMANT} characters that can be printed.")
        return claimant

    text = "Who works through it; default: this conversation's key."
    return click.option("--claimant", default="", metavar="NAME", callback=named, help=text)(run)


def on_queue(run: Callable[..., None]) -> Callable[..., None]:
    """What all of these commands take; a queue that says no ends them with exit code 2."""

    @wraps(run)
    def guarded(*given: Any, **options: Any) -> None:
        try:
            run(*given, **options)
        except QueueError as error:
            raise Refused(f"{error} (SMC-24); nothing was written.") from None

    on_target: Callable[[Callable[..., None]], Callable[..., None]] = shared.on_target(phase=False)
    return shared.as_json(on_target(shared.on_github(guarded)))


def where(target: Target) -> tuple[int, str]:
    """The number and the surface of the conversation that holds the queue."""
    return (target.issue, ISSUE) if target.issue else (target.pull_request, PULL_REQUEST)


def there(queue: Queue | None) -> Queue:
    """The queue; :class:`QueueError` when there is none."""
    if queue is None:
        raise QueueError("there is no queue")
    return queue


@contextmanager
def writing(sources: Sources, number: int) -> Iterator[Writer]:
    """The one writer of a conversation on this machine; its failures as ends of the command."""
    try:
        with write_lock.held(sources.github.repository, [number], shared.progress()):
            yield Writer(sources.github, sources.trusts)
    except outcome.WriteFailed as error:
        raise _FAULTS.get(type(error), Refused)(str(error)) from None
    except write_lock.Busy as error:
        raise Undelivered(str(error)) from None


def changed(sources: Sources, target: Target, step: Step) -> Kept:
    """Take the queue one step further; what it is now."""
    number, surface = where(target)
    with writing(sources, number) as writer:

        def write(found: Marker, body: str) -> int:
            return writer.write(Candidate(found, surface, body)).comment_id

        return change(sources, (number, surface), step, write)


def print_queue(kept: Kept, as_json: bool) -> None:
    """The queue, who has claimed it, and its proposals by key."""
    if as_json:
        print_json(_json(kept))
        return
    if kept.queue is None:
        click.echo("no queue")
    else:
        click.echo(printable(f"{_state(kept.queue)}: {_proposed(kept.queue)}"))
        for proposal in kept.queue.proposals:
            title = proposal["canonical_title"]
            click.echo(printable(f"  {proposal.get('followup_key') or '-'}  {title}"))
    shared.warn(kept.warnings)


def _state(queue: Queue) -> str:
    claim = queue.claim if queue.state == "claimed" else None
    if claim is None:
        return queue.state
    ended = "" if claim.is_live(utc_time(time.time())) else ", lease ended"
    return f"{queue.state} by {echo(claim.claimant)} until {echo(claim.lease_until)}{ended}"


def _proposed(queue: Queue) -> str:
    return shared.count(len(queue.proposals), "proposal")


def _json(kept: Kept) -> dict[str, object]:
    queue = kept.queue
    claim = queue.claim if queue else None
    return {
        "state": queue.state if queue else None,
        "claim": vars(claim) if claim else None,
        "lease_live": claim.is_live(utc_time(time.time())) if claim else None,
        "proposals": list(queue.proposals) if queue else [],
        "settled": list(queue.settled) if queue else [],
        "comment": shared.comment_json(kept.comment) if kept.comment else None,
        "warnings": shared.problems_json(kept.warnings),
    }
