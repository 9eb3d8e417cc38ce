"""``session-memory tracking``: what lies in ``.copilot-tracking`` (SMC-13)."""

from dataclasses import asdict

import click

from session_memory.cli import errors
from session_memory.cli.groups import Group
from session_memory.cli.output import counted, print_json, printable
from session_memory.cli.tracking_archive import archive_command, ignore_scratch
from session_memory.cli.tracking_folder import in_root, look_through, relative
from session_memory.tracking import document_check
from session_memory.tracking.index import Entry, index, read_text
from session_memory.tracking.layout import ARCHIVED, FOLDER, WORK
from session_memory.tracking.survey import (
    FILED,
    MAX_FILES,
    PASSED_OVER,
    Survey,
    TrackingFile,
    survey_archive,
)

# For the help; the first character keeps its lines apart.
_STANDINGS = """\b
Standings:
  work           a file of somebody's work; the start-up check looks at these
  archived       below "archived": settled, and left where it is
  persistent     never archived: calibration, references-state.yml and the like
  session-state  state of the hooks
  placeholder    .gitkeep and .gitignore
  passed-over    a link or another thing that is no plain file: never touched
"""


@click.group("tracking", cls=Group)
def command() -> None:
    """Files that agents keep in .copilot-tracking, and their archive (SMC-13).

    They belong to one worktree: nobody who clones the repository sees them.
    """


command.add_command(archive_command)
command.add_command(ignore_scratch)


@command.command("list", epilog=_STANDINGS)
@click.option("--issue", type=click.IntRange(0), metavar="N", help="Only files of this issue.")
@click.option("--untagged", is_flag=True, help="Only work that names no issue.")
@in_root
def _list(root: str, issue: int | None, untagged: bool, as_json: bool) -> None:
    """Show every file with its standing, and the issue that it names."""
    found = look_through(root)
    files = found.files
    if issue is not None:
        files = [file for file in files if file.issue == issue]
    if untagged:
        files = [file for file in found.of(WORK) if file.issue is None]
    if as_json:
        shown = [asdict(file) for file in files]
        print_json({"root": root, "files": shown, "complete": found.is_complete})
        return
    for file in files:
        named = "-" if file.issue is None else f"#{file.issue}"
        remark = f" ({file.remark})" if file.remark else ""
        click.echo(printable(f"{file.standing:<13}  {named:<8}  {file.path}{remark}"))
    if not files:
        what = "no such files" if found.files else "no files"
        click.echo(f"there are {what} in {FOLDER}", err=True)
    _warn_of_bound(found)


@command.command("index")
@in_root
def _index(root: str, as_json: bool) -> None:
    """Show by issue what lies in the folder and in the archive, with the state of each file."""
    found, filed = look_through(root), look_through(root, survey_archive)
    entries = index(root, [*found.of(WORK, ARCHIVED), *filed.of(FILED)])
    if as_json:
        issues = [
            {"issue": issue, "files": [_entry_json(entry) for entry in files]}
            for issue, files in entries.items()
        ]
        complete = found.is_complete and filed.is_complete
        print_json({"root": root, "issues": issues, "complete": complete})
        return
    for issue, files in entries.items():
        click.echo("without an issue:" if issue is None else f"issue {issue}:")
        for entry in files:
            said = ", ".join(filter(None, (entry.status, entry.priority)))
            click.echo(printable(f"  {entry.file.path}" + (f"  ({said})" if said else "")))
    if not entries:
        click.echo("nothing belongs to an issue, here or in the archive", err=True)
    _warn_of_bound(found)


@command.command("check")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@in_root
def _check(root: str, paths: tuple[str, ...], as_json: bool) -> None:
    """Hold Markdown documents against the format; exit code 1 if one departs from it.

    Without FILE, all documents of the folder. A document without front matter is work that names no
    issue: that is a fault, too.
    """
    found = look_through(root)
    files = [_chosen(found, path) for path in relative(root, paths)] or [
        file for file in found.of(WORK, ARCHIVED) if document_check.is_document(file.path)
    ]
    faults = [(file.path, fault) for file in files for fault in _faults(root, file)]
    if as_json:
        shown = [{"path": path, **asdict(fault)} for path, fault in faults]
        print_json({"root": root, "checked": len(files), "faults": shown})
    else:
        for path, fault in faults:
            click.echo(printable(f"{path}:{fault.line}: {fault.message}"))
        said = counted(len(faults), "fault")
        click.echo(f"{counted(len(files), 'document')} checked, {said}", err=True)
    click.get_current_context().exit(errors.FAULTY if faults else 0)


def _chosen(found: Survey, path: str) -> TrackingFile:
    file = next((file for file in found.files if file.path == path), None)
    if file is None:
        raise errors.Refused(f"{path} is no file in {FOLDER} (SMC-13).")
    if file.standing == PASSED_OVER:
        raise errors.Refused(f"{path} is {file.remark} (SMC-13).")
    return file


def _faults(root: str, file: TrackingFile) -> list[document_check.Fault]:
    try:
        return document_check.check(file.path, read_text(root, file))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return [document_check.Fault(1, reason or str(error))]


def _entry_json(entry: Entry) -> dict[str, object]:
    said = {key: value or None for key, value in asdict(entry).items() if key != "file"}
    return {"path": entry.file.path, "standing": entry.file.standing, **said}


def _warn_of_bound(found: Survey) -> None:
    if not found.is_complete:
        click.echo(f"warning: only the first {MAX_FILES} files were looked at", err=True)
