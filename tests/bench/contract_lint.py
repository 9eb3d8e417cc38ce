"""Time of linting many Markdown documents against the contract.

    python tests/bench/contract_lint.py [--documents N] [--json]

The documents are made from the pages of this repository and the corpus of the linter's tests: cut
into sections, shuffled, and put together again to some 5 KB each. Every fifth is about state.
"""

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOAL_S = 2.0
_DOCUMENTS = 2000
_BYTES = 5000
_ROUNDS = 5
_EVERY = 5
# What a section about state has in it, one way or the other.
_ABOUT_STATE = re.compile(
    r"SMC-|memories/|\.copilot-tracking|\.claude/\.state|[Ss]urviv|within-|<!--"
)


@dataclass(frozen=True)
class Measured:
    """The quickest of some rounds, start of the process included."""

    documents: int
    mebibytes: float
    findings: int
    seconds: float
    processor_s: float


def sections(about_state: bool) -> list[str]:
    """Pieces of Markdown, with or without something for the linter to look at closely."""
    pages = [page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md"))]
    parts = [part for page in pages for part in re.split(r"(?m)^(?=## )", page)]
    found = [part for part in parts if bool(_ABOUT_STATE.search(part)) == about_state]
    if about_state:
        corpus = (ROOT / "tests" / "contract" / "corpus.txt").read_text("utf-8")
        found += [part.partition("\n")[2] for part in re.split(r"(?m)^(?=--- )", corpus)]
    return found


def write_documents(folder: Path, count: int) -> int:
    """Write so many documents; their size in bytes."""
    chooser = random.Random(20)
    pieces = {about_state: sections(about_state) for about_state in (True, False)}
    size = 0
    for number in range(count):
        path = folder / f"{number % 40:02}" / f"{number:04}.md"
        path.parent.mkdir(exist_ok=True)
        text = f"# Document {number}\n\n"
        while len(text) < _BYTES:
            text += chooser.choice(pieces[number % _EVERY == 0])[:_BYTES] + "\n\n"
        size += path.write_text(text, encoding="utf-8")
    return size


def measure(folder: Path, count: int, rounds: int = _ROUNDS) -> Measured:
    """Lint all documents below ``folder``. Raises :class:`RuntimeError` when that fails."""
    size = write_documents(folder, count)
    times = [_once(folder) for _ in range(rounds)]
    seconds, processor_s, findings = min(times)
    return Measured(count, round(size / (1 << 20), 1), findings, seconds, processor_s)


def _once(folder: Path) -> tuple[float, float, int]:
    """Seconds by the clock and of all processors, and the number of findings."""
    command = [sys.executable, "-m", "session_memory", "contract", "lint", "--json", str(folder)]
    used = os.times()
    start = time.perf_counter()
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT / "lib")},
        capture_output=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    now = os.times()
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode())
    spent = now.children_user + now.children_system - used.children_user - used.children_system
    return round(seconds, 2), round(spent, 2), len(json.loads(done.stdout)["findings"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=_DOCUMENTS)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder), options.documents, options.rounds)
    if options.json:
        print(json.dumps(asdict(measured)))
        return
    print(
        f"{measured.documents:,} documents, {measured.mebibytes} MiB, {measured.findings} findings"
    )
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors")
    verdict = "" if measured.seconds < GOAL_S else "  missed"
    print(f"{measured.seconds:.2f} s, goal below {GOAL_S:.0f} s{verdict}")
    print(f"{measured.processor_s:.2f} s of all processors")


if __name__ == "__main__":
    main()
