"""``session-memory followups``: the queue of proposed follow-ups (SMC-24)."""

import json
import re
import time

import click

from session_memory.cli import followup_queues as queues
from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused
from session_memory.cli.followup_ruling import rule
from session_memory.gates.questions import utc_time
from session_memory.markers.target import Target
from session_memory.records import followup_transitions as transitions
from session_memory.records import rulings
from session_memory.records.followup_keeping import fetch
from session_memory.records.followup_queue import Queue, check
from session_memory.records.followups import followup_key, unite
from session_memory.records.rendering import Refused as Unlawful
from session_memory.records.rendering import check_text
from session_memory.records.sources import Sources
from session_memory.yaml_text import YamlError, load

_UNITS_S = {"m": 60, "h": 3600, "d": 86400}


@click.group()
def command() -> None:
    """Follow-ups that a session without a person at hand proposed (SMC-24).

    propose adds to the queue; a session with a person claims it, puts the questions, records the
    answers with rule, and closes it with consume.
    """


command.add_command(rule)


def _lease(_ctx: click.Context, _param: click.Parameter, text: str) -> int:
    """An option's length of time, in seconds."""
    match = re.fullmatch(r"([1-9][0-9]{0,3})([mhd])", text)
    if match is None:
        raise click.BadParameter("give minutes, hours or days, such as 30m, 2h or 1d.")
    return int(match[1]) * _UNITS_S[match[2]]


@command.command("list", short_help="Show the queue, and who has claimed it.")
@queues.on_queue
def _list(sources: Sources, target: Target, as_json: bool) -> None:
    """Show the queue of an issue or pull request, and who has claimed it."""
    queues.print_queue(fetch(sources, *queues.where(target)), as_json)


@command.command("propose", short_help="Add proposals to the queue.")
@click.argument("file")
@queues.on_queue
def _propose(sources: Sources, target: Target, file: str, as_json: bool) -> None:
    """Add the proposals in FILE, a JSON or YAML list; - is standard input.

    A proposal has a canonical_title and may have rationale, disposition, severity, board_position,
    followup_key, originating_head_sha, ruling_link and target_repo. What was ruled on before is not
    proposed again, and a claimed queue takes nothing.
    """
    proposals = _proposals(file)
    number = queues.where(target)[0]
    kept = queues.changed(
        sources, target, lambda queue: transitions.propose(queue, number, proposals)
    )
    queues.print_queue(kept, as_json)
    known = kept.queue.keys if kept.queue and kept.queue.state == "proposed" else []
    left_out = [item for item in proposals if item["followup_key"] not in known]
    if left_out:
        named = shared.count(len(left_out), "proposal")
        click.echo(f"note: {named} left out: ruled on before", err=True)


@command.command("claim", short_help="Take the queue for a while.")
@click.option(
    "--lease", callback=_lease, default="2h", show_default=True, metavar="TIME",
    help="For how long: minutes, hours or days, such as 30m, 2h or 1d.",
)  # fmt: skip
@queues.claimant_option
@queues.on_queue
def _claim(sources: Sources, target: Target, claimant: str, lease: int, as_json: bool) -> None:
    """Take the queue, so that nobody else works through it before the lease ends."""
    now = time.time()
    start, end = utc_time(now), utc_time(now + lease)

    def step(queue: Queue | None) -> Queue:
        return transitions.claim(queues.there(queue), claimant, start, end)

    queues.print_queue(queues.changed(sources, target, step), as_json)


@command.command("consume", short_help="Close a queue whose ruling is recorded.")
@queues.claimant_option
@queues.on_queue
def _consume(sources: Sources, target: Target, claimant: str, as_json: bool) -> None:
    """Close a queue that this claimant holds.

    Every proposal must be in a ruling that an engagement record of the issue or pull request
    holds: see followups rule. What was ruled on is never proposed again.
    """

    def step(queue: Queue | None) -> Queue:
        consumed = transitions.consume(queues.there(queue), claimant)
        recorded = unite(sources.records(target), (), target, trusts=sources.trusts)
        rulings.check_ruled(consumed, target.kind, recorded.entries)
        return consumed

    queues.print_queue(queues.changed(sources, target, step), as_json)


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
    title = str(proposal["canonical_title"])
    try:
        # A ruling repeats the title in a record.
        check_text(title, "canonical_title")
        return {**proposal, "followup_key": proposal.get("followup_key") or followup_key(title)}
    except Unlawful as error:
        raise Refused(f"a proposal's {error} [{error.code}]") from None
    except ValueError:
        raise Refused("a proposal has a blank canonical_title") from None
