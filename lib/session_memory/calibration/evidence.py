"""The reviews that count: of pull requests, or of the cache where those are silent (SMC-11)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from session_memory.calibration.described import Described, read_all
from session_memory.calibration.entry import check_entry
from session_memory.calibration.tally import Review
from session_memory.calibration.writing import Document
from session_memory.github.merged import MergedPullRequest
from session_memory.markers.comment import Comment
from session_memory.markers.problem import Problem

GITHUB, MERGED = "github", "merged"


@dataclass(frozen=True)
class Evidence:
    """``data_source`` tells whether the cache was needed: ``merged``, else ``github``.

    ``reviews`` are those that count, ``local`` those of the cache whose pull request was merged.
    ``max_pr`` is the last merged pull request, 0 without any.
    """

    pulls: tuple[MergedPullRequest, ...]
    described: tuple[Described, ...]
    reviews: tuple[Review, ...]
    local: tuple[Review, ...]
    data_source: str
    problems: tuple[Problem, ...]

    @property
    def max_pr(self) -> int:
        return max((pull.number for pull in self.pulls), default=0)


def gather(
    document: "Document | None",
    pulls: Sequence[MergedPullRequest],
    trusts: Callable[[Comment], bool],
) -> Evidence:
    """What is known about the reviews of these pull requests.

    What a description says is durable and counts first. Raises what ``trusts`` raises.
    """
    described, problems = read_all(pulls, trusts)
    merged = {pull.number: pull.merged_s for pull in pulls}
    entries, faults = _entries(document)
    local = [
        Review(number, merged[number], _findings(entry))
        for number, entry in entries.items()
        if number in merged
    ]
    if entries and not local:
        unknown = Problem("orphans", "no entry is of a merged pull request; all were left out")
        faults.append(unknown.at("review-data.json"))
    durable = [Review(one.pull.number, one.pull.merged_s, one.findings) for one in described]
    known = {review.number for review in durable}
    needed = [review for review in local if review.number not in known]
    return Evidence(
        tuple(pulls),
        tuple(described),
        tuple(durable + needed),
        tuple(local),
        MERGED if needed else GITHUB,
        tuple(problems + faults),
    )


def faulty_entries(document: "Document | None") -> list[Problem]:
    """What is wrong with entries, by place and field, such as ``entries[3].pr_number``."""
    return _entries(document)[1]


def _entries(document: "Document | None") -> tuple[dict[int, Document], list[Problem]]:
    """The sound entries by pull request, of which the last counts, and the faults of the others."""
    listed = document.get("entries") if document else None
    found: dict[int, Document] = {}
    problems: list[Problem] = []
    for index, entry in enumerate(listed if isinstance(listed, list) else []):
        faults = check_entry(entry, f"entries[{index}].")
        problems += faults[:1]
        if not faults:
            found[entry["pr_number"]] = entry
    return found, problems


def _findings(entry: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    findings = entry.get("findings")
    return tuple(findings) if isinstance(findings, list) else ()
