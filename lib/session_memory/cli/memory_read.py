"""``session-memory memory read``: each row by its own read chain."""

import os

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.groups import Group
from session_memory.cli.memory_context import (
    Here,
    in_folder,
    issue_option,
    on_rungs,
    scope_option,
)
from session_memory.cli.memory_output import (
    print_completion,
    print_reading,
    source_json,
    source_line,
    tell,
)
from session_memory.cli.output import print_json, printable
from session_memory.memory import deferral, install_prompt, plans, review_evidence, review_state
from session_memory.memory.freshness import DURABLE_NEWER, ONLY_DURABLE, below
from session_memory.memory.names import Bundle
from session_memory.memory.rungs import Pair, Rungs
from session_memory.memory.sources import BUNDLE, FAILED, SESSION, Reading

_CONVERSATION = "what is deferred here is lost with the conversation's session memory"

refresh_option = click.option(
    "--refresh", is_flag=True, help="Make the cache anew from a durable record that is newer."
)


@click.group(cls=Group)
def read() -> None:
    """Read a row by its own read chain, and say which source answered.

    The answer goes to standard output, the sources to standard error. Exit code 2: there is none;
    3: a source could not be read, so that there may be one.
    """


@read.command("plan")
@issue_option
@refresh_option
@shared.as_json
@on_rungs
def _plan(rungs: Rungs, issue: int, refresh: bool, as_json: bool) -> None:
    """Print the plan of an issue: bundle, own file, durable comment (SMC-01)."""
    reading, pairs = plans.read_plan(rungs, issue)
    _finish(rungs, reading, pairs, refresh, as_json)


@read.command("plan-bundle")
@click.argument("name")
@shared.as_json
@on_rungs
def _plan_bundle(rungs: Rungs, name: str, as_json: bool) -> None:
    """Print the plan of several issues, such as 163-164: file, durable comments (SMC-02)."""
    bundle = Bundle.parse(name)
    reading, pairs = plans.read_bundle(rungs, bundle)
    _finish(rungs, reading, pairs, False, as_json)


@read.command("design")
@issue_option
@refresh_option
@shared.as_json
@on_rungs
def _design(rungs: Rungs, issue: int, refresh: bool, as_json: bool) -> None:
    """Print the design of an issue: durable comment, issue text, file (SMC-03)."""
    reading, pairs = plans.read_design(rungs, issue)
    _finish(rungs, reading, pairs, refresh, as_json)


def _finish(
    rungs: Rungs, reading: Reading, pairs: list[Pair], refresh: bool, as_json: bool
) -> None:
    notes = _refresh(rungs, pairs[0]) if refresh else ()
    if not notes:
        rungs.remember(pairs)
    print_reading(reading, as_json, notes)


def _refresh(rungs: Rungs, one: Pair) -> tuple[str, ...]:
    """Replace a cache that is provably older, or that is not there."""
    if one.cache.name == BUNDLE:
        raise Refused(f"{one.file} is for several issues; one of them cannot replace it.")
    if one.freshness not in (DURABLE_NEWER, ONLY_DURABLE) or not one.durable.found:
        if one.cache.found and one.durable.found and one.answer is one.durable:
            raise Refused(
                f"{one.file} is not provably older; nothing was written. Compare the two, and move"
                " the file away if it is not needed."
            )
        return ()
    text = below(one.durable.text, one.marker.literal)
    rungs.caches.write(one.file, text, one.cache)
    rungs.observations.note(one.file, one.marker, one.durable.text, text)
    return (f"{rungs.caches.path(one.file)} was made anew from {one.durable.name}",)


@read.command("review-state")
@shared.number_option("--issue", "issue")
@shared.pull_request_option
@shared.as_json
@on_rungs
def _review_state(
    rungs: Rungs, issue: "int | None", pull_request: "int | None", as_json: bool
) -> None:
    """Tell how far a review is (SMC-05), with --pr after the pull request exists (SMC-06).

    Without --issue, the issue is that of a branch feature/issue-N-….
    """
    keyed = issue or review_state.target(Here.find().branch) or 0
    if pull_request:
        found = review_evidence.after_pull_request(rungs.caches, rungs.durable, keyed, pull_request)
        gaps = () if keyed else ("no issue is named, so session memory was not looked at",)
        if found.answer and found.answer.name == SESSION and found.unconfirmed:
            gaps = ("durable evidence was not read; session memory alone answered",)
        print_completion(found, as_json, gaps)
        return
    if not keyed:
        raise Refused("the branch names no issue; review state is kept for feature/issue-N-… only.")
    found = review_evidence.before_pull_request(rungs.caches, keyed)
    gaps = ("before the pull request there is no durable copy; another tool cannot see this",)
    print_completion(found, as_json, gaps)


@read.command("deferred-work")
@scope_option
@shared.as_json
@in_folder
def _deferred_work(here: Here, scope: str, as_json: bool) -> None:
    """Print what a rate limit left undone (SMC-15)."""
    source, payload = deferral.read(here.caches, scope, SESSION)
    if as_json:
        told = {"row": "SMC-15", "scope": scope, "payload": payload, "gaps": [_CONVERSATION]}
        print_json({**told, "sources": [source_json(source)]})
    elif payload is not None:
        click.echo("\n".join(map(printable, deferral.carry(payload).split("\n"))))
    elif source.outcome != FAILED:
        click.echo("nothing is deferred")
    if not as_json:
        tell(source_line(source), f"gap: {_CONVERSATION}")
    if source.outcome == FAILED:
        raise Undelivered(f"SMC-15 {scope}: {source.reason}")


@read.command("install-prompt")
@click.option(
    "--platform",
    type=click.Choice(install_prompt.PLATFORMS),
    default=lambda: "claude" if os.environ.get("CLAUDECODE") else "copilot",
    help="Default: claude in a shell of Claude Code, else copilot.",
)
@click.option("--headless", is_flag=True, help="Nobody is there to answer.")
@shared.as_json
@in_folder
def _install_prompt(here: Here, platform: str, headless: bool, as_json: bool) -> None:
    """Tell whether to ask for the installation of cost collection (SMC-18)."""
    source = install_prompt.key(here.caches, SESSION)
    facts = install_prompt.Facts(
        platform,
        headless,
        None if source.outcome == FAILED else source.found,
        install_prompt.is_installed(here.caches.root),
    )
    decision, reason = install_prompt.decide(facts)
    if as_json:
        print_json(
            {"row": "SMC-18", "decision": decision, "reason": reason,
             "sources": [source_json(source)]}
        )  # fmt: skip
        return
    click.echo(f"{decision}: {reason}")
    tell(source_line(source))
