"""Reads engagement records out of the comments of an issue or a pull request (SMC-20, SMC-23)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from session_memory.markers.comment import Comment, by_age
from session_memory.markers.families import PHASES, Marker, parse
from session_memory.markers.payload import extract, fields_to_write
from session_memory.markers.problem import Problem, echo
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.markers.trust import Trusts, anyone
from session_memory.records import engagement
from session_memory.yaml_text import YamlError


class NoTarget(ValueError):
    """Neither an issue nor a pull request was named."""

    code = "no-target"


class UnknownSchemaVersion(ValueError):
    """A record has a version that this reader does not know; nothing that was read is returned.

    Guessing would drop or misread decisions that a newer tool recorded.
    """

    code = "unknown-schema-version"

    def __init__(self, comment: Comment, version: object) -> None:
        link = f" ({comment.html_url})" if comment.html_url else ""
        super().__init__(f"{comment.name}{link}: unknown schema_version {echo(version)}")
        self.comment = comment


@dataclass(frozen=True)
class Record:
    """One readable record: the comment, what it is about, and its decisions in source order."""

    comment: Comment
    phase: str
    decisions: tuple[dict[str, object], ...]
    legacy: bool = False


@dataclass(frozen=True)
class Reading:
    """The decisions in force, the records they come from by phase, and what was left out."""

    records: dict[str, Record] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    source: str = ""

    @property
    def decisions(self) -> list[dict[str, object]]:
        """The decisions of each phase's newest record, phases in their order."""
        order = {phase: place for place, phase in enumerate(PHASES)}
        phases = sorted(self.records, key=lambda phase: order.get(phase, len(order)))
        return [dict(item) for phase in phases for item in self.records[phase].decisions]


def read(
    comments: Iterable[Comment],
    target: Target,
    *,
    accept_legacy: bool = False,
    trusts: Trusts = anyone,
) -> Reading:
    """The newest record of each phase, or of the target's phase.

    No comments mean no records; how the comments were fetched, and that this worked, is the
    caller's business. ``accept_legacy`` also reads records from before there was a schema version,
    never those of another issue.

    Raises :class:`NoTarget` and :class:`UnknownSchemaVersion`. Anything else that is wrong with a
    record leaves that record out with a warning, and an older one may come to the fore.
    """
    if target.is_empty:
        raise NoTarget("an issue or a pull request number is needed")
    warnings: list[Problem] = []
    records: dict[str, Record] = {}
    for comment in by_age(comments):
        found = parse(first_line(comment.body))
        if found is None or not _is_about(found, target):
            continue
        if not trusts(comment):
            sentence = "left out: its author may not write here"
            warnings.append(Problem("untrusted-author", sentence, comment.name))
            continue
        record = _record(comment, found, accept_legacy)
        if isinstance(record, Record):
            records[record.phase] = record
        elif record is not None:
            warnings.append(record.at(comment.name))
    wanted = {name: r for name, r in records.items() if target.phase.lower() in ("", name)}
    return Reading(wanted, tuple(warnings), target.name)


def check_body(body: str, found: Marker) -> list[Problem]:
    """What a writer refuses: more than a reader needs, so that no reader is left guessing."""
    fields, unreadable = fields_to_write(body)
    if unreadable:
        return unreadable
    missing = engagement.missing_fields(fields)
    if missing:
        return [Problem("missing-fields", f"missing {', '.join(missing)}")]
    if engagement.known_version(fields) is None:
        sentence = f"unknown schema_version {echo(fields['schema_version'])}"
        return [Problem("unknown-schema-version", sentence)]
    return engagement.check(fields, found.part)


def _is_about(found: Marker, target: Target) -> bool:
    """Review records belong to pull requests, and a pull request's number is no issue's."""
    if found.family.name != "engagement-record":
        return False
    number = target.pull_request if found.part == "review" else target.issue
    return number > 0 and found.number == number


def _record(comment: Comment, found: Marker, accept_legacy: bool) -> Record | Problem | None:
    payload = extract(comment.body)
    if payload.text is not None and not payload.text.strip():
        return None
    try:
        value = payload.load()
    except YamlError as error:
        return Problem("bad-yaml", str(error))
    fields = value if isinstance(value, dict) else {}
    missing = engagement.missing_fields(fields)
    if missing and accept_legacy:
        return _legacy(comment, found, fields, missing)
    if missing:
        return Problem("missing-fields", f"missing {', '.join(missing)}")
    version = engagement.known_version(fields)
    if version is None:
        raise UnknownSchemaVersion(comment, fields["schema_version"])
    problems = engagement.check(fields, found.part)
    if problems:
        return problems[0]
    phase = engagement.phase_of(fields)
    decisions = engagement.decisions_of(fields)
    marked = [{**item, "phase": phase, "schema_version": version} for item in decisions]
    return Record(comment, phase, tuple(marked))


def _legacy(
    comment: Comment, found: Marker, fields: dict[str, object], missing: list[str]
) -> Record:
    phase = engagement.phase_of(fields) or found.part
    marks = {
        "phase": phase,
        "schema_version": fields.get("schema_version"),
        "_legacy": True,
        "_missing_fields": missing,
    }
    decisions = [{**item, **marks} for item in engagement.decisions_of(fields)]
    return Record(comment, phase, tuple(decisions), legacy=True)
