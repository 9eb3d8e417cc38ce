"""What an entry and a re-activation event must hold, with errors that name the field (SMC-10)."""

from collections.abc import Iterator, Mapping

from session_memory.calibration import values
from session_memory.markers.problem import Problem

# Of a review with more findings nobody has read them.
MAX_FINDINGS = 2000

SUMMARY_COUNTS = (
    "prosecution_findings",
    "defense_disproved",
    "judge_accepted",
    "judge_rejected",
    "judge_deferred",
)
_OPTIONAL_TEXTS = ("review_stage", "systemic_fix_type")


def check_entry(entry: object, where: str = "") -> list[Problem]:
    """What is wrong with an entry. ``where`` is a prefix of the fields' names.

    Unknown members are nobody's business, and are kept.
    """
    if not isinstance(entry, dict):
        return [values.wrong_type("an object", entry, where.rstrip(".") or "entry")]
    return [
        *values.pull_request(entry, "pr_number", where + "pr_number"),
        *values.moment(entry, "created_at", where + "created_at"),
        *_findings(entry, where + "findings"),
        *_summary(entry, where + "summary"),
    ]


def check_event(event: object, where: str = "event") -> list[Problem]:
    """What is wrong with a re-activation event."""
    if not isinstance(event, dict):
        return [values.wrong_type("an object", event, where)]
    problems = [
        *values.text(event, "category", f"{where}.category"),
        *values.pull_request(event, "triggered_at_pr", f"{where}.triggered_at_pr"),
        *values.pull_request(event, "expires_at_pr", f"{where}.expires_at_pr"),
        *values.text(event, "trigger_source", f"{where}.trigger_source"),
        *values.optional(values.moment(event, "created_at", f"{where}.created_at")),
    ]
    if not problems and event["expires_at_pr"] <= event["triggered_at_pr"]:
        late = "does not come after triggered_at_pr"
        problems.append(Problem(values.OUT_OF_RANGE, late, f"{where}.expires_at_pr"))
    return problems


def is_express(finding: Mapping[str, object]) -> bool:
    """Whether a finding was accepted without defense and judgment."""
    flag = finding.get("express_lane")
    return flag is True or (isinstance(flag, str) and flag.lower() == "true")


def _findings(entry: Mapping[str, object], where: str) -> Iterator[Problem]:
    if "findings" not in entry:
        return
    findings = entry["findings"]
    if not isinstance(findings, list):
        yield values.wrong_type("a list", findings, where)
        return
    if len(findings) > MAX_FINDINGS:
        yield Problem(values.OUT_OF_RANGE, f"holds more than {MAX_FINDINGS} findings", where)
        return
    for index, finding in enumerate(findings):
        yield from _finding(finding, f"{where}[{index}]")


def _finding(finding: object, where: str) -> Iterator[Problem]:
    if not isinstance(finding, dict):
        yield values.wrong_type("an object", finding, where)
        return
    yield from values.text(finding, "id", f"{where}.id")
    yield from values.text(finding, "category", f"{where}.category")
    ruling = values.text(finding, "judge_ruling", f"{where}.judge_ruling")
    yield from values.optional(ruling) if is_express(finding) else ruling
    for name in _OPTIONAL_TEXTS:
        yield from values.optional(values.text(finding, name, f"{where}.{name}"))


def _summary(entry: Mapping[str, object], where: str) -> Iterator[Problem]:
    if "summary" not in entry:
        return
    summary = entry["summary"]
    if not isinstance(summary, dict):
        yield values.wrong_type("an object", summary, where)
        return
    for name in SUMMARY_COUNTS:
        yield from values.count(summary, name, f"{where}.{name}")
    yield from _passes(summary, f"{where}.pass_findings")


def _passes(summary: Mapping[str, object], where: str) -> Iterator[Problem]:
    absent = values.missing(summary, "pass_findings", where)
    passes = summary.get("pass_findings")
    if absent:
        yield from absent
    elif not isinstance(passes, dict):
        yield values.wrong_type("an object", passes, where)
    elif not passes:
        yield Problem(values.OUT_OF_RANGE, "is empty", where)
    else:
        for name in passes:
            yield from values.count(passes, name, f"{where}.{name}")
