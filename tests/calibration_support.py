"""Entries, and descriptions of pull requests, for the tests of calibration."""

import json
from collections.abc import Callable
from typing import Any

from command_line import Ran
from fake_github import Thread, World
from support import Repository

Cli = Callable[..., Ran]
NAME = ".copilot-tracking/calibration/review-data.json"
CREATED = "2026-03-20T12:00:00Z"

SUMMARY = {
    "prosecution_findings": 3,
    "pass_findings": {"1": 1, "2": 2},
    "defense_disproved": 1,
    "judge_accepted": 2,
    "judge_rejected": 1,
    "judge_deferred": 0,
}
METRICS = """\
defense_disproved: 1
judge_accepted: 2
judge_rejected: 1
judge_deferred: 0
"""


def finding(category: str = "security", ruling: str = "sustained", **more: Any) -> dict[str, Any]:
    return {"id": "F1", "category": category, "judge_ruling": ruling, **more}


def entry(number: int = 5, *findings: dict[str, Any], **more: Any) -> dict[str, Any]:
    listed = list(findings) or [finding()]
    return {"pr_number": number, "created_at": CREATED, "findings": listed, **more}


def event(category: str = "security", start: int = 5, end: int = 10) -> dict[str, Any]:
    return {
        "category": category,
        "triggered_at_pr": start,
        "expires_at_pr": end,
        "trigger_source": "code_prosecution",
    }


def metrics(*findings: dict[str, Any], extra: str = "", version: int = 4) -> str:
    """A description with these findings in its metrics."""
    rows = [
        ("  - " if not index else "    ") + f"{name}: {value}\n"
        for item in findings
        for index, (name, value) in enumerate(item.items())
    ]
    listed = "findings:\n" + "".join(rows) if rows else "findings: []  # none\n"
    head = f"Text.\n\n<!-- pipeline-metrics\nmetrics_version: {version}\n"
    return f"{head}prosecution_findings: 3\n{METRICS}{extra}{listed}-->\n"


def merge(world: World, number: int, body: str, merged_at: str = "", **options: Any) -> Thread:
    """A merged pull request of acme/widgets."""
    thread = world.repository().open(body=body, number=number, pull_request=True, **options)
    thread.merge(merged_at)
    return thread


def read(repo: Repository) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((repo.root / NAME).read_text("utf-8"))
    return found


def numbers(repo: Repository) -> list[int]:
    return [one["pr_number"] for one in read(repo)["entries"]]
