"""Recorded events, replayed through the real hooks in a scratch repository.

It shows what the hooks inject and write, and checks it: the exit code is 0 only when every event
did what :mod:`session_memory.demo.expected` says. Nothing needs to be installed, and no network.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from session_memory.versions_needed import HOOKS, too_old

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NoReturn

    from session_memory.demo.scene import Scene

OK, UNEXPECTED, REFUSED, USAGE = 0, 1, 2, 64


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the demo and print it; ``arguments`` are the process's own when not given.

    Returns 0, or 1 when something was not as expected, or 2 when there could be no demo. Wrong
    arguments end the process with 64.
    """
    obstacle = too_old("the demo", HOOKS)
    if obstacle:
        return _refuse(obstacle)
    from session_memory.demo.scene import Scene

    options = _parser().parse_args(_own_arguments() if arguments is None else arguments)
    if shutil.which("git") is None:
        return _refuse("git is not on PATH, and the demo makes a scratch repository with it")
    try:
        with _scratch_folder(options.keep) as folder:
            return _show(Scene.build(folder), options)
    except subprocess.CalledProcessError as error:
        return _refuse(f"git failed: {error.stderr.strip() or error}")
    except OSError as error:
        return _refuse(str(error))


def _own_arguments() -> "list[str]":
    """Those behind the command's name, in either of its two spellings."""
    given = sys.argv[1:]
    return given[1:] if given[:1] == ["demo"] else given


class _Parser(argparse.ArgumentParser):
    """Ends as the command line does when it is called wrongly."""

    def error(self, message: str) -> "NoReturn":
        self.exit(USAGE, f"{self.prog}: {message}. See {self.prog} --help.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="session-memory demo",
        description="Replay recorded events through the real hooks in a scratch repository,"
        " and check what they did.",
    )
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
    parser.add_argument("--verbose", action="store_true", help="show every file that was written")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    return parser


def _show(scene: "Scene", options: argparse.Namespace) -> int:
    from session_memory.demo import replay, report

    replay.compile_hooks()
    result = replay.run(scene)
    kept = str(scene.folder) if options.keep else ""
    if options.json:
        _write(json.dumps(report.as_document(result, kept), indent=2) + "\n")
    else:
        _write(report.as_text(result, kept, _wants_colours(), options.verbose))
    return UNEXPECTED if result.problems else OK


@contextlib.contextmanager
def _scratch_folder(keep: bool) -> "Iterator[str]":
    prefix = "session-memory-demo-"
    if keep:
        yield tempfile.mkdtemp(prefix=prefix)
        return
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        yield folder


def _wants_colours() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _write(text: str) -> None:
    # A terminal that cannot show a character should show the rest.
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def _refuse(reason: str) -> int:
    sys.stderr.write(f"session-memory demo: {reason}\n")
    return REFUSED
