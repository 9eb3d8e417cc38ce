"""``session-memory memory write``: the caches, each in one step and under its lock."""

from dataclasses import dataclass
from typing import Any

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.groups import Group
from session_memory.cli.marker_writing import read_body
from session_memory.cli.memory_context import (
    Here,
    body_file,
    in_folder,
    issue_option,
    scope_option,
)
from session_memory.cli.memory_output import gap, tell
from session_memory.cli.output import print_json, printable
from session_memory.markers.body_rules import MAX_CHARACTERS
from session_memory.memory import deferral, install_prompt, names, review_state
from session_memory.memory.caches import MAX_BYTES, Unwritable
from session_memory.memory.names import NAMESPACE, Bundle
from session_memory.memory.rate_limit import DEFER

_DURABLE = "this conversation and this checkout only; a checkpoint makes it durable"
_NEVER_DURABLE = "this conversation and this checkout only; there is no durable copy"


@click.group(cls=Group)
def write() -> None:
    """Write a row's cache. Nothing is sent anywhere: only a checkpoint makes a cache durable."""


@write.command("plan")
@issue_option
@body_file
@shared.as_json
@in_folder
def _plan(here: Here, issue: int, body_file: str, as_json: bool) -> None:
    """Replace the cached plan of an issue (SMC-01)."""
    _text(here, "SMC-01", names.plan(issue), body_file, as_json)


@write.command("plan-bundle")
@click.argument("name")
@body_file
@shared.as_json
@in_folder
def _plan_bundle(here: Here, name: str, body_file: str, as_json: bool) -> None:
    """Replace the cached plan of several issues, such as 163-164 (SMC-02)."""
    _text(here, "SMC-02", Bundle.parse(name).file, body_file, as_json)


@write.command("design")
@issue_option
@body_file
@shared.as_json
@in_folder
def _design(here: Here, issue: int, body_file: str, as_json: bool) -> None:
    """Replace the cached design of an issue (SMC-03)."""
    _text(here, "SMC-03", names.design(issue), body_file, as_json)


def _text(here: Here, row: str, file: str, body_file: str, as_json: bool) -> None:
    text = read_body(body_file)
    if not text.strip():
        raise Refused(f"{row}: an empty text is no cache. Nothing was written.")
    if len(text.encode()) > MAX_BYTES:
        raise Refused(f"{row}: more than {MAX_BYTES} bytes. Nothing was written.")
    aside = here.caches.write(file, text)
    gaps = [_DURABLE]
    if len(text) > MAX_CHARACTERS - 100:
        gaps.append("it is longer than a comment, so it cannot be made durable as it is")
    _tell(here, _Result(row, file, aside, tuple(gaps)), as_json)


@write.command("review-state")
@shared.number_option("--issue", "issue")
@click.option(
    "--stage",
    "stages",
    type=click.Choice((*review_state.STAGES, review_state.ALL)),
    multiple=True,
    required=True,
    help="What is done now; repeatable.",
)
@click.option("--mode", type=click.Choice(review_state.MODES), help="Default: as it was, or full.")
@click.option("--restart", is_flag=True, help="A new round: no other stage is done.")
@shared.as_json
@in_folder
def _review_state(here: Here, issue: "int | None", as_json: bool, **given: Any) -> None:
    """Mark stages of a review as done; the others stay as they are (SMC-05).

    Without --issue, the issue is that of a branch feature/issue-N-…; on another branch nothing is
    written, and that is no fault.
    """
    own = review_state.target(here.branch)
    keyed = issue or own
    if not keyed:
        if as_json:
            print_json({"row": "SMC-05", "written": None})
        gap("the branch names no issue, so no review state is kept; the stages run again next time")
        return
    everything = review_state.ALL in given["stages"]
    done = review_state.STAGES if everything else given["stages"]
    written = review_state.write(here.caches, keyed, done, given["mode"], restart=given["restart"])
    gaps = [_NEVER_DURABLE]
    if own != keyed:
        gaps.append(f"the branch is not feature/issue-{keyed}-…, by which others look for it")
    result = _Result("SMC-05", names.review_state(keyed), written.aside, tuple(gaps))
    _tell(here, result, as_json, state=written.state.as_dict())


@write.command("deferred-work")
@scope_option
@click.option("--body-file", default="", metavar="FILE", help="JSON or YAML, below .tmp, or -.")
@click.option("--done", multiple=True, metavar="ID", help="An item that is done; repeatable.")
@shared.as_json
@in_folder
def _deferred_work(
    here: Here, scope: str, body_file: str, done: tuple[str, ...], as_json: bool
) -> None:
    """Add to what a rate limit left undone, or take out what is done (SMC-15).

    An item stays until --done names it. If nothing can be written, the items are printed, so that
    they can be carried in the conversation; the exit code is then 3.
    """
    file = names.deferred_work(scope)
    if not body_file and not done:
        raise click.UsageError("Give --body-file or --done.")
    try:
        new = deferral.from_text(read_body(body_file), scope) if body_file else None
        written = deferral.write(here.caches, scope, new, done)
    except (deferral.BadPayload, deferral.Misfit) as error:
        raise Refused(f"SMC-15 {scope}: {error}. Nothing was written.") from None
    except Unwritable as error:
        if new is None:
            raise
        _carry(scope, new, as_json)
        raise Undelivered(f"SMC-15 {scope}: {error}; carry the items in the text.") from None
    result = _Result("SMC-15", file, written.aside, (_NEVER_DURABLE,))
    _tell(here, result, as_json, payload=written.payload, kept=written.kept)


def _carry(scope: str, payload: deferral.Payload, as_json: bool) -> None:
    file, how = deferral.place(scope, DEFER, writable=False)
    text = deferral.carry(payload)
    if as_json:
        print_json({"row": "SMC-15", "file": file, "carry": how, "text": text})
        return
    for line in text.split("\n"):
        click.echo(printable(line))


@write.command("install-prompt")
@click.option("--answer", type=click.Choice(install_prompt.ANSWERS), default="continue")
@shared.as_json
@in_folder
def _install_prompt(here: Here, answer: str, as_json: bool) -> None:
    """Remember that the prompt was answered, whatever the answer was (SMC-18)."""
    aside = install_prompt.write(here.caches, answer)
    file = names.install_prompt(here.caches.root)
    result = _Result("SMC-18", file, aside, ("this conversation only, and Copilot only",))
    _tell(here, result, as_json)


@dataclass(frozen=True)
class _Result:
    """``aside`` is the name of a file that could not be used, or ``""``."""

    row: str
    file: str
    aside: str
    gaps: tuple[str, ...]


def _tell(here: Here, result: _Result, as_json: bool, **more: object) -> None:
    path = here.caches.path(result.file)
    if as_json:
        print_json({"row": result.row, "written": path, "namespace": NAMESPACE + result.file,
                    "set_aside": result.aside or None, "gaps": list(result.gaps),
                    **more})  # fmt: skip
        return
    click.echo(printable(f"wrote {path}"))
    if result.aside:
        tell(f"note: what was there could not be used and is kept as {result.aside}")
    if more.get("kept"):
        tell(f"note: {more['kept']} deferred before and still there")
    for text in result.gaps:
        gap(text)
