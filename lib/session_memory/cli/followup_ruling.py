"""``session-memory followups rule``: what a person decided on the proposals of a claimed queue."""

from datetime import datetime, timezone

import click

from session_memory.cli import followup_queues as queues
from session_memory.cli.errors import Refused
from session_memory.cli.output import print_json
from session_memory.markers.candidate import Candidate
from session_memory.markers.families import PHASES, marker
from session_memory.markers.outcome import Outcome
from session_memory.markers.target import Target
from session_memory.records import engagement, mirror, rendering, rulings
from session_memory.records.followup_keeping import fetch
from session_memory.records.followup_queue import Queue
from session_memory.records.followup_transitions import check_claimant
from session_memory.records.followups import Unreadable, carry_forward, unite
from session_memory.records.reading import UnknownSchemaVersion, read
from session_memory.records.rulings import Entry
from session_memory.records.sources import REVIEW, Sources

# Its record is what completes it, which a ruling must not do by the way.
_COMPLETED_BY_RECORD = "orchestration"


@click.command("rule", short_help="Record what was decided on the proposals.")
@click.option("--approved", multiple=True, metavar="KEY", help="A proposal to file as it is.")
@click.option("--modified", multiple=True, metavar="KEY", help="A proposal to file changed.")
@click.option("--dropped", multiple=True, metavar="KEY", help="A proposal not to file.")
@click.option(
    "--phase", "of_phase", type=click.Choice(PHASES[:-1]),
    help="Whose record takes the ruling on an issue's queue; default: the last that has one.",
)  # fmt: skip
@queues.claimant_option
@queues.on_queue
def rule(
    sources: Sources, target: Target, claimant: str, of_phase: str | None, as_json: bool,
    **keys: tuple[str, ...],
) -> None:  # fmt: skip
    """Record the ruling on a queue that this claimant holds, before anything is filed.

    Every proposal of the queue is named once, by its key. The ruling goes into the next engagement
    record of the phase, of phase review for a pull request, which carries on every decision that
    is in force: a newer record hides the older ones.
    """
    outcomes = _outcomes(keys)
    number = queues.where(target)[0]
    with queues.writing(sources, number) as writer:
        queue = queues.there(fetch(sources, *queues.where(target)).queue)
        check_claimant(queue, claimant)
        batch = _batch(sources, queue, outcomes, target)
        about = Target.of(target.kind, number, _phase(sources, target, of_phase or ""))
        candidate = _candidate(sources, about, batch, queues.where(target)[1])
        outcome = writer.write(candidate)
    _print(batch[0], outcome, as_json)


def _phase(sources: Sources, target: Target, named: str) -> str:
    """The phase whose record takes the ruling."""
    if target.pull_request:
        return REVIEW
    try:
        phases = read(sources.records(target), target, trusts=sources.trusts).records
    except UnknownSchemaVersion as error:
        raise Refused(f"{error}; nothing was written.") from None
    if named == _COMPLETED_BY_RECORD and named not in phases:
        raise Refused(f"phase {named} has no record, and this would complete it.")
    last = [phase for phase in PHASES if phase in phases][-1:]
    if not named and not last:
        raise Refused("no phase has a record yet: give --phase.")
    return named or last[0]


def _outcomes(keys: dict[str, tuple[str, ...]]) -> dict[str, str]:
    named = [(key, outcome) for outcome in rulings.OUTCOMES for key in keys[outcome]]
    found = dict(named)
    if len(found) < len(named):
        raise click.UsageError("A proposal has one outcome: name each key once.")
    return found


def _batch(sources: Sources, queue: Queue, outcomes: dict[str, str], target: Target) -> list[Entry]:
    known = unite(sources.records(target), (), target, trusts=sources.trusts).entries
    # Microseconds cut to milliseconds, as rulings carry them.
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    try:
        return rulings.entries(queue, outcomes, target.kind, now, known)
    except ValueError as error:
        raise Refused(f"{error}; nothing was written.") from None


def _candidate(sources: Sources, about: Target, batch: list[Entry], surface: str) -> Candidate:
    """The next record of the phase, with the batch in it."""
    number = about.pull_request or about.issue
    version = engagement.CURRENT[about.phase]
    own = marker("engagement-record", number, about.phase)
    try:
        carried = carry_forward(sources.records(about), batch, about, trusts=sources.trusts)
        payload = {
            "schema_version": version,
            "phase": about.phase,
            "capture_session": f"normal-{about.phase}-v{version}",
            "load_bearing_decisions": carried,
        }
        body = rendering.render_body(own, payload, mirror.render(carried, nested=True))
    except (Unreadable, UnknownSchemaVersion, rendering.Refused) as error:
        raise Refused(f"{error} [{error.code}]; nothing was written.") from None
    return Candidate(own, surface, body)


def _print(ruling: Entry, outcome: Outcome, as_json: bool) -> None:
    if as_json:
        facts = {"comment_id": outcome.comment_id, "url": outcome.url or None}
        print_json({"ruling": ruling, "record": outcome.marker.literal, **facts})
    else:
        click.echo(f"ruled: {ruling['gate_ruling_counts']}")
        click.echo(outcome.confirmation)
