"""``session-memory followups``: the queue of proposed follow-ups (SMC-24)."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import click

from session_memory.cli import conversation
from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused, Undelivered, Unverified
from session_memory.cli.output import print_json, printable
from session_memory.gates.questions import utc_time
from session_memory.markers import outcome, write_lock
from session_memory.markers.candidate import Candidate
from session_memory.markers.families import ISSUE, PULL_REQUEST, Marker
from session_memory.markers.problem import echo
from session_memory.markers.target import Target
from session_memory.markers.writer import Writer
from session_memory.records import followup_transitions as transitions
from session_memory.records.followup_keeping import Kept, Step, change, fetch
from session_memory.records.followup_queue import Queue, QueueError, check
from session_memory.records.followups import followup_key
from session_memory.records.sources import Sources
from session_memory.yaml_text import YamlError, load

_MAX_CLAIMANT = 100
_UNITS_S = {"m": 60, "h": 3600, "d": 86400}


@click.group()
def command() -> None:
    """Follow-ups that a session without a person at hand proposed (SMC-24)."""


def _lease(_ctx: click.Context, _param: click.Parameter, text: str) -> int:
    """An option's length of time, in seconds."""
    match = re.fullmatch(r"([1-9][0-9]{0,3})([mhd])", text)
    if match is None:
        raise click.BadParameter("give minutes, hours or days, such as 30m, 2h or 1d.")
    return int(match[1]) * _UNITS_S[match[2]]


def _claimant(run: Callable[..., None]) -> Callable[..., None]:
    """``--claimant``, else the key of the conversation."""

    def named(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
        claimant = text or conversation.find("", "", ".").session.key
        if len(claimant) > _MAX_CLAIMANT or not claimant.isprintable():
            raise click.BadParameter(f"at most {_MAX_CLAIMANT} characters that can be printed.")
        return claimant

    text = "Who works through it; default: this conversation's key."
    return click.option("--claimant", default="", metavar="NAME", callback=named, help=text)(run)


def _common(run: Callable[..., None]) -> Callable[..., None]:
    """What all of these commands take; a queue that says no ends them with exit code 2."""

    def guarded(*given: Any, **options: Any) -> None:
        try:
            run(*given, **options)
        except QueueError as error:
            raise Refused(f"{error} (SMC-24); nothing was written.") from None

    guarded.__doc__ = run.__doc__
    on_target: Callable[[Callable[..., None]], Callable[..., None]] = shared.on_target(phase=False)
    return shared.as_json(on_target(shared.on_github(guarded)))


@command.command("list")
@_common
def _list(sources: Sources, target: Target, as_json: bool) -> None:
    """Show the queue of an issue or pull request, and who has claimed it."""
    _print(fetch(sources, *_where(target)), as_json)


@command.command("propose")
@click.argument("file")
@_common
def _propose(sources: Sources, target: Target, file: str, as_json: bool) -> None:
    """Add the proposals in FILE, a JSON or YAML list; - is standard input.

    A proposal has a canonical_title and may have rationale, disposition, severity, board_position,
    followup_key, originating_head_sha, ruling_link and target_repo. What was ruled on before is not
    proposed again, and a claimed queue takes nothing.
    """
    proposals = _proposals(file)
    number = _where(target)[0]
    _change(sources, target, lambda queue: transitions.propose(queue, number, proposals), as_json)


@command.command("claim")
@click.option("--lease", callback=_lease, default="2h", show_default=True, help="For how long.")
@_claimant
@_common
def _claim(sources: Sources, target: Target, claimant: str, lease: int, as_json: bool) -> None:
    """Take the queue, so that nobody else works through it before the lease ends."""
    now = time.time()
    start, end = utc_time(now), utc_time(now + lease)

    def step(queue: Queue | None) -> Queue:
        return transitions.claim(_there(queue), claimant, start, end)

    _change(sources, target, step, as_json)


@command.command("consume")
@_claimant
@_common
def _consume(sources: Sources, target: Target, claimant: str, as_json: bool) -> None:
    """Close a queue that this claimant holds, after the ruling was recorded."""
    _change(sources, target, lambda queue: transitions.consume(_there(queue), claimant), as_json)


def _there(queue: Queue | None) -> Queue:
    if queue is None:
        raise QueueError("there is no queue")
    return queue


def _where(target: Target) -> tuple[int, str]:
    return (target.issue, ISSUE) if target.issue else (target.pull_request, PULL_REQUEST)


def _proposals(file: str) -> list[dict[str, object]]:
    text, name = shared.read_text(file), shared.name_of(file)
    try:
        value = json.loads(text) if text.lstrip().startswith(("[", "{")) else load(text)
    except YamlError as error:
        raise Refused(f"{name}: {error}") from None
    except (RecursionError, ValueError):
        raise Refused(f"{name}: not JSON that can be used") from None
    listed = value.get("proposals") if isinstance(value, dict) else value
    problems = check({"schema_version": 1, "proposals": listed})
    if problems or not isinstance(listed, list) or not listed:
        raise Refused(f"{name}: not a list of proposals with a canonical_title and known fields")
    return [_keyed(item) for item in listed]


def _keyed(proposal: dict[str, object]) -> dict[str, object]:
    if proposal.get("followup_key"):
        return proposal
    try:
        return {**proposal, "followup_key": followup_key(str(proposal["canonical_title"]))}
    except ValueError:
        raise Refused("a proposal has a blank canonical_title") from None


def _change(sources: Sources, target: Target, step: Step, as_json: bool) -> None:
    number, surface = where = _where(target)
    writer = Writer(sources.github, sources.trusts)

    def write(found: Marker, body: str) -> int:
        return writer.write(Candidate(found, surface, body)).comment_id

    try:
        with write_lock.held(sources.github.repository, [number], shared.progress()):
            kept = change(sources, where, step, write)
    except (outcome.Unverified, outcome.PostStepFailed) as error:
        raise Unverified(str(error)) from None
    except outcome.NotDelivered as error:
        raise Undelivered(str(error)) from None
    except outcome.WriteFailed as error:
        raise Refused(str(error)) from None
    except write_lock.Busy as error:
        raise Undelivered(str(error)) from None
    _print(kept, as_json)


def _print(kept: Kept, as_json: bool) -> None:
    queue = kept.queue
    if as_json:
        print_json(_json(kept))
        return
    if queue is None:
        click.echo("no queue")
    else:
        claim = queue.claim if queue.state == "claimed" else None
        by = f" by {echo(claim.claimant)} until {echo(claim.lease_until)}" if claim else ""
        ended = ", lease ended" if claim and not claim.is_live(utc_time(time.time())) else ""
        proposed = shared.count(len(queue.proposals), "proposal")
        click.echo(printable(f"{queue.state}{by}{ended}: {proposed}"))
        for proposal in queue.proposals:
            title = proposal["canonical_title"]
            click.echo(printable(f"  {proposal.get('followup_key') or '-'}  {title}"))
    shared.warn(kept.warnings)


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
