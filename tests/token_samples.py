"""Tokens for the tests of this room."""

from typing import Any

ISSUE_TOKEN: dict[str, Any] = {
    "decision_id": "d-load-order",
    "phase": "design",
    "outcome": "asked",
    "classification": "load-bearing",
    "window_position": "pre-ask",
    "timestamp": "2026-06-02T00:00:00Z",
    "issue_number": 617,
}
REVIEW_TOKEN: dict[str, Any] = {
    **{name: value for name, value in ISSUE_TOKEN.items() if name != "issue_number"},
    "decision_id": "src/foo.ts:42:db55d9e9",
    "phase": "review",
    "window_position": "review-disposition",
    "pull_request_number": 42,
}


def without(token: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in token.items() if key != name}
