"""What the tracking commands share: the folder they are about, and files named on the line."""

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

import click

from session_memory.cli import conversation, errors
from session_memory.tracking.layout import ARCHIVE, FOLDER
from session_memory.tracking.survey import Survey, survey

_CWD = click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="Folder in the checkout; default: this one.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def in_root(run: Callable[..., None]) -> Callable[..., None]:
    """``--cwd`` and ``--json``; ``run`` gets the folder that holds the tracking folder."""

    @_CWD
    @_JSON
    @functools.wraps(run)
    def wrapped(*, cwd: str, **rest: Any) -> None:
        session = conversation.find("", "", cwd).session
        if not session.root:
            raise errors.Refused("outside any repository there is no tracking folder (SMC-13).")
        run(session.root, **rest)

    return wrapped


def look_through(root: str, look: Callable[[str], Survey] = survey) -> Survey:
    """What ``look`` finds. A link in the place of the folder ends the command."""
    try:
        return look(root)
    except NotADirectoryError as error:
        name = FOLDER if look is survey else ARCHIVE
        raise errors.Refused(f"{root}/{name} is a link or no folder (SMC-13).") from error


def relative(root: str, paths: Sequence[str]) -> list[str]:
    """``paths``, given from the working directory, from the root.

    Links on the way are worked out, and ``..`` with them; a file that is a link stays as it is.
    """
    top = os.path.realpath(root)
    found = []
    for path in paths:
        folder, name = os.path.split(path)
        real = os.path.join(os.path.realpath(folder or "."), name)
        found.append(os.path.relpath(real, top).replace(os.sep, "/"))
    return found
