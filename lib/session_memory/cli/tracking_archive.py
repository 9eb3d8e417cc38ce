"""``session-memory tracking archive`` and ``ignore-scratch`` (SMC-13)."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import click

from session_memory.cli import conversation, errors
from session_memory.cli.output import counted, print_json, printable
from session_memory.cli.tracking_folder import in_root, look_through, relative
from session_memory.core import git
from session_memory.core.folder import NotOurs
from session_memory.startup.issue_id import derive_issue_id
from session_memory.tracking import archive, scratch
from session_memory.tracking.layout import FOLDER
from session_memory.tracking.selection import NotArchivable, Selection, select
from session_memory.tracking.survey import TrackingFile


@click.command("archive")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@click.option(
    "--issue",
    "issues",
    type=click.IntRange(0),
    multiple=True,
    metavar="N",
    help="Work of an issue.",
)
@click.option("--untagged", is_flag=True, help="Work that names no issue.")
@click.option("--dry-run", is_flag=True, help="Show what would be moved, and move nothing.")
@in_root
def archive_command(root: str, dry_run: bool, as_json: bool, **chosen: Any) -> None:
    """Move files to .copilot-tracking-archive/YEAR/MONTH/issue-N, or to unknown.

    No file replaces another: if the name is taken, the time of the file's last change (UTC) is put
    behind it, and then a number. Files without an issue always get that time. What is persistent,
    and everything that is no plain file, stays. If one FILE cannot be archived, nothing is moved.
    """
    files = _selected(root, **chosen)
    tracked = _tracked(root)
    committed = sorted(file.path for file in files if tracked and file.path in tracked)
    hide = tracked is not None and not committed
    now = time.time()
    steps = archive.plan(root, files, now) if dry_run else archive.run(root, files, now, hide)
    if as_json:
        moves = list(steps)
        _print_moves(root, moves, dry_run, None if tracked is None else committed)
    else:
        moves = list(_told(steps, "would move" if dry_run else "moved"))
        _tell_surroundings(root, files, committed)
    click.get_current_context().exit(_code(moves))


def _selected(
    root: str, paths: tuple[str, ...], issues: tuple[int, ...], untagged: bool
) -> list[TrackingFile]:
    selection = Selection(frozenset(issues), untagged, tuple(relative(root, paths)))
    if selection.is_empty:
        raise click.UsageError("Say what to archive: --issue, --untagged or a file.")
    try:
        return select(look_through(root), selection)
    except NotArchivable as error:
        raise errors.Refused(f"{error} (SMC-13); nothing was moved.") from None


@click.command("ignore-scratch")
@in_root
def ignore_scratch(root: str, as_json: bool) -> None:
    """Make git overlook scratch files of agents, by the clone's own exclude list.

    .gitignore is not touched, since it is committed.
    """
    checkout = conversation.find("", "", root).session.checkout
    if checkout is None:
        raise errors.Refused("outside any repository there is no exclude list.")
    path = checkout.common_dir + "/info/exclude"
    try:
        added = scratch.ignore_scratch(checkout)
    except NotOurs as error:
        raise errors.Refused(f"{error}; nothing was written.") from None
    except OSError as error:
        raise errors.Undelivered(f"{path}: {error.strerror or error}.") from None
    if as_json:
        print_json({"file": path, "added": added})
        return
    for pattern in added:
        click.echo(pattern)


def _tracked(root: str) -> frozenset[str] | None:
    """The files that git has under version control; ``None`` when git does not tell."""
    listed = git.run(root, "ls-files", "-z", "--", FOLDER)
    if listed is None:
        return None
    return frozenset(listed.decode("utf-8", "surrogateescape").split("\0"))


def _print_moves(
    root: str, moves: list[archive.Move], dry_run: bool, committed: list[str] | None
) -> None:
    shown = [
        {
            "source": move.source.path,
            "target": move.target or None,
            "problem": move.problem or None,
            "tracked": None if committed is None else move.source.path in committed,
        }
        for move in moves
    ]
    print_json({"root": root, "dry_run": dry_run, "moves": shown})


def _told(moves: Iterable[archive.Move], verb: str) -> Iterator[archive.Move]:
    """Each move is told as it is made, so that an interrupted run has told what it did."""
    move = None
    for move in moves:
        if move.problem:
            click.echo(printable(f"left {move.source.path}: {move.problem}"), err=True)
        else:
            click.echo(printable(f"{verb} {move.source.path} to {move.target}"))
        yield move
    if move is None:
        click.echo("nothing to archive", err=True)


def _tell_surroundings(root: str, files: list[TrackingFile], committed: list[str]) -> None:
    if committed:
        what = counted(len(committed), "file is", "files are")
        click.echo(
            f"note: {what} under version control: git shows each as deleted, and as new in the"
            " archive, until that is committed.",
            err=True,
        )
    checkout = conversation.find("", "", root).session.checkout
    issue = derive_issue_id(checkout.branch) if checkout else None
    if issue is not None and any(file.issue == issue for file in files):
        click.echo(f"note: the current branch belongs to issue {issue}.", err=True)


def _code(moves: list[archive.Move]) -> int:
    failed = [move for move in moves if move.problem]
    if not failed:
        return 0
    return errors.UNDELIVERED if len(failed) == len(moves) else errors.HALTED
