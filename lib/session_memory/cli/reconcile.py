"""``session-memory reconcile`` (SMC-21, L2)."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from session_memory.cli import errors
from session_memory.cli import reading as shared
from session_memory.cli.output import print_json, printable
from session_memory.core.checkout import locate
from session_memory.gates import reconcile
from session_memory.gates import sources as gate_sources
from session_memory.gates.log_record import Asked
from session_memory.markers.problem import echo
from session_memory.markers.target import Target
from session_memory.records.sources import Sources

_CODES = {
    reconcile.CLEAN: 0,
    reconcile.FINDINGS: errors.FINDINGS,
    reconcile.NOTHING: errors.NOTHING_TO_CHECK,
    reconcile.INCOMPLETE: errors.INCOMPLETE,
}
_SUMMARY = {
    reconcile.CLEAN: "every decision that was asked for is recorded",
    reconcile.FINDINGS: "decisions were asked for and are not recorded",
    reconcile.NOTHING: "the log holds no token for this, which proves nothing",
    reconcile.INCOMPLETE: "not everything could be read, so nothing is proven",
}


@click.command("reconcile")
@click.option(
    "--log",
    "path",
    default="",
    metavar="FILE",
    help="One log, - is standard input; default: all of this worktree.",
)
@click.option("--strict", is_flag=True, help="Exit with 10, 11 or 12 unless the outcome is clean.")
@shared.as_json
@shared.on_target()
@shared.on_github
def command(sources: Sources, target: Target, path: str, strict: bool, as_json: bool) -> None:
    """Find decisions that somebody was asked for and that no comment records.

    The outcome is clean, findings, nothing-to-check or incomplete. It warns and exits with 0;
    --strict exits with 10 for findings, 11 for nothing-to-check and 12 for incomplete. Questions
    that no editor event confirms are listed apart; they change no outcome.
    """
    with _log(path) as log:
        result = gate_sources.run(log, sources, target)
    if as_json:
        print_json({"target": target.name, "phase": target.phase, **_json(result)})
    else:
        _print(target.name, result)
    if strict:
        click.get_current_context().exit(_CODES[result.reconciliation.status])


@contextmanager
def _log(path: str) -> Iterator[gate_sources.Log]:
    if path == "-":
        yield gate_sources.Log.of_file(sys.stdin.buffer, "standard input")
    elif path:
        try:
            file = open(path, "rb")  # noqa: SIM115 - closed below; only opening it is guarded
        except OSError as error:
            raise errors.Refused(f"{path}: {error.strerror or error}") from None
        with file:
            yield gate_sources.Log.of_file(file, path)
    else:
        checkout = locate(str(shared.here()))
        if checkout is None:
            raise errors.Refused("outside any repository there is no log (SMC-21); see --log.")
        yield gate_sources.Log.of_worktree(checkout.root)


def _json(result: gate_sources.Result) -> dict[str, object]:
    found = result.reconciliation
    return {
        "status": found.status,
        "findings": [{**_asked(item), "severity": "warn"} for item in found.findings],
        "uncorroborated": [{**_asked(item), "severity": "info"} for item in found.uncorroborated],
        "token_count": found.token_count,
        "recorded_count": found.recorded_count,
        "lawful_skips": found.lawful_skips,
        "bad_lines": found.bad_lines,
        "problems": shared.problems_json(found.problems),
        "warnings": shared.problems_json(result.warnings),
    }


def _asked(item: Asked) -> dict[str, object]:
    """One shape for both lists; ids come from a log that anybody's agent may write."""
    return {
        "decision_id": item.decision_id,
        "phase": echo(item.phase),
        "window_position": echo(item.window_position),
        "asked_at": echo(item.timestamp),
        "session_key": echo(item.session_key),
        "times": item.times,
    }


def _print(name: str, result: gate_sources.Result) -> None:
    found = result.reconciliation
    click.echo(f"{found.status}: {name}: {_SUMMARY[found.status]}")
    for item in found.findings:
        click.echo(printable(f"  not recorded: {_line(item)}"))
    for item in found.uncorroborated:
        click.echo(printable(f"  not confirmed by an event: {_line(item)}"))
    counts = {
        "token": found.token_count,
        "recorded decision": found.recorded_count,
        "lawful skip": found.lawful_skips,
    }
    click.echo(", ".join(shared.count(number, noun) for noun, number in counts.items()))
    shared.warn([*found.problems, *result.warnings])


def _line(item: Asked) -> str:
    times = f", {item.times} times" if item.times > 1 else ""
    where = f"{echo(item.phase)}, {echo(item.window_position)}, {echo(item.timestamp)}"
    return f"{item.decision_id} ({where}{times})"
