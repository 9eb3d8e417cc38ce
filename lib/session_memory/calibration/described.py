"""What the description of a pull request tells of its review (SMC-09, SMC-11)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from session_memory.calibration import values
from session_memory.calibration.depth import LIGHT, SKIP
from session_memory.calibration.entry import SUMMARY_COUNTS, check_entry
from session_memory.calibration.writing import Document
from session_memory.github.merged import MergedPullRequest
from session_memory.markers.comment import Comment
from session_memory.markers.problem import Problem
from session_memory.records import metrics

BROKEN, UNTRUSTED = "broken-metrics", "untrusted-author"

_FLAT_PASSES = {"1": "pass_1_findings", "2": "pass_2_findings", "3": "pass_3_findings"}
_INTEGERS = ("points", "pass")
# Of a description with more wrong, this much is told.
_MAX_PROBLEMS = 3


@dataclass(frozen=True)
class Described:
    """A merged pull request whose metrics could be read; ``entry`` is what the cache holds of it.

    ``depths`` is how closely categories were looked at, as far as that was not in full.
    """

    pull: MergedPullRequest
    entry: Document
    depths: dict[str, str]

    @property
    def findings(self) -> tuple[Document, ...]:
        found = self.entry["findings"]
        return tuple(found) if isinstance(found, list) else ()


def read_all(
    pulls: Iterable[MergedPullRequest], trusts: Callable[[Comment], bool]
) -> tuple[list[Described], list[Problem]]:
    """The metrics of all pull requests that have some, and the problems of those left out.

    A stranger's description must not talk reviews out of looking, hence ``trusts``, which is asked
    only about authors of metrics.
    """
    found: list[Described] = []
    problems: list[Problem] = []
    for pull in pulls:
        read = metrics.read(pull.description.body)
        if read.version is None:
            continue
        where = f"pull request {pull.number}"
        if not trusts(pull.description):
            left_out = "its metrics are left out: its author may not write here"
            problems.append(Problem(UNTRUSTED, left_out, where))
            continue
        described, faults = _described(pull, read)
        problems += [Problem(BROKEN, str(fault), where) for fault in faults[:_MAX_PROBLEMS]]
        if not faults:
            found.append(described)
    return found, problems


def _described(
    pull: MergedPullRequest, read: metrics.Metrics
) -> tuple[Described, list[Problem]]:  # fmt: skip
    entry: Document = {
        "pr_number": pull.number,
        "created_at": pull.merged_at,
        "findings": [_finding(row) for row in read.findings],
    }
    summary = _summary(read)
    if summary:
        entry["summary"] = summary
    described = Described(pull, entry, _depths(read.scalars))
    if read.version == "parse-error":
        return described, [Problem(BROKEN, f"pipeline-metrics cannot be read: {read.detail}")]
    return described, check_entry(entry)


def _finding(row: dict[str, str]) -> Document:
    """The row of text, with its numbers as such, and without what is left empty."""
    finding: Document = {name: value for name, value in row.items() if value}
    for name in _INTEGERS:
        number = _count(row.get(name, ""))
        if isinstance(number, int):
            finding[name] = number
    return finding


def _summary(read: metrics.Metrics) -> Document:
    """The counts, if all are there: half a summary is none."""
    counts = {name: _count(read.scalars.get(name, "")) for name in SUMMARY_COUNTS}
    flat = {name: read.scalars.get(key, "") for name, key in _FLAT_PASSES.items()}
    told = {name: _count(text) for name, text in (read.passes or flat).items()}
    passes = {name: count for name, count in told.items() if isinstance(count, int)}
    if None in counts.values() or not passes:
        return {}
    return {**counts, "pass_findings": passes}


def _count(text: str) -> int | str | None:
    if text == values.DID_NOT_RUN:
        return text
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _depths(scalars: dict[str, str]) -> dict[str, str]:
    return {
        category: depth
        for depth in (LIGHT, SKIP)
        for category in _names(scalars.get(f"prosecution_depth_{depth}", ""))
    }


def _names(text: str) -> list[str]:
    inside = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else ""
    return [name for part in inside.split(",") if (name := part.strip(" \t'\"").lower())]
