"""A category that was looked at too lightly is looked at in full again (SMC-10, SMC-11)."""

from collections.abc import Iterable, Mapping

from session_memory.calibration.depth import CODE_EXPIRES, FULL, category_of, has_expired
from session_memory.calibration.tally import is_of_main_stage, is_sustained
from session_memory.calibration.writing import Document

CODE_PROSECUTION = "code_prosecution"


def detect(
    findings: Iterable[Mapping[str, object]],
    depths: Mapping[str, str],
    pull_request: int,
    created_at: str,
) -> list[Document]:
    """An event for every category that was not looked at in full, and has a sustained finding.

    ``depths`` is what the review went by; where none was recorded there is nothing to detect.
    """
    missed = {
        category_of(finding): None
        for finding in findings
        if is_of_main_stage(finding) and is_sustained(finding)
    }
    return [
        {
            "category": category,
            "triggered_at_pr": pull_request,
            "expires_at_pr": pull_request + CODE_EXPIRES,
            "trigger_source": CODE_PROSECUTION,
            "created_at": created_at,
        }
        for category in missed
        if depths.get(category, FULL) != FULL
    ]


def pruned(events: Iterable[object], max_pr: int) -> list[object]:
    """The events that still hold after ``max_pr``."""
    return [event for event in events if not has_expired(event, max_pr)]
