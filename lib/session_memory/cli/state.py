"""``session-memory state``."""

import time
from itertools import islice

import click

from session_memory.cli.conversation import Conversation, options
from session_memory.cli.errors import Refused
from session_memory.cli.output import counted, print_json, printable
from session_memory.contract.inventory import MAX_FILES, StateFile, state_files
from session_memory.core.checkout import Checkout
from session_memory.core.session import Session
from session_memory.hygiene.state import hygiene_key

_UNITS_S = (("d", 86400), ("h", 3600), ("m", 60))


@click.command("state")
@click.option("--all", "everything", is_flag=True, help="Files of other conversations, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options
def command(conversation: Conversation, everything: bool, as_json: bool) -> None:
    """List the state files of this conversation and of the checkout that it is in.

    Each comes with its row of the contract, how long it survives, its size, its age and the session
    key in its name. Nothing is opened, and what is absent is not mentioned.
    """
    session = conversation.session
    if session.checkout is None:
        raise Refused("this folder is in no git repository, so hooks keep no state here")
    found = list(islice(state_files(session.checkout), MAX_FILES + 1))
    slugs = _slugs(session, session.checkout)
    shown = [one for one in found[:MAX_FILES] if everything or _is_ours(one, session.key, slugs)]
    if as_json:
        print_json({
            "root": session.root, "key": session.key, "complete": len(found) <= MAX_FILES,
            "files": [_json(one, session.key, slugs) for one in shown],
            "of_other_conversations": len(found[:MAX_FILES]) - len(shown),
        })  # fmt: skip
        return
    _print(shown)
    if not found:
        click.echo("there are no state files here", err=True)
    _note(len(found) - len(shown) if len(found) <= MAX_FILES else 0, len(found) > MAX_FILES)


def _slugs(session: Session, checkout: Checkout) -> set[str]:
    """What release-hygiene files of this conversation are called."""
    return {session.key.partition("-")[2], hygiene_key("", checkout.branch, checkout.sha)[0]}


def _is_ours(file: StateFile, key: str, slugs: set[str]) -> bool:
    """Whether a file belongs to this conversation, or to no conversation in particular."""
    owned = file.owner
    return owned.key in ("", key) and (not owned.slug or owned.slug in slugs)


def _print(found: list[StateFile]) -> None:
    width = max((len(one.relative) for one in found), default=0)
    for one in found:
        rows = ", ".join(row.id for row in one.owner.rows) or "no row"
        facts = f"{rows:<14}  {one.owner.place.survival:<25}  {_size(one.size):>9}  {_age(one):>5}"
        companion = f"  ({one.owner.companion})" if one.owner.companion else ""
        click.echo(printable(f"{one.relative:<{width}}  {facts}  {_key(one) or '-'}{companion}"))


def _note(others: int, more: bool) -> None:
    if others:
        click.echo(f"{counted(others, 'file')} of other conversations; --all shows them", err=True)
    if more:
        click.echo(f"only the first {MAX_FILES} files were looked at", err=True)


def _json(one: StateFile, key: str, slugs: set[str]) -> dict[str, object]:
    return {
        "path": one.path,
        "rows": [row.id for row in one.owner.rows],
        "survival": one.owner.place.survival,
        "companion": one.owner.companion or None,
        "size": one.size,
        "age_s": round(time.time() - one.modified, 1),
        "key": _key(one) or None,
        "current": _is_ours(one, key, slugs),
    }


def _key(one: StateFile) -> str:
    return one.owner.key or one.owner.slug


def _size(size: int) -> str:
    return f"{size} B" if size < 10_000 else f"{size >> 10} KiB"


def _age(one: StateFile) -> str:
    age = max(time.time() - one.modified, 0)
    for unit, seconds in _UNITS_S:
        if age >= seconds:
            return f"{int(age // seconds)} {unit}"
    return f"{int(age)} s"
