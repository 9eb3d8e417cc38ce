"""What the commands that read GitHub share: which repository, which conversation, whose word."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import click

from session_memory.cli import output
from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.output import printable
from session_memory.core import git
from session_memory.github.connection import GitHub
from session_memory.github.errors import GitHubError, OtherKind, Rejected, RepositoryUnknown
from session_memory.github.remotes import resolve
from session_memory.markers.comment import Comment
from session_memory.markers.families import PHASES
from session_memory.markers.problem import Problem
from session_memory.markers.target import Target
from session_memory.records.sources import REVIEW, Sources
from session_memory.settings.table import TRUSTED_AUTHOR as SETTING

# A body on GitHub is smaller; a file of ours that is larger is something else.
MAX_FILE_BYTES = 1 << 20
MAX_NUMBER = 999_999_999

as_json = output.as_json
any_author = click.option(
    "--any-author", is_flag=True, help="Show, marked, what accounts without write access wrote."
)
repository_option = click.option(
    "--repo", default="", metavar="[HOST/]OWNER/NAME", help="Default: a git remote."
)
phase_option = click.option(
    "--phase", type=click.Choice(PHASES), help="Only this phase; default: all."
)


def number_option(flag: str, name: str, **more: Any) -> Callable[..., Any]:
    """The number of an issue or a pull request."""
    kind = "pull request" if flag == "--pr" else "issue"
    settings: dict[str, Any] = {"help": f"Number of the {kind}.", **more}
    return click.option(flag, name, type=click.IntRange(1, MAX_NUMBER), metavar="N", **settings)


pull_request_option = number_option("--pr", "pull_request")


def on_target(*, both: bool = False, phase: bool = True) -> Callable[..., Any]:
    """Adds ``--issue``, ``--pr`` and ``--phase``; hands the command a :class:`Target`."""

    def decorate(run: Callable[..., None]) -> Callable[..., None]:
        @wraps(run)
        def wrapped(issue: int | None, pull_request: int | None, **rest: Any) -> None:
            target = Target(issue or 0, pull_request or 0, rest.pop("phase", None) or "")
            if issue and pull_request and not both:
                raise click.UsageError("Give either --issue or --pr.")
            run(target=checked(target), **rest)

        decorated = phase_option(wrapped) if phase else wrapped
        numbered: Callable[..., None] = pull_request_option(decorated)
        return number_option("--issue", "issue")(numbered)  # type: ignore[no-any-return]

    return decorate


def on_github(run: Callable[..., None]) -> Callable[..., None]:
    """Adds ``--repo``, hands ``run`` the :class:`Sources`, and ends what GitHub does not give."""

    @repository_option
    @wraps(run)
    def wrapped(repo: str, **options: Any) -> None:
        with told_faults():
            run(connect(repo), **options)

    return wrapped


@contextmanager
def told_faults() -> Iterator[None]:
    """What GitHub does not give, as the end of the command."""
    try:
        yield
    except (OtherKind, Rejected, RepositoryUnknown) as error:
        raise Refused(str(error)) from None
    except GitHubError as error:
        raise Undelivered(str(error)) from None


def connect(repo: str) -> Sources:
    """The repository's conversations. Raises :class:`GitHubError`."""
    folder = str(here())
    repository = resolve(repo, folder)
    if repository.guessed:
        click.echo(printable(f"note: {repository}, from {repository.source}"), err=True)
    return Sources(GitHub.connect(repository, progress()), allowed_authors(folder))


def here() -> Path:
    """The current folder, which may have been removed."""
    try:
        return Path.cwd()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise Refused(f"the current folder cannot be used: {reason}.") from None


def progress() -> "Callable[[str], None] | None":
    """Where to tell that there is a wait: the terminal, if anybody watches one."""
    return _tell if sys.stderr.isatty() else None


def allowed_authors(folder: str) -> frozenset[str]:
    """Who counts without write access: the values of :data:`SETTING` in git's configuration.

    It is the user's own and is never cloned. A file of the repository cannot do, since a stranger's
    branch, once it is checked out, could name its author.
    """
    listed = git.run(folder, "config", "--get-all", SETTING) or b""
    return frozenset(listed.decode("utf-8", "replace").split())


def checked(target: Target) -> Target:
    """``target``, if its phase can have records there."""
    if target.is_empty:
        raise click.UsageError("Give --issue or --pr.")
    if target.phase == REVIEW and not target.pull_request:
        raise click.UsageError("The records of phase review belong to a pull request: give --pr.")
    if target.phase not in ("", REVIEW) and not target.issue:
        where = "belong to an issue: give --issue."
        raise click.UsageError(f"The records of phase {target.phase} {where}")
    return target


def read_text(path: str) -> str:
    """The text of a file, ``-`` for standard input. Faults never quote it."""
    name = name_of(path)
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Refused(f"{name}: {error.strerror or error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise Refused(f"{name}: more than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"{name}: not UTF-8 at byte {error.start}") from None


def name_of(path: str) -> str:
    """How messages name the file."""
    return "standard input" if path == "-" else path


def warn(problems: Iterable[Problem]) -> None:
    """Each problem as one line on standard error."""
    for problem in problems:
        click.echo(f"warning: {printable(str(problem))} [{problem.code}]", err=True)


def count(number: int, noun: str) -> str:
    """``1 token``, ``2 tokens``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def problem_json(problem: Problem) -> dict[str, str]:
    return {"code": problem.code, "message": problem.message, "where": problem.where}


def problems_json(problems: Sequence[Problem]) -> list[dict[str, str]]:
    return [problem_json(problem) for problem in problems]


def comment_json(comment: Comment) -> dict[str, object]:
    """Which comment it is; never what it says."""
    return {
        "id": comment.id,
        "author": comment.author,
        "created_at": comment.created_at,
        "url": comment.html_url,
    }


def _tell(message: str) -> None:
    click.echo(printable(message), err=True)
