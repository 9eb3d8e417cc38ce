"""``session-memory startup``: the start-up check by hand (SMC-07)."""

from collections.abc import Callable
from typing import Any

import click

from session_memory.cli import errors, output
from session_memory.cli.conversation import Conversation, options
from session_memory.core.session import Session
from session_memory.startup import manual
from session_memory.startup.candidates import Candidate
from session_memory.startup.manual import Checked, Marker

_NETWORK = click.option(
    "--network/--no-network",
    default=None,
    help="Ask the remote and GitHub, or do not; default: the settings.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group()
def command() -> None:
    """What finished work left behind: branches, worktrees, tracking files (SMC-07).

    Hooks run this check once a conversation. By hand it may be run at any time. It fetches, changes
    and deletes nothing.
    """


def _common(run: Callable[..., None]) -> Callable[..., None]:
    named: Callable[..., None] = options(_NETWORK(_JSON(run)))
    return named


@command.command("check")
@click.option("--mark", is_flag=True, help="Leave the marker: hooks of this conversation rest.")
@_common
def _check(conversation: Conversation, network: bool | None, as_json: bool, mark: bool) -> None:
    """Run the check and print what it finds, whether or not the conversation was told."""
    session = _inside(conversation)
    checked = manual.check(session, network)
    if mark:
        _mark(session, checked.report.text)
    if as_json:
        output.print_json(_json(session, manual.marker_of(session), checked))
    else:
        _print_report(checked)
    _warn(session)


@command.command("show")
@_common
def _show(conversation: Conversation, network: bool | None, as_json: bool) -> None:
    """Show which marker there is, and what a hook would say at the next start."""
    session = _inside(conversation)
    marker = manual.marker_of(session)
    checked = manual.check(session, network)
    if as_json:
        output.print_json(_json(session, marker, checked))
    else:
        output.print_facts(_facts(session, marker, checked))
        click.echo()
        _print_report(checked)
    _warn(session)


def _inside(conversation: Conversation) -> Session:
    if not conversation.session.root:
        raise errors.Refused("outside any repository; nothing was looked at (SMC-07)")
    return conversation.session


def _mark(session: Session, text: str) -> None:
    try:
        made = manual.mark(session, text)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise errors.Undelivered(f"the marker was not written: {reason} (SMC-07)") from None
    if not made:
        click.echo("note: the marker was there before", err=True)


def _facts(session: Session, marker: Marker, checked: Checked) -> dict[str, str]:
    return {
        "key": f"{session.key} (rung {session.rung})",
        "marker": marker.path or "none",
        "next start": _next(marker, checked),
        "network": _NETWORKS[checked.found.network],
        "time": f"{checked.seconds * 1000:.0f} ms, {_processes(checked)}",
    }


_NETWORKS = {
    "not-needed": "not needed",
    "off": "off, by default or by the settings",
    "asked": "remote or GitHub was asked",
    "failed": "the remote did not answer",
}


def _next(marker: Marker, checked: Checked) -> str:
    if marker.silences:
        return "silent: this conversation was told"
    if marker.path and not marker.complete:
        return "silent while another hook may be at work: the marker is empty"
    return "the report below" if checked.report.text else "silent: nothing is left over"


def _processes(checked: Checked) -> str:
    run = checked.run
    counts = {"git": run.git, "git ls-remote": run.ls_remote, "gh": run.gh}
    return ", ".join(f"{count} x {name}" for name, count in counts.items() if count) or "no process"


def _print_report(checked: Checked) -> None:
    text = checked.report.whole or "Nothing is left over."
    for line in text.split("\n"):
        click.echo(output.printable(line))


def _warn(session: Session) -> None:
    for loss in session.losses:
        click.echo(f"warning: {output.printable(loss)}", err=True)


def _json(session: Session, marker: Marker, checked: Checked) -> dict[str, Any]:
    run = checked.run
    return {
        "key": session.key,
        "rung": session.rung,
        "marker": vars(marker),
        "next_start": "silent" if marker.silences or not checked.report.text else "speaks",
        "report": checked.report.text,
        "sections": checked.report.sections,
        "commands": checked.report.fence,
        "candidates": [_candidate(each) for each in checked.found.candidates],
        "network": checked.found.network,
        "processes": {"git": run.git, "ls_remote": run.ls_remote, "gh": run.gh},
        "timing_ms": {
            "total": round(checked.seconds * 1000, 3),
            "snapshot": round(run.snapshot_s * 1000, 3),
            "evidence": round(run.evidence_s * 1000, 3),
        },
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    """All of them, also those of which hooks say nothing."""
    result, worktree = candidate.result, candidate.worktree
    evidence = result and {"kind": result.kind, "signal": result.signal, "number": result.number}
    return {
        "branch": candidate.name,
        "tip": candidate.branch.tip,
        "category": candidate.category,
        "worktree": worktree.path if worktree else None,
        "outcome": result.outcome if result else None,
        "evidence": evidence if result and result.eligible else None,
        "reason": result.reason if result else None,
        "dirty": candidate.is_dirty,
    }
