"""The kinds of value that calibration data hold, each with the problem of what is none."""

import time
from collections.abc import Mapping

from session_memory.github.identifiers import is_number
from session_memory.markers.comment import instant
from session_memory.markers.problem import Problem, echo

MAX_TEXT = 1000

MISSING, WRONG_TYPE, OUT_OF_RANGE = "missing", "wrong-type", "out-of-range"

# A stage that did not run has no number; zero is that of a stage that found nothing.
DID_NOT_RUN = "n/a"
_ABSENT = object()


def missing(values: Mapping[str, object], key: str, where: str) -> list[Problem]:
    """That ``key`` is not there, if so."""
    return [] if key in values else [Problem(MISSING, "is missing", where)]


def text(values: Mapping[str, object], key: str, where: str) -> list[Problem]:
    """A text that is not blank."""
    value = values.get(key, _ABSENT)
    if not isinstance(value, str):
        return missing(values, key, where) or [wrong_type("a text", value, where)]
    if not value.strip():
        return [Problem(OUT_OF_RANGE, "is blank", where)]
    if len(value) > MAX_TEXT:
        return [Problem(OUT_OF_RANGE, f"has more than {MAX_TEXT} characters", where)]
    return []


def pull_request(values: Mapping[str, object], key: str, where: str) -> list[Problem]:
    """The number of a pull request; neither a truth value nor a fraction is one."""
    value = values.get(key, _ABSENT)
    if not is_integer(value):
        return missing(values, key, where) or [wrong_type("an integer", value, where)]
    if not is_number(value):
        return [Problem(OUT_OF_RANGE, "is no number of a pull request", where)]
    return []


def count(values: Mapping[str, object], key: str, where: str) -> list[Problem]:
    """A number from 0 on, or ``n/a``."""
    value = values.get(key, _ABSENT)
    if value == DID_NOT_RUN:
        return []
    if not isinstance(value, int) or isinstance(value, bool):
        return missing(values, key, where) or [wrong_type("an integer or n/a", value, where)]
    if not 0 <= value < 1 << 31:
        return [Problem(OUT_OF_RANGE, "is no count", where)]
    return []


def moment(values: Mapping[str, object], key: str, where: str) -> list[Problem]:
    """An ISO 8601 date or time."""
    value = values.get(key, _ABSENT)
    if not isinstance(value, str):
        return missing(values, key, where) or [wrong_type("a text", value, where)]
    if len(value) > MAX_TEXT or instant(value) is None:
        return [Problem(OUT_OF_RANGE, f"is no ISO 8601 time: {echo(value)}", where)]
    return []


def optional(problems: list[Problem]) -> list[Problem]:
    """The problems of a member that may be left out."""
    return [problem for problem in problems if problem.code != MISSING]


def utc_text(seconds: float) -> str:
    """Seconds since 1970 as the data tell times."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def is_integer(value: object) -> bool:
    """Whether ``value`` is an integer, which in Python a truth value is too."""
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS = {bool: "a truth value", int: "an integer", float: "a fraction", str: "a text",
          list: "a list", dict: "an object", type(None): "null"}  # fmt: skip


def wrong_type(wanted: str, value: object, where: str) -> Problem:
    """That ``value`` is of another kind than ``wanted``."""
    return Problem(WRONG_TYPE, f"is {_KINDS.get(type(value), 'another kind')}, not {wanted}", where)
