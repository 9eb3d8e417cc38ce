"""``session-memory memory checkpoint``: pause or continue before implementation (D9)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from session_memory.cli import errors
from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.marker_results import outcome_json
from session_memory.cli.memory_context import on_rungs
from session_memory.cli.memory_output import tell
from session_memory.cli.output import print_json, printable
from session_memory.markers import burst, write_lock
from session_memory.markers.comment import instant
from session_memory.markers.families import Marker
from session_memory.markers.outcome import NotDelivered, Outcome, Unverified, WriteFailed
from session_memory.markers.writer import Writer
from session_memory.memory import checkpoint
from session_memory.memory.checkpoint import CONFLICT, UNKNOWN, WRITE, Artifact
from session_memory.memory.handoff import (
    ARTIFACTS,
    CONTINUE,
    PAUSE,
    is_continue,
    is_pause,
    is_settled,
)
from session_memory.memory.names import Bundle
from session_memory.memory.rungs import Rungs
from session_memory.records.sources import Sources


class _Halted(errors.Fault):
    exit_code = errors.HALTED


def _moment(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if text and instant(text) is None:
        raise click.BadParameter("give a time such as 2026-01-02T10:30:00Z.")
    return text


@click.command("checkpoint")
@shared.number_option("--issue", "issues", multiple=True, help="Number of the issue; repeatable.")
@click.option("--bundle", "bundle_name", default="", metavar="NAME", help="Instead of --issue.")
@click.option("--answer", default="", metavar="TEXT", help=f'"{CONTINUE}" or "{PAUSE}".')
@click.option("--tier", type=click.Choice(sorted(ARTIFACTS)), default="full", show_default=True)
@click.option(
    "--began",
    default="",
    metavar="TIME",
    callback=_moment,
    help="When the session began; younger comments do not make the question unnecessary.",
)
@click.option("--take-cache", is_flag=True, help="Write caches that are not provably newer, too.")
@click.option("--dry-run", is_flag=True, help="Check all, show what a pause would write.")
@shared.as_json
@on_rungs
def checkpoint_command(rungs: Rungs, answer: str, as_json: bool, **given: Any) -> None:
    """Make plan and design durable on a pause, and only what is missing or changed.

    Without --answer it tells whether the question is necessary at all. To continue writes nothing.
    A pause writes plan-issue and design-issue comments from the caches: those for which there is
    no comment, and those whose cache is provably newer. If any other cache differs from its
    comment, nothing is written, and the exit code is 2; --take-cache says that it is the newer one.
    """
    bundle = Bundle.parse(given["bundle_name"]) if given["bundle_name"] else None
    if bool(given["issues"]) == bool(bundle):
        raise click.UsageError("Give either --issue or --bundle.")
    asked = _Asked(
        bundle.issues if bundle else tuple(dict.fromkeys(given["issues"])),
        bundle,
        given["take_cache"],
    )
    if not answer:
        _necessity(rungs, asked.issues, (given["tier"], given["began"]), as_json)
    elif is_pause(answer):
        _pause(rungs, asked, given["dry_run"], as_json)
    elif is_continue(answer):
        _report([], {}, "continue", as_json)
    else:
        raise click.UsageError(f'The answers are "{CONTINUE}" and "{PAUSE}".')


@dataclass(frozen=True)
class _Asked:
    """What a pause is about."""

    issues: tuple[int, ...]
    bundle: "Bundle | None"
    take_cache: bool


def _necessity(rungs: Rungs, issues: tuple[int, ...], by: tuple[str, str], as_json: bool) -> None:
    """Whether every artifact of the tier was durable before this session, which began then."""
    tier, began = by
    try:
        found = {issue: checkpoint.present(rungs.durable, issue, began) for issue in issues}
    except checkpoint.NotKnown as error:
        unread = f"which artifacts are durable could not be read: {error}"
        raise Undelivered(f"{unread.rstrip('.')}. So the question stands.") from None
    settled = is_settled(tier, found.values())
    missing = {issue: sorted(ARTIFACTS[tier] - families) for issue, families in found.items()}
    if as_json:
        print_json({"necessary": not settled, "tier": tier, "missing": missing})
        return
    click.echo("not necessary: all is durable" if settled else "necessary")
    for issue, families in missing.items():
        if families:
            click.echo(f"  issue {issue} lacks {', '.join(families)}")


def _pause(rungs: Rungs, asked: _Asked, dry_run: bool, as_json: bool) -> None:
    if rungs.durable.offline:
        raise Refused("a pause writes to GitHub, so it cannot be made offline.")
    with shared.told_faults():
        sources = rungs.durable.connect()
        with _held(sources, asked.issues):
            artifacts = checkpoint.survey(
                rungs, asked.issues, asked.bundle, take_cache=asked.take_cache
            )
            _refuse(artifacts)
            writes = [one for one in artifacts if one.action == WRITE]
            written = {} if dry_run or not writes else _write(rungs, sources, writes)
    _report(artifacts, written, "dry-run" if dry_run else "pause", as_json)


@contextmanager
def _held(sources: Sources, issues: Sequence[int]) -> Iterator[None]:
    try:
        with write_lock.held(sources.github.repository, issues, shared.progress()):
            yield
    except write_lock.Busy as error:
        raise Undelivered(f"{error}. Nothing was written; run this again.") from None


def _refuse(artifacts: list[Artifact]) -> None:
    for one in artifacts:
        if one.action == UNKNOWN:
            raise Undelivered(f"{_name(one)}: {one.reason}. Nothing was written.")
    conflicts = [one for one in artifacts if one.action == CONFLICT]
    if conflicts:
        told = "; ".join(f"{_name(one)}: {one.reason}" for one in conflicts)
        raise Refused(
            f"{told}. Nothing was written; compare them, and use --take-cache if the caches are"
            " newer."
        )


def _write(rungs: Rungs, sources: Sources, writes: list[Artifact]) -> dict[Marker, Outcome]:
    """Write all, checked before the first is sent."""
    try:
        candidates = [one.candidate for one in writes]
    except WriteFailed as failure:
        raise Refused(str(failure)) from None
    report = burst.write(Writer(sources.github, sources.trusts), candidates, shared.progress())
    for one, _ in zip(writes, report.outcomes, strict=False):
        record = rungs.durable.comment(one.marker, again=True)
        if record.found:
            file = one.pair.file
            rungs.observations.note(file, one.marker, record.text, one.pair.cache.text)
    if report.failure:
        raise _fault(report)
    return {outcome.marker: outcome for outcome in report.outcomes}


def _fault(report: burst.Report) -> errors.Fault:
    if report.halted:
        return _Halted(f"{report.reason}; {report.artifacts}")
    if isinstance(report.failure, Unverified):
        return errors.Unverified(report.reason)
    if isinstance(report.failure, NotDelivered):
        return Undelivered(report.reason)
    return Refused(report.reason)


def _report(
    artifacts: list[Artifact], written: dict[Marker, Outcome], answer: str, as_json: bool
) -> None:
    if as_json:
        rows = [_json(one, written.get(one.marker)) for one in artifacts]
        print_json({"answer": answer, "artifacts": rows})
        return
    if answer == "continue":
        click.echo("continue: nothing is written durably")
    for one in artifacts:
        outcome = written.get(one.marker)
        verb = outcome.confirmation if outcome else _VERBS.get(one.action, one.action)
        click.echo(printable(f"{_name(one)}: {verb}: {one.reason}"))
        if outcome:
            shared.warn(outcome.warnings)
        for note in one.pair.durable.notes:
            tell(f"note: {note}")


_VERBS = {WRITE: "would write from the cache", "keep": "not written", "nothing": "not written"}


def _json(one: Artifact, outcome: "Outcome | None") -> dict[str, object]:
    return {
        "family": one.marker.family.name,
        "issue": one.marker.number,
        "action": one.action,
        "source": "session" if one.action == WRITE else None,
        "freshness": one.pair.freshness,
        "reason": one.reason,
        "cache": one.pair.cache.where,
        "outcome": outcome_json(outcome) if outcome else None,
    }


def _name(one: Artifact) -> str:
    return f"{one.marker.family.name} of issue {one.marker.number}"
