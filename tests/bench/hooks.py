"""How long a hook takes: ``python3 tests/bench/hooks.py``.

Every command is a whole process, from the spawn to the wait. All of them take turns in shuffled
rounds, and each is compared, within a round, with the same interpreter doing nothing. That ratio
carries over from one machine to another; milliseconds do not.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_TESTS), str(_TESTS.parent / "lib")]

from bench import cases, peers  # noqa: E402 - found through the lines above
from bench.timing import CaseFailed, Times, measure, rehearse  # noqa: E402

SMOKE_RUNS = 3

# Asked of the interpreter under test, which need not be the one that runs this script.
_FACTS = """\
import json, platform, sys
json.dump({"python": platform.python_version(), "executable": sys.executable,
           "implementation": platform.python_implementation(),
           "build": platform.python_build()[1] + ", " + platform.python_compiler()}, sys.stdout)
"""


def main() -> int:
    """Measure and print; the exit code tells whether everything ran, and never how fast."""
    options = _options()
    if not hasattr(os, "posix_spawn"):
        return _fail("the benchmark needs posix_spawn, so it does not run on Windows")
    try:
        facts = _machine(options.python)
        times = _measure(facts["executable"], options)
    except (CaseFailed, OSError, subprocess.CalledProcessError) as error:
        return _fail(str(error))
    print(json.dumps(_document(facts, times), indent=2) if options.json else _text(facts, times))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the hooks as whole processes.")
    parser.add_argument("--runs", type=int, default=60, help="rounds (default: 60)")
    parser.add_argument("--python", default=sys.executable, help="interpreter to measure")
    parser.add_argument("--peers", action="store_true", help="compare with other ways to do it")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--smoke", action="store_true", help="only see that everything runs")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be positive")
    return options


def _measure(python: str, options: argparse.Namespace) -> list[Times]:
    with tempfile.TemporaryDirectory(prefix="session-memory-bench-") as folder:
        place = cases.Workplace.make(Path(folder).resolve(), python)
        todo = [cases.floor(place), *cases.hooks(place), *cases.registered(place)]
        if options.peers:
            todo += peers.all_installed(place)
        for case in todo:
            rehearse(case)
        return measure(todo, SMOKE_RUNS if options.smoke else options.runs, place.folder)


def _machine(python: str) -> dict[str, Any]:
    """Facts without which a time means nothing. A shim is resolved to what it runs."""
    asked = subprocess.run([python, "-c", _FACTS], capture_output=True, text=True, check=True)
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True)
    facts: dict[str, Any] = json.loads(asked.stdout)
    load = os.getloadavg()[0]
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    git_version = git.stdout.strip().rpartition(" ")[2]
    more = {"cpus": os.cpu_count(), "system": system, "git": git_version, "load": round(load, 1)}
    return {**facts, **more}


def _document(facts: dict[str, Any], times: list[Times]) -> dict[str, Any]:
    rows = [
        {
            "case": each.case.name,
            "median_ms": round(each.median_ms, 3),
            "p90_ms": round(each.p90_ms, 3),
            "ratio": round(each.ratio, 3),
            "goal": each.case.goal,
        }
        for each in times
    ]
    return {"machine": facts, "runs": len(times[0].ms), "cases": rows}


def _text(facts: dict[str, Any], times: list[Times]) -> str:
    lines = [
        f"{facts['implementation']} {facts['python']} ({facts['build']})",
        f"{facts['system']}, {facts['cpus']} CPUs, load {facts['load']}; git {facts['git']}",
        f"{len(times[0].ms)} interleaved rounds; ratio: median of the ratios within a round",
        "",
        f"{'':36}{'median ms':>10}{'p90 ms':>9}{'ratio':>8}{'goal':>9}",
    ]
    return "\n".join([*lines, *map(_row, times)])


def _row(times: Times) -> str:
    goal, missed = times.case.goal, ""
    if goal is not None and times.ratio > goal:
        missed = "  missed"
    shown = "" if goal is None else f"<= {goal:.2f}"
    row = f"{times.case.name:36}{times.median_ms:10.2f}{times.p90_ms:9.2f}{times.ratio:8.2f}"
    return f"{row}{shown:>9}{missed}".rstrip()


def _fail(reason: str) -> int:
    print(f"bench: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
