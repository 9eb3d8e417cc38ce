"""The aggregate as data, which :func:`~.snapshot.snapshot` also reads (SMC-09, SMC-11)."""

from session_memory.calibration import aggregate
from session_memory.calibration.depth import Recommendation
from session_memory.calibration.tally import SUFFICIENT_REVIEWS


def as_json(
    result: aggregate.Aggregate, *, written: bool, overridden: bool
) -> dict[str, object]:  # fmt: skip
    """``prosecution_depth`` is left out while there are too few reviews to speak of it."""
    evidence = result.evidence
    depths = {name: _depth(found) for name, found in result.depths.items()}
    return {
        "data_source": evidence.data_source,
        "max_pr": evidence.max_pr,
        "merged_pull_requests": len(evidence.pulls),
        "reviews": len(evidence.reviews),
        "effective_reviews": round(result.tally.size, 2),
        "effective_reviews_needed": SUFFICIENT_REVIEWS,
        "sufficient_data": result.tally.is_sufficient,
        **({"prosecution_depth": depths} if depths else {}),
        "prosecution_depth_override": overridden,
        "re_activation_events_added": [one.event for one in result.depths.values() if one.event],
        "proposals_added": list(result.proposed),
        "consolidated": list(result.consolidated),
        "extraction_agents": [
            {"file": name, "consecutive_over_ceiling": count} for name, count in result.persistent
        ],
        "written": written,
        "problems": [
            {"code": problem.code, "message": problem.message, "where": problem.where}
            for problem in evidence.problems
        ],
    }


def _depth(found: Recommendation) -> dict[str, object]:
    return {
        "recommendation": found.recommendation,
        "re_activated": found.re_activated,
        "sufficient_data": found.sufficient_data,
        "effective_count": round(found.count, 2),
        "sustain_rate": round(found.rate, 4),
        "reason": found.reason,
    }
