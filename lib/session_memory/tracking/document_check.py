"""Whether a tracking document is of the format, with every fault by line (SMC-13)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from session_memory.tracking.front_matter import (
    PRIORITIES,
    REQUIRED,
    STATUSES,
    FrontMatter,
    Unreadable,
    parse,
)
from session_memory.tracking.layout import ARCHIVED_FOLDER, below

_SUFFIX = ".md"
_NAME = re.compile(r"issue-([0-9]+)-[^/]+\.md")
_PLAN = re.compile(r"plan-(issue-|bundle-).*\.md")
_ISSUE = re.compile(r"[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATES = ("created", "updated", "completed")
_LISTS = ("tags", "blocked_by", "related_issues")


@dataclass(frozen=True)
class Fault:
    """Where a document departs from the format, and how it should be; ``line`` counts from 1."""

    line: int
    message: str


def is_document(path: str) -> bool:
    """Whether the format holds for the file ``path``, relative to the checkout: for Markdown."""
    return below(path).lower().endswith(_SUFFIX)


def check(path: str, text: str) -> list[Fault]:
    """The faults of the document ``path``, in order of lines; empty when there are none."""
    faults = list(_of_name(path))
    try:
        found = parse(text)
    except Unreadable as error:
        return [*faults, Fault(error.line, str(error))]
    for rule in (_required, _choices, _issue, _dates, _lists, _assignee, _settled):
        faults += rule(path, found)
    return sorted(faults, key=lambda fault: fault.line)


def _of_name(path: str) -> Iterator[Fault]:
    name = path.rpartition("/")[2]
    if _PLAN.fullmatch(name):
        yield Fault(1, "a plan belongs into session memory (SMC-01, SMC-02), not here")
    elif name.startswith("issue-") and not _NAME.fullmatch(name):
        yield Fault(1, "the name is not issue-NUMBER-DESCRIPTION.md")


def _required(_path: str, found: FrontMatter) -> Iterator[Fault]:
    for key in REQUIRED:
        if found.values.get(key) is None:
            yield _at(found, key, f"{key} is missing")


def _choices(_path: str, found: FrontMatter) -> Iterator[Fault]:
    for key, allowed in (("status", STATUSES), ("priority", PRIORITIES)):
        value = found.values.get(key)
        if value is not None and value not in allowed:
            yield _at(found, key, f"{key} is not one of {', '.join(allowed)}")


def _issue(path: str, found: FrontMatter) -> Iterator[Fault]:
    value = found.values.get("issue_id")
    if isinstance(value, int) and not isinstance(value, bool):
        yield _at(found, "issue_id", f'issue_id is a number; as text it is "{value}"')
    elif value is not None and not (isinstance(value, str) and _ISSUE.fullmatch(value)):
        yield _at(found, "issue_id", 'issue_id is not the number of an issue, such as "185"')
    named = _NAME.fullmatch(path.rpartition("/")[2])
    if named and isinstance(value, str) and _ISSUE.fullmatch(value) and int(value) != int(named[1]):
        yield _at(found, "issue_id", f"issue_id is {value}, and the name says {int(named[1])}")


def _dates(_path: str, found: FrontMatter) -> Iterator[Fault]:
    for key in _DATES:
        value = found.values.get(key)
        if value is not None and not _is_date(value):
            yield _at(found, key, f"{key} is not a date such as 2026-04-20")
    created, completed = found.text("created"), found.text("completed")
    if _is_date(created) and _is_date(completed) and completed < created:
        yield _at(found, "completed", "completed is before created")


def _lists(_path: str, found: FrontMatter) -> Iterator[Fault]:
    for key in _LISTS:
        value = found.values.get(key)
        items = value if isinstance(value, list) else [value]
        if value is not None and not all(type(item) in (str, int) for item in items):
            yield _at(found, key, f"{key} is not a list of words or numbers")


def _assignee(_path: str, found: FrontMatter) -> Iterator[Fault]:
    if found.values.get("assigned_agent") is not None and not found.text("assigned_agent"):
        yield _at(found, "assigned_agent", "assigned_agent is not a name")


def _settled(path: str, found: FrontMatter) -> Iterator[Fault]:
    archived = below(path).lower().startswith(ARCHIVED_FOLDER + "/")
    if archived and found.values.get("completed") is None:
        yield _at(found, "completed", "completed is missing: the document is archived")


def _at(found: FrontMatter, key: str, message: str) -> Fault:
    return Fault(found.lines.get(key, 1), message)


def _is_date(value: object) -> bool:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
