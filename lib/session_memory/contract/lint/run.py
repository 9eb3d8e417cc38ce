"""Many documents through the linter, on all processors where that pays."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from session_memory.contract.lint import files, linter
from session_memory.contract.lint.finding import Finding

# Below, starting processes takes longer than they save.
_WORTH_SHARING = 400
_SHARE = 50
_MOST_PROCESSES = 4

Result = tuple[list[Finding], list[tuple[str, str]], int]


def lint(paths: tuple[str, ...]) -> Result:
    """Findings in order, what was skipped and why, and how many documents were read."""
    skipped = files.Skipped()
    found: list[Finding] = []
    count = 0
    for findings, reasons, read in _results(list(files.documents(paths, skipped))):
        found += findings
        skipped.reasons += reasons
        count += read
    return found, skipped.reasons, count


def _results(documents: list[str]) -> Iterator[Result]:
    processors = min(os.cpu_count() or 1, _MOST_PROCESSES)
    if len(documents) < _WORTH_SHARING or processors == 1 or os.name == "nt":
        yield _lint(documents)
        return
    shares = iter(documents)
    pieces = list(iter(lambda: list(islice(shares, _SHARE)), []))
    with ProcessPoolExecutor(processors) as pool:
        yield from pool.map(_lint, pieces)


def _lint(documents: list[str]) -> Result:
    skipped = files.Skipped()
    found: list[Finding] = []
    count = 0
    for path in documents:
        text = files.read(path, skipped)
        if text is not None:
            count += 1
            found += linter.check(path.replace(os.sep, "/"), text)
    return found, skipped.reasons, count
