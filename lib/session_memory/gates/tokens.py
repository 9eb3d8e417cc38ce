"""L0 decision tokens: what an agent writes down when it puts, or skips, a question (SMC-21).

``schemas/gate-decision-token.schema.json`` states the same rules for other programs.
"""

from session_memory.gates.decision_ids import is_slug, is_stable_key
from session_memory.gates.instant import is_instant

CHOICES = {
    "phase": ("experience", "design", "plan", "orchestration", "review"),
    "outcome": ("asked", "gate-fails", "declined", "same-decision-resume", "greenfield-defer"),
    "classification": ("load-bearing", "routine", "not-applicable"),
    "window_position": ("pre-ask", "disposition", "judge-merge", "unknown", "review-disposition"),
}
# The window whose decisions belong to a pull request; those of all others belong to an issue.
REVIEW_WINDOW = "review-disposition"
ASKED = "asked"

REQUIRED = ("decision_id", *CHOICES, "timestamp")
NUMBERS = ("issue_number", "pull_request_number")
# In the order in which a token is written.
FIELDS = (*REQUIRED, *NUMBERS, "session_key", "skip_reason")


def validate(token: object) -> list[str]:
    """What is wrong with ``token``, as codes ``fault:field``; empty when nothing is.

    Faults are ``missing``, ``forbidden``, ``type``, ``enum``, ``pattern``, ``range``, ``unknown``.
    """
    if not isinstance(token, dict):
        return ["type:token"]
    number, forbidden = _conditions(token)
    errors = []
    for name in FIELDS:
        fault = ""
        if name in token:
            fault = "forbidden" if name in forbidden else _fault(name, token)
        elif name in REQUIRED or name == number:
            fault = "missing"
        if fault:
            errors.append(f"{fault}:{name}")
    return errors + [f"unknown:{name}" for name in token if name not in FIELDS]


def _conditions(token: dict[str, object]) -> tuple[str, set[str]]:
    """The number that the token must have, and what it must not have."""
    issue, pull_request = NUMBERS
    in_review = token.get("window_position") == REVIEW_WINDOW
    number, other = (pull_request, issue) if in_review else (issue, pull_request)
    return number, {other, "skip_reason"} if token.get("outcome") == ASKED else {other}


def _fault(name: str, token: dict[str, object]) -> str:
    value = token[name]
    if name in NUMBERS:
        return _number_fault(value)
    if not isinstance(value, str):
        return "type"
    if name in CHOICES:
        return "" if value in CHOICES[name] else "enum"
    if name == "decision_id":
        in_review = token.get("window_position") == REVIEW_WINDOW
        return "" if is_slug(value) or (in_review and is_stable_key(value)) else "pattern"
    if name == "timestamp":
        return "" if is_instant(value) else "pattern"
    return ""


def _number_fault(value: object) -> str:
    # To JSON Schema, as to JSON, 617.0 is an integer; True is none.
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole and not (isinstance(value, float) and value.is_integer()):
        return "type"
    return "" if value >= 1 else "range"  # type: ignore[operator]


def explain(error: str) -> str:
    """An error code in words, for the person who has to correct the token."""
    fault, _, name = error.partition(":")
    if fault == "enum":
        return f"{name} must be one of {', '.join(CHOICES[name])}"
    if fault == "type":
        return f"{name} must be {_TYPES.get(name, 'a text')}"
    if fault == "forbidden":
        return f"{name} {_FORBIDDEN[name]}"
    return _WORDS.get(error) or f"{name} {_FAULTS[fault]}"


_TYPES = {"token": "a JSON object", **dict.fromkeys(NUMBERS, "a whole number")}
_FAULTS = {
    "missing": "is missing",
    "range": "must be 1 or more",
    "unknown": "is not a field of a token",
}
_FORBIDDEN = {
    "issue_number": f"does not go with window_position {REVIEW_WINDOW}",
    "pull_request_number": f"goes only with window_position {REVIEW_WINDOW}",
    "skip_reason": f"does not go with outcome {ASKED}",
}
_WORDS = {
    "pattern:decision_id": (
        "decision_id must be a slug (2 to 64 of a-z, 0-9 and -, a letter first, no - last), or with"
        f" window_position {REVIEW_WINDOW} the stable key of a finding"
    ),
    "pattern:timestamp": "timestamp must be an ISO-8601 time in UTC such as 2026-06-02T00:00:00Z",
}
