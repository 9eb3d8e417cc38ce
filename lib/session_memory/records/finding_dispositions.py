"""``finding_dispositions``, inside the comment that completes the design phase (SMC-19)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from session_memory.markers.families import parse
from session_memory.markers.payload import extract
from session_memory.markers.problem import Problem, echo
from session_memory.markers.text import first_line
from session_memory.records.engagement import CLASSIFICATIONS
from session_memory.records.values import is_among, is_integer, is_text, version_number
from session_memory.yaml_text import YamlError

PASSES = (1, 2, 3, 4)
# The convergence read comes after all others, so it only ever finds what is new.
SECONDARY_PASSES = (1, 2, 3)
DISPOSITIONS = ("incorporate", "dismiss", "escalate")
ROOT = "finding_dispositions"

FINDING_ID = r"[A-Z][A-Z0-9]*[0-9]"


def check_body(body: str) -> list[Problem]:
    """What is wrong with the dispositions in ``body``; a design comment may have none."""
    marker = parse(first_line(body))
    own = marker is not None and marker.family.name == "design-phase-complete"
    payload = extract(body)
    if own and not payload.fenced and not payload.ambiguous:
        return []
    try:
        value = payload.load()
    except YamlError as error:
        return [Problem("bad-yaml", str(error))] if own else []
    if not isinstance(value, dict) or ROOT not in value:
        return [Problem("missing-block", f"the yaml fence holds no {ROOT}")] if own else []
    if not own:
        sentence = f"{ROOT} belongs in the comment that completes the design phase"
        return [Problem("wrong-marker", sentence)]
    return check(value[ROOT])


def check(block: object) -> list[Problem]:
    """What is wrong with the block itself."""
    if not isinstance(block, Mapping):
        return [Problem("missing-block", f"{ROOT} is not a mapping")]
    problems = []
    if version_number(block.get("schema_version")) != 1:
        problems.append(Problem("schema_version", "schema_version is not 1"))
    passes = block.get("passes_run")
    problems += _passes_run(passes)
    entries = block.get("entries")
    if not isinstance(entries, list):
        return [*problems, Problem("entries", "entries is not a list")]
    for number, entry in enumerate(entries, 1):
        found = _entry(entry, passes) if isinstance(entry, Mapping) else iter(_NOT_A_MAPPING)
        problems += [problem.at(f"entry {number}") for problem in found]
    if entries and _passes_of(entries) != _as_set(passes):
        sentence = "passes_run is not the set of passes that the entries name"
        problems.append(Problem("passes_run:mismatch", sentence))
    return problems


@dataclass(frozen=True)
class Integrity:
    """A ledger of findings against the block that is to be posted, by (finding id, pass)."""

    ledger_count: int
    block_count: int
    missing: tuple[tuple[str, int], ...]
    extra: tuple[tuple[str, int], ...]

    @property
    def ok(self) -> bool:
        return self.ledger_count == self.block_count and not self.missing and not self.extra


def integrity(
    ledger: Iterable[Mapping[str, object]], entries: Iterable[Mapping[str, object]]
) -> Integrity:
    """Whether the block says exactly what the ledger of sustained findings says."""
    expected, given = _pairs(ledger), _pairs(entries)
    return Integrity(
        len(expected),
        len(given),
        tuple(sorted(set(expected) - set(given))),
        tuple(sorted(set(given) - set(expected))),
    )


def finding_ids(body: str) -> list[str]:
    """The ids that a completion comment disposes of, as far as they can be read at all.

    Raises :class:`YamlError` when the payload cannot be parsed.
    """
    payload = extract(body)
    if not payload.fenced and not payload.ambiguous:
        return []
    value = payload.load()
    block = value.get(ROOT) if isinstance(value, dict) else None
    entries = block.get("entries") if isinstance(block, dict) else None
    listed = entries if isinstance(entries, list) else []
    ids = [entry.get("finding_id") for entry in listed if isinstance(entry, dict)]
    return [str(identity) for identity in ids if identity]


_NOT_A_MAPPING = (Problem("entry", "it is not a mapping"),)


def _passes_run(passes: object) -> Iterator[Problem]:
    values = passes if isinstance(passes, list) else []
    if not all(is_integer(value) for value in values):
        yield Problem("passes_run:non-numeric", "passes_run holds something other than numbers")
    if not values or not _as_set(values) <= set(PASSES) or not all(map(is_integer, values)):
        yield Problem("passes_run:subset", "passes_run is not one or more out of 1 to 4")


def _entry(entry: Mapping[object, object], passes: object) -> Iterator[Problem]:
    identity = entry.get("finding_id")
    if not isinstance(identity, str) or not re.fullmatch(FINDING_ID, identity):
        yield Problem("finding_id", f"finding_id {echo(identity)} is not like F1")
    number = entry.get("pass")
    if not is_integer(number):
        yield Problem("pass:non-numeric", "pass is not a number")
    elif number not in PASSES:
        yield Problem("pass", "pass is not one out of 1 to 4")
    if not is_among(entry.get("disposition"), DISPOSITIONS):
        yield Problem("disposition", f"disposition is none of {', '.join(DISPOSITIONS)}")
    if not is_among(entry.get("classification"), CLASSIFICATIONS):
        yield Problem("classification", f"classification is none of {', '.join(CLASSIFICATIONS)}")
    if not is_text(entry.get("disposition_rationale")):
        yield Problem("disposition_rationale", "disposition_rationale is missing or blank")
    if "artifact_citation" in entry and not is_text(entry["artifact_citation"]):
        yield Problem("artifact_citation", "artifact_citation is blank")
    if "also_flagged_by" in entry and not _also(entry["also_flagged_by"], number, passes):
        sentence = "also_flagged_by is not a list of other passes out of 1 to 3 that were run"
        yield Problem("also_flagged_by", sentence)
    if "artifact_citation_required" in entry:
        sentence = "artifact_citation_required is not supported"
        yield Problem("unsupported:artifact_citation_required", sentence)


def _also(also: object, own: object, passes: object) -> bool:
    if not isinstance(also, list) or not also or not all(map(is_integer, also)):
        return False
    allowed = _as_set(passes) & set(SECONDARY_PASSES) - _as_set([own])
    return len(set(also)) == len(also) and set(also) <= allowed


def _passes_of(entries: list[object]) -> set[object]:
    named = [entry.get("pass") for entry in entries if isinstance(entry, Mapping)]
    return {value for value in named if is_integer(value)}


def _as_set(values: object) -> set[object]:
    """The numbers in a list."""
    return {value for value in values if is_integer(value)} if isinstance(values, list) else set()


def _pairs(items: Iterable[Mapping[str, object]]) -> list[tuple[str, int]]:
    pairs = []
    for item in items:
        number = item.get("pass")
        pairs.append((str(item.get("finding_id")), number if isinstance(number, int) else 0))
    return pairs
