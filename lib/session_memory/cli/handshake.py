"""``session-memory handshake``: whether a subagent sees its parent's tree (SMC-14)."""

import os
import sys
import time

import click

from session_memory.cli import errors, output
from session_memory.cli.groups import Group
from session_memory.handshake import block, verification
from session_memory.handshake.capture import CaptureFailed, capture
from session_memory.handshake.verification import Verdict

# A block is the first content of its prompt.
MAX_PROMPT_BYTES = 1 << 20

_CODES = {
    verification.MATCH: 0,
    verification.MISMATCH: errors.FINDINGS,
    verification.MISSING: errors.NOTHING_TO_CHECK,
    verification.ERROR: errors.INCOMPLETE,
}

# For the help; the first character keeps its lines apart.
_OUTCOMES = """\b
Outcomes and exit codes:
   0  match              the tree is the one that the parent saw
  10  mismatch           another one: the finding is printed, the subagent stops
  11  missing-handshake  no usable block; findings about the tree are unverified
  12  error              could not be compared; the same
"""

_CWD = click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False),
    help="Folder to look at; default: this one.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group("handshake", cls=Group)
def command() -> None:
    """Whether a subagent sees the tree that its parent saw (SMC-14).

    The parent puts the block that "create" prints at the head of the prompt; the subagent gives the
    prompt to "verify" before it says anything about the tree. Nothing is stored.
    """


@command.command("create")
@click.option("--block-only", is_flag=True, help="Without the fingerprint of changed contents.")
@_CWD
@_JSON
def _create(block_only: bool, cwd: str | None, as_json: bool) -> None:
    """Print the block for the environment as it is now.

    It is made after the last change and right before the dispatch. The members of one parallel
    batch get the same block. If nothing is printed, the dispatch goes without one.
    """
    try:
        seen = capture(_folder(cwd))
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        text = block.build(seen, now) if block_only else block.build_with_content(seen, now)
    except CaptureFailed as error:
        raise errors.Undelivered(f"no block (SMC-14): {error}.") from None
    except block.NotRepresentable as error:
        raise errors.Refused(f"no block (SMC-14): {error}.") from None
    if as_json:
        content = "" if block_only else seen.content
        output.print_json({"block": text, **seen.tree(), block.CONTENT_FIELD: content or None})
    else:
        # Bytes, so that no system puts CRLF; readers of the block tolerate no line end behind it.
        sys.stdout.buffer.write(text.encode() + b"\n" * sys.stdout.isatty())


@command.command("verify", epilog=_OUTCOMES)
@click.option("--prompt-file", metavar="FILE", default="-", help="Default: standard input.")
@_CWD
@_JSON
def _verify(prompt_file: str, cwd: str | None, as_json: bool) -> None:
    """Compare the block in a prompt with the environment as it is now."""
    handshake = block.find(_prompt(prompt_file))
    seen, failure = None, ""
    if handshake:
        try:
            seen = capture(_folder(cwd))
        except CaptureFailed as error:
            failure = str(error)
    verdict = verification.verify(handshake, seen, bool(failure))
    if as_json:
        output.print_json(_json(verdict, failure))
    else:
        for line in verdict.text.split("\n"):
            click.echo(output.printable(line))
        if failure:
            click.echo(output.printable(failure), err=True)
    click.get_current_context().exit(_CODES[verdict.outcome])


def _folder(cwd: str | None) -> str:
    return os.path.abspath(cwd) if cwd else ""


def _prompt(path: str) -> str:
    if path == "-" and sys.stdin.isatty():
        raise click.UsageError("Give the prompt on standard input, or name its file.")
    try:
        with click.open_file(path, "rb") as file:
            data: bytes = file.read(MAX_PROMPT_BYTES)
    except OSError as error:
        raise errors.Refused(f"{path}: {error.strerror or error}") from None
    return data.decode("utf-8", "replace")


def _json(verdict: Verdict, failure: str) -> dict[str, object]:
    return {
        "outcome": verdict.outcome,
        "reason": verdict.reason or None,
        "detail": failure or None,
        "tag": verdict.tag or None,
        "diverged_fields": list(verdict.diverged),
        "content": verdict.content,
        "expected": verdict.expected.tree() if verdict.expected else None,
        "observed": verdict.observed.tree() if verdict.observed else None,
        "text": verdict.text,
    }
