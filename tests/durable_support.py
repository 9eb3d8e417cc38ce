"""Bodies of marker comments for the tests of the commands that read them."""

import json
from typing import Any

from fake_github.fixtures import Cli
from session_memory.markers.families import marker
from session_memory.records.engagement import CURRENT
from session_memory.records.rendering import render_body

__all__ = ["Cli", "completion", "credit", "decision", "lines", "payload", "record", "token"]


def decision(identity: str = "cache-key", choice: str = "by digest", **more: Any) -> dict[str, Any]:
    return {
        "decision_id": identity,
        "classification": "load-bearing",
        "engineer_choice": choice,
        **more,
    }


def payload(phase: str, *decisions: dict[str, Any], version: int = 0) -> dict[str, Any]:
    return {
        "schema_version": version or CURRENT[phase],
        "phase": phase,
        "capture_session": f"normal-{phase}-v{CURRENT[phase]}",
        "load_bearing_decisions": list(decisions),
    }


def record(number: int, phase: str, *decisions: dict[str, Any], version: int = 0) -> str:
    """The body of an engagement record."""
    own = marker("engagement-record", number, phase)
    return render_body(own, payload(phase, *decisions, version=version))


def credit(issue: int, port: str, evidence: str = "done", adapter: str = "work-adapter") -> str:
    values = {"port": port, "adapter": adapter, "evidence": evidence}
    return render_body(marker("credit-input", issue, port), values)


def completion(issue: int, family: str, text: str = "Done.") -> str:
    return f"{marker(family, issue).literal}\n\n{text}\n"


def token(identity: str = "cache-key", minute: int = 0, **changes: Any) -> dict[str, Any]:
    """An L0 token of issue 7."""
    base = {
        "decision_id": identity,
        "phase": "design",
        "outcome": "asked",
        "classification": "load-bearing",
        "window_position": "pre-ask",
        "timestamp": f"2026-06-02T00:{minute:02}:00Z",
        "issue_number": 7,
        "session_key": "s-1",
    }
    return {**base, **changes}


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in records)
