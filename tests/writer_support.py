"""Texts and candidates for the tests of the marker writer."""

import pytest

from fake_github import fixtures
from session_memory.markers.candidate import Candidate, Key
from session_memory.markers.families import ISSUE, PULL_REQUEST, marker

Cli = fixtures.Cli

PLAN = "<!-- plan-issue-7 -->"
EXPERIENCE = "<!-- experience-owner-complete-7 -->"
DESIGN = "<!-- design-phase-complete-7 -->"

METRICS = """<!-- pipeline-metrics
metrics_version: 4
credits:
  - port: review
    adapter: judge
    evidence: pr-9
-->"""

EVERY_GH = pytest.mark.parametrize("gh", fixtures.EVERY_GH, indirect=True)


def plan(text: str = "The plan.", number: int = 7, *, preserve: bool = True) -> Candidate:
    body = f"<!-- plan-issue-{number} -->\n\n{text}\n"
    return issue("plan-issue", body, number, preserve=preserve)


def issue(
    family: str, body: str, number: int = 7, part: str = "", *, preserve: bool = True
) -> Candidate:
    return Candidate.of(Key(family, number, part, ISSUE), body, preserve=preserve)


def on_pull(family: str, body: str, part: str = "") -> Candidate:
    return Candidate.of(Key(family, 9, part, PULL_REQUEST), body)


def experience(text: str = "Done.") -> Candidate:
    return issue("experience-owner-complete", f"{EXPERIENCE}\n\n{text}\n")


def record_body(phase: str = "design", number: int = 7) -> str:
    """A minimal engagement record."""
    return (
        f"{marker('engagement-record', number, phase).literal}\n\n```yaml\nschema_version: 4\n"
        f"phase: {phase}\ncapture_session: normal-{phase}-v4\nload_bearing_decisions: []\n```\n"
    )


def credit_body(port: str = "design", number: int = 7) -> str:
    own = marker("credit-input", number, port)
    return f"{own.literal}\n\n```yaml\nport: {port}\nadapter: an-adapter\nevidence: done\n```\n"


def queue_body(state: str = "proposed", *titles: str, number: int = 7) -> str:
    own = marker("proposed-followups", number)
    rows = [f'  - canonical_title: "{title}"' for title in titles or ("Later",)]
    item = "\n".join(["proposals:", *rows])
    return f"{own.literal}\n\nstate: {state}\n\n```yaml\nschema_version: 1\n{item}\n```"
