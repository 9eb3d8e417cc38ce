"""The calibration file as the commands use it: found, read, and refused in one line."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from session_memory.calibration import strict_json
from session_memory.calibration.file import NAME, PLACE, CalibrationFile, Corrupt, Unusable
from session_memory.calibration.writing import Document
from session_memory.cli import reading as shared
from session_memory.cli.errors import Refused
from session_memory.cli.output import printable
from session_memory.core import git
from session_memory.core.checkout import locate
from session_memory.markers.problem import Problem

# As many faults as fit into one line that is read.
_MAX_TOLD = 5

_MEND = "Mend it by hand, or have it set aside with calibration rebuild or write-entry --set-aside"

set_aside_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--set-aside", is_flag=True, help="Rename a file that is no calibration data, and begin anew."
)
dry_run_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--dry-run", is_flag=True, help="Check all, say what would change, write nothing."
)


def here() -> CalibrationFile:
    """The file of the worktree that holds the current folder."""
    checkout = locate(os.getcwd())
    if checkout is None:
        raise Refused("this folder is in no git repository, so there is no calibration data.")
    return CalibrationFile(checkout)


@contextmanager
def refused() -> Iterator[None]:
    """What cannot be used as it is, as the end of the command."""
    try:
        yield
    except Corrupt as error:
        raise Refused(f"{error}. It is left as it is. {_MEND}.") from None
    except Unusable as error:
        raise Refused(f"{error}. It is left as it is.") from None


def loaded(file: CalibrationFile) -> "Document | None":
    """What the file holds, or the end of the command."""
    with refused():
        return file.load()


def usable(file: CalibrationFile) -> Document | None:
    """What the file holds; a corrupt one is told, and counts as none."""
    with refused():
        try:
            return file.load()
        except Corrupt as error:
            click.echo(f"warning: {printable(str(error))}; left out", err=True)
            return None


def is_committed(file: CalibrationFile) -> bool:
    """Whether the file belongs to the repository, which is told: its entries must not count then.

    A branch that is reviewed could otherwise bring entries that talk its review out of looking.
    """
    if git.run(file.root, "ls-files", "--", f":(icase){'/'.join(PLACE)}/{NAME}") == b"":
        return False
    why = "it is committed, so that any branch can bring another; its entries do not count"
    click.echo(printable(f"warning: {file.path}: {why}"), err=True)
    return True


def tell_aside(file: CalibrationFile) -> None:
    """Say where a corrupt file has gone, if one was there."""
    if file.set_aside:
        text = f"warning: the file was no calibration data; it is kept as {file.set_aside}"
        click.echo(printable(text), err=True)


def read_object(path: str) -> Document:
    """The JSON object in a file of the caller's, ``-`` for standard input."""
    try:
        return strict_json.parse_object(shared.read_text(path).encode())
    except ValueError as error:
        raise Refused(f"{path}: {error}. Nothing was written.") from None


def refuse(path: str, what: str, problems: list[Problem]) -> None:
    """End the command if there are problems, which are named by field."""
    if problems:
        told = "; ".join(str(problem) for problem in problems[:_MAX_TOLD])
        more = f"; and {len(problems) - _MAX_TOLD} more" if len(problems) > _MAX_TOLD else ""
        raise Refused(f"{path}: {what}: {told}{more}. Nothing was written.")


def listed(document: "Mapping[str, object] | None", name: str) -> list[Mapping[str, object]]:
    """The objects of a list in the document; what is none is left out."""
    value = document.get(name) if document else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
