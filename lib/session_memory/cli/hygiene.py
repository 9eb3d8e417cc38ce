"""``session-memory hygiene``: the decision on a version bump (SMC-12)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from session_memory.cli import errors, output
from session_memory.cli.conversation import Conversation, options
from session_memory.cli.groups import Group
from session_memory.core import key as keys
from session_memory.core.checkout import Checkout
from session_memory.hygiene import rules
from session_memory.hygiene.decision import LEVELS, Decision, Unreadable
from session_memory.hygiene.rules import Rules
from session_memory.hygiene.state import recorded_files
from session_memory.hygiene.verifier import FAILED, verify_bump


@click.group("hygiene", cls=Group)
def command() -> None:
    """The decision on a version bump for the entry points that a conversation edited (SMC-12).

    The hook proposes it once, a person makes it, and the agent writes it down. All worktrees of a
    clone share the files; their names come from the session id, else from the branch.
    """


def _in_checkout(run: Callable[..., None]) -> Callable[..., None]:
    """The conversation's options and ``--json``; ``run`` gets the decision."""

    @options
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    @wraps(run)
    def wrapped(*, conversation: Conversation, **rest: Any) -> None:
        session = conversation.session
        checkout = session.checkout
        if checkout is None:
            raise errors.Refused("outside any repository there is no decision (SMC-12).")
        own = keys.session_key("", checkout.branch, checkout.sha)[0]
        if session.rung != keys.SESSION_ID and session.key != own:
            raise click.UsageError(f"--key is here {own} or begins with s-.")
        run(Decision.of(session, checkout), **rest)

    return wrapped


@command.command("show")
@_in_checkout
def _show(decision: Decision, as_json: bool) -> None:
    """Show what this conversation's state file says."""
    document = _read(decision)
    if as_json:
        output.print_json({"file": decision.path, "state": document or None})
        return
    credit = document.get("symmetric_bump_credit")
    files = recorded_files(document)
    facts = {
        "file": decision.path + ("" if document else " (absent: nothing was proposed)"),
        "proposed": _text(document.get("proposed_level")),
        "chosen": _text(document.get("chosen_level")) or ("not yet" if document else ""),
        "key from": _text(document.get("keying_strategy")),
        "touched": ", ".join(files),
        "bump": _text(credit.get("status")) if isinstance(credit, dict) else "",
        "evidence": _text(credit.get("evidence")) if isinstance(credit, dict) else "",
    }
    output.print_facts(facts)


@command.command("choose")
@click.argument("level", type=click.Choice(LEVELS))
@_in_checkout
def _choose(decision: Decision, level: str, as_json: bool) -> None:
    """Write down the LEVEL that a person chose; "skip" is no bump.

    The rest of the state file stays. Afterwards the hook is silent in this conversation.
    """
    try:
        before = decision.choose(level)
    except Unreadable:
        raise _unusable(decision) from None
    except OSError as error:
        why = f"{decision.path}: {error.strerror or error}"
        raise errors.Undelivered(f"{why}. Nothing was written (SMC-12).") from None
    if as_json:
        output.print_json({"file": decision.path, "chosen_level": level, "before": before})
        return
    facts = {"file": decision.path, "chosen": level}
    facts["before"] = _text(before) if before != level else ""
    output.print_facts(facts)


@command.command("verify")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@_in_checkout
def _verify(decision: Decision, paths: tuple[str, ...], as_json: bool) -> None:
    """Check that the managed files state one version; exit code 1 if they do not.

    FILE, relative to the root, are the edited ones; default: those that the state file names, else
    all managed files. Nothing is written.
    """
    known = _rules(decision.checkout)
    touched = list(paths) or recorded_files(_read(decision))
    touched = touched or [file.path for file in known.files]
    credit = verify_bump(decision.checkout.root, touched, known.files)
    if as_json:
        output.print_json(credit)
    else:
        click.echo(output.printable(f"{credit['status']}: {credit['evidence']}"))
    click.get_current_context().exit(errors.FAULTY if credit["status"] == FAILED else 0)


def _rules(checkout: Checkout) -> Rules:
    lost: list[str] = []
    known = rules.load(checkout.root, lost.append)
    for loss in lost:
        click.echo(f"warning: {output.printable(loss)}", err=True)
    if known is None:
        raise errors.Refused("no releases are made from this checkout (SMC-12).")
    return known


def _read(decision: Decision) -> dict[str, object]:
    try:
        return decision.read()
    except Unreadable:
        raise _unusable(decision) from None


def _unusable(decision: Decision) -> errors.Undelivered:
    return errors.Undelivered(f"{decision.path} is no JSON object that can be used (SMC-12).")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
