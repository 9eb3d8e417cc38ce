"""``session-memory gate``: write decision tokens, read the log of a conversation (SMC-21)."""

import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from session_memory.cli import errors, output, token_input
from session_memory.cli.conversation import Conversation, options
from session_memory.core.session import Session
from session_memory.gates import emission, selection
from session_memory.gates.reader import GateLog
from session_memory.gates.tail import Entry
from session_memory.gates.tokens import CHOICES

_POLL_S = 0.3
_HEADING = "TIME                  TYPE      PHASE          FOR      WHAT"

# For the help; the first character keeps its lines apart.
_EXAMPLE = """\b
Example:
  session-memory gate emit --decision-id d-load-order --phase design \\
    --outcome asked --classification load-bearing \\
    --window-position pre-ask --issue 617

SMC-21 in messages is a row of the session-memory contract, that on gate events.
"""

_NEXT = "Correct the token and run the command again; nothing was written."


@click.group("gate", epilog=_EXAMPLE)
def command() -> None:
    """Decision tokens and question events of a conversation.

    A decision token is one line of JSON. The agent writes it with "gate emit" whenever it has put a
    decision to the user, or was lawfully free not to: it says which decision it was, in which phase
    and for which issue, and how it came out. That the question was really asked is recorded by the
    hook, in the same log, as a question event. "gate log" shows both.
    """


def _session(conversation: Conversation) -> Session:
    if not conversation.session.root:
        raise errors.Refused("outside any repository there is no log (SMC-21); see --cwd.")
    return conversation.session


def _text(flag: str, field: str, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    metavar = "|".join(CHOICES[field]) if field in CHOICES else None
    return click.option(flag, field, metavar=metavar, help=text)


@command.command("emit")
@_text("--decision-id", "decision_id", "Slug; a finding's stable key in window review-disposition.")
@_text("--phase", "phase", "Phase in which the decision falls.")
@_text("--outcome", "outcome", "Asked, or why it was lawfully not asked.")
@_text("--classification", "classification", "Weight of the decision.")
@_text("--window-position", "window_position", "Where in the flow it falls.")
@click.option("--issue", "issue_number", type=int, help="Issue number, in every other window.")
@click.option("--pr", "pull_request_number", type=int, help="Number in window review-disposition.")
@_text("--skip-reason", "skip_reason", "Prose, for every outcome but asked.")
@_text("--timestamp", "timestamp", "ISO-8601 time in UTC; default: now.")
@click.option("--json-file", metavar="FILE", help="The whole token as one JSON object; - is stdin.")
@options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def _emit(
    conversation: Conversation, json_file: str | None, as_json: bool, **fields: object
) -> None:
    """Check a decision token and append it to the conversation's log.

    Its timestamp may be left out; it is then the present time. A token is refused as a whole, with
    exit code 2, when a field is missing, unknown or does not go with another one. When the file
    system does not take it the exit code is 3.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    if json_file and given:
        raise click.UsageError("--json-file is the whole token; leave the other fields out.")
    session = _session(conversation)
    try:
        token = token_input.read(json_file) if json_file else token_input.from_options(given)
        receipt = emission.emit(session, token)
    except emission.Refused as refusal:
        if as_json:
            output.print_json({"written": False, "errors": refusal.errors})
        raise errors.Refused(f"token refused (SMC-21): {refusal}. {_NEXT}") from None
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"token not written (SMC-21): {reason}, below {session.root}"
        raise errors.Undelivered(message) from error
    _print_receipt(receipt, as_json)


def _print_receipt(receipt: emission.Receipt, as_json: bool) -> None:
    facts = {"key": receipt.key, "rung": receipt.rung, "log": receipt.path}
    if as_json:
        output.print_json({"written": True, **facts, "token": receipt.token})
    else:
        output.print_facts(facts)


def _log_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that say which log is meant; ``function`` gets the log itself."""

    @functools.wraps(function)
    def run(*, conversation: Conversation, everything: bool, **rest: Any) -> None:
        if everything and conversation.chosen:
            raise click.UsageError("--all excludes --session and --key.")
        session = _session(conversation)
        function(GateLog(session.root, "" if everything else session.key), **rest)

    all_help = "Every conversation's log here."
    return options(click.option("--all", "everything", is_flag=True, help=all_help)(run))


@command.command("log")
@_log_options
@click.option("--type", "kind", type=click.Choice([selection.TOKEN, selection.QUESTION]))
@click.option(
    "--phase",
    type=click.Choice(CHOICES["phase"], case_sensitive=False),
    help="Only tokens of this phase.",
)
@click.option("--decision", default="", metavar="ID", help="Only tokens of this decision.")
@click.option(
    "--since",
    callback=token_input.moment,
    default="",
    metavar="WHEN",
    help="From this time on: 2026-06-02, 2026-06-02T08:00:00Z, or an age such as 90s, 15m, 2h, 3d.",
)
@click.option("--follow", is_flag=True, help="Wait for new records; Ctrl-C ends it.")
@click.option("--json", "as_json", is_flag=True, help="Print each record as one JSON line.")
def _log(log: GateLog, follow: bool, as_json: bool, **conditions: Any) -> None:
    """Show the gate events of a conversation in the order of time."""
    given = {name: value for name, value in conditions.items() if value}
    wanted = selection.Selection(**given)
    seen = shown = 0
    try:
        for entry in _records(log, follow):
            seen += 1
            if not wanted.takes(entry):
                continue
            if not shown and not as_json:
                click.echo(_HEADING)
            shown += 1
            _print_entry(entry, not log.key, as_json)
    except KeyboardInterrupt:  # the way out of --follow
        pass
    _print_faults(log)
    if not shown and not follow:
        _print_absence(log, seen)


def _print_absence(log: GateLog, seen: int) -> None:
    whose = f"of conversation {log.key}" if log.key else "of any conversation"
    if seen:
        events = output.counted(seen, "gate event", "gate events")
        click.echo(f"None of the {events} {whose} meets the conditions.", err=True)
        return
    places = output.printable(", ".join(log.paths()))
    click.echo(f"No gate events {whose}. Looked in {places}", err=True)
    others = len(GateLog(log.root).keys()) if log.key else 0
    if others:
        have = output.counted(others, "other conversation has", "other conversations have")
        click.echo(f"{have} events here: session-memory gate log --all", err=True)


def _records(log: GateLog, follow: bool) -> Iterator[Entry]:
    if not follow:
        yield from log.read()
    while follow:
        yield from log.news()
        time.sleep(_POLL_S)


def _print_entry(entry: Entry, with_key: bool, as_json: bool) -> None:
    record = entry.record
    if as_json:
        output.print_json(record)
        return
    kind = selection.kind(record)
    text = {name: str(record.get(name, "-")) for name in ("timestamp", "phase", "session_key")}
    columns = f"{text['timestamp']:<20}  {kind:<8}  {text['phase']:<13}  {_subject(record):<7}  "
    key = f" [{text['session_key']}]" if with_key else ""
    click.echo(output.printable(f"{columns}{_what(kind, record)}{key}"))


def _subject(record: dict[str, object]) -> str:
    if "pull_request_number" in record:
        return f"PR {record['pull_request_number']}"
    return f"#{record['issue_number']}" if "issue_number" in record else "-"


def _what(kind: str, record: dict[str, object]) -> str:
    if kind == selection.TOKEN:
        facts = [str(record.get(n, "?")) for n in ("outcome", "classification", "window_position")]
        reason = f" ({record['skip_reason']})" if record.get("skip_reason") else ""
        return f"{record['decision_id']}: {', '.join(facts)}{reason}"
    if kind == selection.QUESTION:
        count = record.get("question_count", "?")
        agent = f", agent {record['agent_id']}" if record.get("agent_id") else ""
        noun = "question" if count == 1 else "questions"
        digest = record.get("question_digest") or "no digest"
        return f"{record.get('tool_name', '?')}: {count} {noun}, {digest}{agent}"
    return f"not a gate event, {output.counted(len(record), 'field', 'fields')}"


def _print_faults(log: GateLog) -> None:
    faults = log.faults
    if faults.lines:
        more = ", …" if faults.lines > len(faults.first) else ""
        places = output.printable(", ".join(faults.first)) + more
        lines = output.counted(faults.lines, "unreadable line", "unreadable lines")
        click.echo(f"{lines}: {places}", err=True)
    for text in faults.files:
        click.echo(f"cannot be read: {output.printable(text)}", err=True)
