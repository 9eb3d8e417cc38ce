"""What ``markers write`` prints: plans, outcomes and failures, for people and as JSON."""

import click

from session_memory.cli import reading
from session_memory.cli.output import printable
from session_memory.markers.burst import Report
from session_memory.markers.decision import NO_OP, UPDATE
from session_memory.markers.outcome import Outcome, PostStepFailed, Unverified, WriteFailed
from session_memory.markers.plan import Plan, diff


def plan_json(plan: Plan) -> dict[str, object]:
    return {
        "dry_run": True,
        "would": _would(plan),
        "subject": plan.candidate.subject,
        "diff": diff(plan),
        "comment_id": plan.target_id or None,
        "would_retire": list(plan.to_retire),
        "preserved": list(plan.preserved),
        "warnings": reading.problems_json(plan.warnings),
    }


def print_plan(plan: Plan) -> None:
    """What a dry run would do, with the change as a unified diff."""
    target = f" comment {plan.target_id}" if plan.target_id else ""
    kept = f" (preserved: {', '.join(plan.preserved)})" if plan.preserved else ""
    click.echo(printable(f"{_would(plan)}{target} ({plan.candidate.subject}){kept}"))
    for copy in plan.to_retire:
        click.echo(f"would retire comment {copy}")
    change = diff(plan)
    for line in change.split("\n") if change else ():
        click.echo(printable(line))
    reading.warn(plan.warnings)


def _would(plan: Plan) -> str:
    return {NO_OP: "no-op", UPDATE: "would patch"}.get(plan.action, "would post")


def outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "success": True,
        "family": outcome.marker.family.name,
        "surface": outcome.marker.surface,
        "number": outcome.marker.number,
        "marker": outcome.marker.literal,
        "comment_id": outcome.comment_id or None,
        "url": outcome.url or None,
        "action": outcome.action,
        "confirmation": outcome.confirmation,
        "reason": None,
        "preserved": list(outcome.preserved),
        "retired": list(outcome.retired),
        "warnings": reading.problems_json(outcome.warnings),
    }


def failure_json(failure: WriteFailed) -> dict[str, object]:
    if isinstance(failure, PostStepFailed):
        return {**outcome_json(failure.outcome), "success": False, "reason": str(failure)}
    comment_id = failure.comment_id if isinstance(failure, Unverified) else 0
    return {"success": False, "comment_id": comment_id or None, "action": None,
            "confirmation": None, "reason": str(failure)}  # fmt: skip


def report_json(report: Report) -> dict[str, object]:
    names = [f"entry-{number}" for number in range(1, len(report.states) + 1)]
    return {
        "success": report.success,
        "reason": report.reason or None,
        "artifacts": dict(zip(names, report.states, strict=True)),
        "outcomes": [outcome_json(outcome) for outcome in report.outcomes],
    }
