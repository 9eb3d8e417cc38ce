"""``session-memory references``: keep reference documents findable, and load them by hand."""

import re
from collections.abc import Callable
from functools import wraps
from os.path import lexists
from pathlib import Path
from typing import Any

import click

from session_memory.cli.errors import Refused, Undelivered
from session_memory.cli.output import counted, print_json, printable
from session_memory.core.checkout import locate
from session_memory.references import authoring
from session_memory.references.budgets import CONFIGURATION
from session_memory.references.configuration import InvalidConfiguration, read_configuration
from session_memory.references.documents import Documents, hidden_names
from session_memory.references.fetch import FetchFailed, fetch_issue
from session_memory.references.files import Unwritable
from session_memory.references.finding import ERROR, WARNING
from session_memory.references.index import MAX_ENTRIES, PATH, BadIndex, Entry, read_index
from session_memory.references.index_writer import index_entries, outdated_files, write_index
from session_memory.references.inventory import list_files, read_sidecars
from session_memory.references.issue import Issue
from session_memory.references.matching import Matcher, only_labels
from session_memory.references.nudge import NUDGE, is_nudge_due
from session_memory.references.prompt import MAX_NUMBER, Mention
from session_memory.references.rendering import notes
from session_memory.references.result import as_result
from session_memory.references.selection import Selection, select
from session_memory.references.tree import Tree
from session_memory.references.validation import validate

# A person waits longer than a hook may.
FETCH_LIMIT_S = 30.0

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")

_as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def _in_repository(run: Callable[..., None]) -> Callable[..., None]:
    """Hand the repository of the current folder to ``run``; its expected faults end here."""

    @wraps(run)
    def wrapped(**options: Any) -> None:
        checkout = locate(str(Path.cwd()))
        if checkout is None:
            raise Refused("this folder belongs to no repository")
        try:
            run(Tree(checkout.root), **options)
        except (InvalidConfiguration, Unwritable) as error:
            raise Refused(str(error)) from None
        except BadIndex as error:
            raise Refused(f"{PATH} {error}") from None

    return wrapped


@click.group()
def command() -> None:
    """Reference documents of this repository (SMC-22)."""


@command.command()
@click.option("--undo", is_flag=True, help="Remove the sidecars that init made.")
@click.option("--dismiss-nudge", is_flag=True, help="Stop load and validate from suggesting init.")
@_as_json
@_in_repository
def init(tree: Tree, undo: bool, dismiss_nudge: bool, as_json: bool) -> None:
    """Make a sidecar for every Markdown document that has none."""
    if undo and dismiss_nudge:
        raise click.UsageError("--undo and --dismiss-nudge exclude each other.")
    if dismiss_nudge:
        authoring.dismiss_nudge(tree)
        _print(as_json, {"nudge_dismissed": True}, "load and validate no longer suggest init here")
        return
    outcome = authoring.undo(tree) if undo else authoring.init(tree)
    verb = "removed" if undo else "created"
    lines = [f"{verb} {path}" for path in outcome.changed]
    lines.append(f"{len(outcome.changed)} {verb}, {len(outcome.kept)} kept as they are")
    if not (undo or outcome.changed or outcome.kept):
        lines.append(_where_looked(outcome.roots))
    _print(as_json, {verb: outcome.changed, "kept": outcome.kept}, *lines)


def _where_looked(roots: tuple[str, ...]) -> str:
    setting = f"declared_roots in {CONFIGURATION}"
    if not roots:
        return f"{setting} is empty: no document gets a sidecar"
    return f"no Markdown document under {', '.join(roots)}; {setting} says where to look"


@command.command()
@_as_json
@_in_repository
def index(tree: Tree, as_json: bool) -> None:
    """Generate the index and the list from the sidecars."""
    sidecars = read_sidecars(tree, list_files(tree.root))
    if sidecars.invalid:
        others = len(sidecars.invalid) - 1
        more = f" (and {counted(others, 'other sidecar')} like it)" if others else ""
        raise Refused(f"{sidecars.invalid[0]}{more}")
    entries = index_entries(sidecars.usable)
    if len(entries) > MAX_ENTRIES:
        raise Refused(f"{len(entries)} entries, of which an index holds {MAX_ENTRIES} at most")
    _refuse_duplicates(entries)
    written = write_index(tree, entries)
    idle = "everything is up to date" if entries else "no sidecar, so no index; init makes sidecars"
    lines = [f"wrote {path}" for path in written] or [idle]
    _print(as_json, {"entries": len(entries), "written": written}, *lines)


def _refuse_duplicates(entries: list[Entry]) -> None:
    for one, other in zip(entries, entries[1:], strict=False):
        if one.name == other.name:
            raise Refused(f"{one.target_path} and {other.target_path} are both called {one.name}")


@command.command("validate")
@_as_json
@_in_repository
def validate_command(tree: Tree, as_json: bool) -> None:
    """Check sidecars, index, citations and budgets. Exits with 2 when there are errors."""
    findings = validate(tree)
    errors = sum(finding.severity == ERROR for finding in findings)
    lines = [
        f"{f.path}:{f.line or ''}{':' if f.line else ''} {f.severity}: {f.message} [{f.code}]"
        for f in findings
    ]
    lines.append(f"{counted(errors, ERROR)}, {counted(len(findings) - errors, WARNING)}")
    _print(as_json, {"valid": not errors, "findings": [f.as_dict() for f in findings]}, *lines)
    if not as_json:
        _suggest_init(tree)
    if errors:
        click.get_current_context().exit(Refused.exit_code)


@command.command()
@click.option("--issue", "number", type=click.IntRange(1, MAX_NUMBER), help="Fetch this issue.")
@click.option("--repo", default="", help="OWNER/NAME, when the issue is another repository's.")
@click.option("--title", default="", help="Title to match, instead of an issue's.")
@click.option("--body", default="", help="Body to match.")
@click.option("--label", "labels", multiple=True, help="Label to match; may be repeated.")
@click.option("--changed-path", "paths", multiple=True, help="Path to match; may be repeated.")
@_as_json
@_in_repository
def load(tree: Tree, number: int | None, repo: str, as_json: bool, **given: Any) -> None:
    """Print the documents that an issue calls for; what else there is to say goes to stderr."""
    issue = _issue(tree, number, repo, given)
    _warn_of_sidecars(tree)
    entries = read_index(tree) if lexists(Path(tree.root, PATH)) else []
    configuration = read_configuration(tree)
    matcher = Matcher(issue, only_labels(tree.root, _warn))
    documents = Documents(tree.root, hidden_names(configuration.declared_roots))
    selection = select(documents, entries, matcher, configuration.budgets)
    result = as_result(selection, tree, configuration)
    if as_json:
        print_json(result)
        return
    if result["rendered"]:
        click.echo(result["rendered"])
    for line in [line for kind in notes(selection) for line in kind]:
        click.echo(line, err=True)
    if not selection.documents:
        click.echo(f"no reference was loaded: {_why_nothing(selection, entries)}", err=True)
    _suggest_init(tree)


def _warn_of_sidecars(tree: Tree) -> None:
    """What the sidecars say counts only once it is in the index."""
    sidecars = read_sidecars(tree, list_files(tree.root))
    for error in sidecars.invalid:
        _warn(str(error))
    if sidecars.invalid or not sidecars.usable:
        return
    if PATH in outdated_files(tree, index_entries(sidecars.usable)):
        _warn(f"{PATH} is not what the sidecars say; run session-memory references index")


def _why_nothing(selection: Selection, entries: list[Entry]) -> str:
    if not entries:
        return f"{PATH} has no entries; references index makes it from the sidecars"
    if selection.skipped:
        return "what matches is over the budget"
    if selection.matched_count:
        return "the documents of what matches cannot be read"
    return f"none of {counted(len(entries), 'entry', 'entries')} matches"


def _warn(text: str) -> None:
    click.echo(f"warning: {printable(text)}", err=True)


def _suggest_init(tree: Tree) -> None:
    try:
        due = is_nudge_due(tree, read_configuration(tree))
    except InvalidConfiguration:  # told elsewhere
        return
    if due:
        click.echo(NUDGE, err=True)


def _issue(tree: Tree, number: int | None, repo: str, given: dict[str, Any]) -> Issue:
    texts = any(given[name] for name in ("title", "body", "labels"))
    if number is None:
        if repo:
            raise click.UsageError("--repo needs --issue.")
        if not texts and not given["paths"]:
            raise click.UsageError("Give --issue, or some of --title, --body, --label and so on.")
        return Issue(given["title"], given["body"], given["labels"], given["paths"])
    if texts:
        raise click.UsageError("--issue brings its own title, body and labels.")
    if repo and not _REPOSITORY.fullmatch(repo):
        raise click.UsageError("--repo is not of the form OWNER/NAME.")
    try:
        issue = fetch_issue(tree.root, Mention(number, repo), FETCH_LIMIT_S)
    except FetchFailed as error:
        raise Undelivered(f"issue {number} could not be fetched: {error}") from None
    return Issue(issue.title, issue.body, issue.labels, given["paths"])


def _print(as_json: bool, value: dict[str, object], *lines: str) -> None:
    if as_json:
        print_json(value)
    else:
        for line in lines:
            click.echo(printable(line))
