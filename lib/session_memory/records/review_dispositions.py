"""``review-dispositions`` of a pull request: the rules of its payload, versions 1 to 4 (SMC-23)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.markers.payload import extract
from session_memory.markers.problem import Problem, echo
from session_memory.markers.selection import carries
from session_memory.records.engagement import CLASSIFICATIONS
from session_memory.records.values import is_among, is_integer, is_text, version_number
from session_memory.yaml_text import YamlError

VERSIONS = (1, 2, 3, 4)
CURRENT = 4
PASSES = (1, 2, 3, 4, 5)
DISPOSITIONS = ("incorporate", "dismiss", "escalate", "defer")
# Dispositions that drop a finding, and severities at which this takes a cross-check.
DROPPING = ("dismiss", "defer")
GRAVE = ("critical", "high", "medium")

ENUMS = {
    "pass_role": (
        "generalist-A",
        "generalist-B",
        "spec-correctness",
        "spec-security",
        "spec-architecture",
    ),
    "severity": ("critical", "high", "medium", "low"),
    "stage": ("code-review", "ce"),
}
AC_ENUMS = {
    "result": ("matched-high", "matched-ambiguous", "no-match"),
    "source": ("issue", "pr-body", "no-ac-section"),
    "routed": ("force-accept", "disposition-gate", "defer"),
}
MATCH_STATUSES = ("duplicate", "novel", "ambiguous")

TOP_KEYS = frozenset({"schema_version", "passes_run", "entries", "external_sources_reconciled"})
ENTRY_KEYS = frozenset(
    {
        "stable_finding_key",
        "pass",
        "disposition",
        "classification",
        "disposition_rationale",
        "finding_id",
        "pass_role",
        "artifact_citation",
        "also_flagged_by",
        "severity",
        "stage",
        "ac_cross_check",
        "reviewer_source",
        "internal_match",
    }
)
AC_KEYS = frozenset({"file_arm", "term_arm", "ac_ref", *AC_ENUMS})


@dataclass(frozen=True)
class Check:
    """What the payloads of one pull request say, all comments of it taken together."""

    problems: tuple[Problem, ...]
    marker_count: int
    entry_count: int

    @property
    def status(self) -> str:
        return "findings" if self.problems else "clean"


def check_comments(comments: Iterable[Comment], pull_request: int) -> Check:
    """Checks every payload of the pull request. It warns; only a writer refuses."""
    if pull_request <= 0:
        return Check((), 0, 0)
    literal = marker("review-dispositions", pull_request).literal
    own = [comment for comment in comments if carries(comment.body, literal)]
    problems: list[Problem] = []
    entries = 0
    for comment in own:
        payload, found = _load(comment.body)
        problems += [problem.at(comment.name) for problem in (found or check(payload))]
        entries += len(entries_of(payload))
    return Check(tuple(problems), len(own), entries)


def check_body(body: str) -> list[Problem]:
    """What a writer refuses: bad payloads, and leaving out what would make one bad."""
    unfenced = extract(body).unfenced
    if unfenced:
        return [unfenced]
    payload, found = _load(body)
    return found or [*check(payload), *_dodges(payload)]


def load(body: str) -> dict[str, object]:
    """The payload of a body. Raises :class:`YamlError`, also when it is no mapping."""
    payload = extract(body)
    value = payload.load()
    if not isinstance(value, dict):
        raise YamlError("the payload is not a mapping", payload.line)
    return value


def entries_of(payload: Mapping[str, object]) -> list[dict[str, object]]:
    """The entries that are mappings, whatever else is wrong with them."""
    listed = payload.get("entries")
    items = listed if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, dict)]


def check(payload: Mapping[str, object]) -> list[Problem]:
    """What is wrong with a payload."""
    version = version_number(payload.get("schema_version"))
    if version not in VERSIONS:
        sentence = f"schema_version {echo(payload.get('schema_version'))} is none of 1 to 4"
        return [Problem("schema_version", sentence)]
    problems = [*_unknown(payload, TOP_KEYS, ""), *_passes("passes_run", payload.get("passes_run"))]
    sources = payload.get("external_sources_reconciled")
    if sources is not None and not _is_text_list(sources):
        sentence = "external_sources_reconciled is not a list of keys"
        problems.append(Problem("external_sources_reconciled", sentence))
    entries = payload.get("entries")
    if not isinstance(entries, list):
        return [*problems, Problem("entries", "entries is missing or not a list")]
    for number, entry in enumerate(entries):
        found = _entry(entry, version) if isinstance(entry, dict) else iter(_NOT_A_MAPPING)
        problems += [_in_entry(number, problem) for problem in found]
    return problems


_NOT_A_MAPPING = (Problem("not-a-mapping", "it is not a mapping"),)


def _load(body: str) -> tuple[dict[str, object], list[Problem]]:
    try:
        return load(body), []
    except YamlError as error:
        return {}, [Problem("bad-yaml", str(error))]


def _in_entry(number: int, problem: Problem) -> Problem:
    return Problem(f"entry[{number}]:{problem.code}", f"entry {number + 1}: {problem.message}")


def _entry(entry: Mapping[str, object], version: int | None) -> Iterator[Problem]:
    for name, lawful in _REQUIRED.items():
        if not lawful(entry.get(name)):
            yield Problem(name, f"{name} is missing or unlawful: {echo(entry.get(name))}")
    for name, allowed in ENUMS.items():
        if name in entry and not is_among(entry[name], allowed):
            yield Problem(name, f"{name} is none of {', '.join(allowed)}")
    if version in (3, 4) and not is_text(entry.get("reviewer_source")):
        yield Problem("reviewer_source", "reviewer_source is mandatory from version 3 on")
    if "ac_cross_check" in entry:
        yield from _cross_check(entry["ac_cross_check"])
    elif version != 1 and _drops_a_grave_finding(entry):
        sentence = "dropping a finding of medium severity or more takes an ac_cross_check"
        yield Problem("ac_cross_check", sentence)
    if "also_flagged_by" in entry:
        yield from _passes("also_flagged_by", entry["also_flagged_by"])
    if "internal_match" in entry:
        yield from _internal_match(entry["internal_match"])
    yield from _unknown(entry, ENTRY_KEYS, "")


def _drops_a_grave_finding(entry: Mapping[str, object]) -> bool:
    dropped = is_among(entry.get("disposition"), DROPPING)
    return dropped and is_among(entry.get("severity"), GRAVE)


_REQUIRED: dict[str, Callable[[object], bool]] = {
    "stable_finding_key": is_text,
    "pass": lambda value: is_integer(value) and value in PASSES,
    "disposition": lambda value: is_among(value, DISPOSITIONS),
    "classification": lambda value: is_among(value, CLASSIFICATIONS),
    "disposition_rationale": is_text,
}


def _passes(name: str, passes: object) -> Iterator[Problem]:
    if not isinstance(passes, list) or (name == "passes_run" and not passes):
        yield Problem(f"{name}:empty", f"{name} is missing, empty or not a list")
        return
    for value in passes:
        if not is_integer(value) or value not in PASSES:
            yield Problem(f"{name}:value:{echo(value)}", f"{name} holds {echo(value)}, not 1 to 5")
    if len({repr(value) for value in passes}) < len(passes):
        yield Problem(f"{name}:duplicate", f"{name} holds a duplicate")


def _cross_check(value: object) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem("ac_cross_check", "ac_cross_check is not a mapping")
        return
    for name in ("file_arm", "term_arm"):
        if not isinstance(value.get(name), bool):
            yield Problem(f"ac_cross_check:{name}", f"ac_cross_check: {name} is not true or false")
    for name, allowed in AC_ENUMS.items():
        if not is_among(value.get(name), allowed):
            sentence = f"ac_cross_check: {name} is none of {', '.join(allowed)}"
            yield Problem(f"ac_cross_check:{name}", sentence)
    yield from _unknown(value, AC_KEYS, "ac_cross_check:")


def _internal_match(value: object) -> Iterator[Problem]:
    status = value.get("match_status") if isinstance(value, dict) else None
    if not is_among(status, MATCH_STATUSES):
        sentence = f"internal_match: match_status is none of {', '.join(MATCH_STATUSES)}"
        yield Problem("internal_match", sentence)


def _unknown(values: Mapping[str, object], known: frozenset[str], prefix: str) -> Iterator[Problem]:
    for name in values:
        if name not in known:
            yield Problem(f"{prefix}unknown:{echo(name)}", f"{prefix}unknown key {echo(name)}")


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(is_text(item) for item in value)


def _dodges(payload: Mapping[str, object]) -> Iterator[Problem]:
    """Entries that leave out the severity, and so escape the cross-check it would demand."""
    if version_number(payload.get("schema_version")) == 1:
        return
    for number, entry in enumerate(entries_of(payload)):
        if is_among(entry.get("disposition"), DROPPING) and "severity" not in entry:
            sentence = "a finding that is dropped needs its severity"
            yield _in_entry(number, Problem("severity", sentence))
