"""A recorded conversation, replayed through the real hooks in a scratch repository.

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

from session_memory.demo import replay, report
from session_memory.demo.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OK, UNEXPECTED, REFUSED = 0, 1, 2


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the demo and print it; ``arguments`` are the process's own when not given.

    Returns 0, or 1 when something was not as expected, or 2 when there could be no demo.
    """
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="session-memory demo",
        description="Replay a recorded conversation through the real hooks in a scratch"
        " repository, and check what they did.",
    )
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    return parser


def _show(scene: Scene, options: argparse.Namespace) -> int:
    replay.compile_hooks()
    result = replay.run(scene)
    kept = str(scene.folder) if options.keep else ""
    if options.json:
        _write(json.dumps(report.as_document(result, kept), indent=2) + "\n")
    else:
        _write(report.as_text(result, kept, _wants_colours()))
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
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _write(text: str) -> None:
    # A terminal that cannot show a character should show the rest.
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def _refuse(reason: str) -> int:
    sys.stderr.write(f"session-memory demo: {reason}\n")
    return REFUSED
