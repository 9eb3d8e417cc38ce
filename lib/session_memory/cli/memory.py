"""``session-memory memory``: what an agent keeps for itself (SMC-01 to 03, 05, 06, 15, 18)."""

from typing import Any

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.groups import Group
from session_memory.cli.memory_checkpoint import checkpoint_command
from session_memory.cli.memory_context import Here, in_folder
from session_memory.cli.memory_output import tell
from session_memory.cli.memory_read import read
from session_memory.cli.memory_write import write
from session_memory.cli.output import print_json, printable
from session_memory.gates.questions import utc_time
from session_memory.memory import install_prompt, names, rate_limit, review_state
from session_memory.memory.caches import NOWHERE, Entry, reason
from session_memory.memory.names import NAMESPACE, Bundle


@click.group(cls=Group)
def command() -> None:
    """Plans, designs, review state, deferred work, and the answer to the install prompt.

    They lie in memories/session/ of the checkout, for this conversation. What must outlive it goes
    to GitHub, by a checkpoint or by markers write.
    """


command.add_command(read)
command.add_command(write)
command.add_command(checkpoint_command)


@command.command("path")
@click.argument("shape", type=click.Choice([shape.name for shape in names.SHAPES]))
@click.argument("name", required=False, default="")
@shared.number_option("--issue", "issue")
@click.option("--scope", default="", help="Of deferred work.")
@shared.as_json
@in_folder
def _path(here: Here, shape: str, as_json: bool, **given: Any) -> None:
    """Print where a row's file is or would be. NAME is that of a plan bundle."""
    file = _file(here, shape, **given)
    path = here.caches.path(file)
    if not path:
        raise Refused(NOWHERE)
    if as_json:
        print_json({"shape": shape, "path": path, "namespace": NAMESPACE + file})
    else:
        click.echo(printable(path))


def _file(here: Here, shape: str, name: str, issue: "int | None", scope: str) -> str:
    if shape == "plan-bundle":
        return Bundle.parse(name).file
    if shape == "deferred-work":
        return names.deferred_work(scope)
    if shape == "install-prompt":
        return names.install_prompt(here.caches.root or "/")
    if shape == "review-state":
        issue = issue or review_state.target(here.branch)
    if not issue:
        raise click.UsageError("Give --issue.")
    made = {"plan": names.plan, "design": names.design, "review-state": names.review_state}
    return made[shape](issue)


@command.command("list")
@shared.as_json
@in_folder
def _list(here: Here, as_json: bool) -> None:
    """Show the files that are there, and what each of their names stands for.

    The key of an install prompt is a digest; the folder that it stands for is told by its file.
    """
    if not here.caches.root:
        raise Refused(NOWHERE)
    try:
        entries = here.caches.entries()
    except OSError as error:
        raise Undelivered(f"the folder cannot be read: {reason(error)}.") from None
    rows = [_row(here, entry) for entry in entries]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(printable(f"{row['row']}  {row['file']}  {row['stands_for']}"))
    if not rows:
        tell("There are no files of session memory.")


def _row(here: Here, entry: Entry) -> dict[str, str]:
    return {
        "row": entry.shape.row,
        "shape": entry.shape.name,
        "file": entry.file,
        "stands_for": _meaning(here, entry),
        "modified_at": utc_time(entry.modified),
    }


def _meaning(here: Here, entry: Entry) -> str:
    if entry.shape.name == "install-prompt":
        if entry.file == names.install_prompt(here.caches.root):
            return here.caches.root
        folder = install_prompt.folder_of(here.caches.read(entry.file).text, entry.file)
        return folder or "a folder that its file does not tell"
    if entry.shape.name == "plan-bundle":
        return f"issues {entry.identity.replace('-', ', ')}"
    return f"{'scope' if entry.shape.name == 'deferred-work' else 'issue'} {entry.identity}"


@command.command("advise")
@click.option("--error", "error_file", metavar="FILE", help="What the last call said; - is stdin.")
@click.option("--attempt", type=click.IntRange(1, 100), default=1, help="Failed calls so far.")
@click.option("--output", "had_output", is_flag=True, help="The last call did return something.")
@click.option("--repeated", is_flag=True, help="It failed twice in the same way, by no tool.")
@click.option("--pending", multiple=True, metavar="SEVERITY", help="Of each item left; repeatable.")
@shared.as_json
def _advise(attempt: int, pending: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Tell what follows a failed subagent call: wait, offer to defer, or neither (SMC-15)."""
    text = shared.read_text(given["error_file"]) if given["error_file"] else ""
    repeats = 2 if given["repeated"] else 1
    last = rate_limit.Attempt(text, "some" if given["had_output"] else "", repeats)
    found = rate_limit.advise([last] * attempt, pending)
    if as_json:
        print_json({"step": found.step, "wait_s": found.wait_s or None,
                    "options": list(found.options), "reason": found.reason})  # fmt: skip
        return
    detail = f" {found.wait_s} s" if found.wait_s else ""
    offered = f": {', '.join(found.options)}" if found.options else ""
    click.echo(f"{found.step}{detail}{offered} ({found.reason})")
