"""Time and memory of reconciling one long gate-event log, beside other ways to read it.

    python tests/bench/reconcile.py [--lines N] [--json]

Every contender is a process of its own: ``session-memory``'s stream, ``json.loads`` line by line
with a dictionary of last tokens, and DuckDB where it is installed. Memory is the peak resident set.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Every fourth line is a token, and every 1250th token is of a decision that nobody records.
_TOKEN_EVERY, _OPEN_EVERY = 4, 5000

_OURS = """
import sys
from session_memory.gates.reconcile import reconcile
from session_memory.gates.sources import Log
from session_memory.markers.target import Target
recorded = frozenset(f"decision-{n}" for n in range(1000))
with open(sys.argv[1], "rb") as file:
    found = reconcile(Log.of_file(file, "log").records, recorded, Target(7))
print(len(found.findings))
"""

_JSON = """
import json, sys
recorded = frozenset(f"decision-{n}" for n in range(1000))
last = {}
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        record = json.loads(line)
        if record.get("decision_id") and record.get("issue_number") == 7:
            last[record["decision_id"], record["phase"]] = record
print(sum(
    token["outcome"] == "asked" and token["classification"] == "load-bearing"
    and token["decision_id"] not in recorded for token in last.values()
))
"""

_DUCKDB = """
import sys
import duckdb
print(duckdb.connect().execute(
    "select count(*) from (select decision_id, arg_max(outcome, timestamp) as outcome"
    " from read_json_auto(?) where decision_id is not null and issue_number = 7"
    " and classification = 'load-bearing' group by decision_id, phase)"
    " where outcome = 'asked' and not regexp_full_match(decision_id, 'decision-[0-9]{1,3}')",
    [sys.argv[1]],
).fetchall()[0][0])
"""


# A process inherits the peak of the one that started it, so a small one stands between.
_MEASURED = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-c", *sys.argv[1:]], stdout=subprocess.PIPE)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.stdout.decode().strip(), used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(done.returncode)
"""


@dataclass(frozen=True)
class Measured:
    """``findings`` is what the contender found, so that none is fast by not looking."""

    name: str
    seconds: float
    cpu_s: float
    peak_mb: float
    findings: int


def write_log(path: Path, lines: int) -> int:
    """Write a log of so many lines; the number of decisions in it that nobody recorded."""
    opened = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(lines):
            is_open = number % _OPEN_EVERY == 0
            opened += is_open
            record = _token(number, is_open) if number % _TOKEN_EVERY == 0 else _event(number)
            file.write(json.dumps(record) + "\n")
    return opened


def _token(number: int, is_open: bool) -> dict[str, object]:
    return {
        "decision_id": f"open-{number}" if is_open else f"decision-{number % 1000}",
        "phase": "design",
        "outcome": "asked",
        "classification": "load-bearing",
        "window_position": "pre-ask",
        "timestamp": _instant(number),
        "issue_number": 7,
        "session_key": f"s-{number // 1000}",
    }


def _event(number: int) -> dict[str, object]:
    return {
        "event_type": "structured-question-fired",
        "tool_name": "AskUserQuestion",
        "session_key": f"s-{number // 1000}",
        "question_digest": "1282a0490bc50a3d",
        "timestamp": _instant(number),
        "question_count": 1,
    }


def _instant(number: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_780_000_000 + number))


def measure(name: str, script: str, log: Path) -> Measured:
    """Run the script on the log, once. Raises :class:`RuntimeError` when it fails."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, script, str(log)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "lib")},
        capture_output=True,
        check=False,
    )
    elapsed = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"{name}: exit code {done.returncode}")
    findings, cpu, peak = done.stdout.split()
    # Kilobytes on Linux, bytes on macOS.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    cpu_s, peak_mb = round(float(cpu), 2), round(int(peak) / unit, 1)
    return Measured(name, round(elapsed, 2), cpu_s, peak_mb, int(findings))


def contenders() -> dict[str, str]:
    """Names and scripts of those that this Python can run."""
    found = {"session-memory": _OURS, "json.loads by line": _JSON}
    probe = [sys.executable, "-c", "import duckdb"]
    if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        found["DuckDB"] = _DUCKDB
    return found


def run(lines: int, folder: Path) -> list[Measured]:
    """Measure everybody on one log of so many lines. Raises :class:`RuntimeError`."""
    log = folder / "gate-events.jsonl"
    opened = write_log(log, lines)
    measured = [measure(name, script, log) for name, script in contenders().items()]
    for one in measured:
        if one.findings != opened:
            raise RuntimeError(f"{one.name}: {one.findings} findings, not {opened}")
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = run(options.lines, Path(folder))
        size = (Path(folder) / "gate-events.jsonl").stat().st_size / (1 << 20)
    if options.json:
        print(json.dumps([asdict(one) for one in measured]))
        return
    print(f"{options.lines:,} lines, {size:.0f} MiB, Python {platform.python_version()}")
    for one in measured:
        times = f"{one.seconds:>7.2f} s, {one.cpu_s:.2f} s of processor"
        print(f"{one.name:<20} {times}, {one.peak_mb:.1f} MiB")


if __name__ == "__main__":
    main()
