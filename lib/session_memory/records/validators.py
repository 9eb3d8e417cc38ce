"""Everything that is checked before a body is sent: the rules of all bodies, then its payload's."""

from collections.abc import Callable

from session_memory.markers import body_rules
from session_memory.markers.families import Marker
from session_memory.markers.problem import Problem
from session_memory.records import (
    credit_inputs,
    finding_dispositions,
    followup_queue,
    metrics,
    reading,
    review_dispositions,
    sentinel,
)

Validator = Callable[[str, Marker], "list[Problem]"]

VALIDATORS: dict[str, Validator] = {
    "credit-input": credit_inputs.check_body,
    "engagement-record": reading.check_body,
    "finding-dispositions": lambda body, own: finding_dispositions.check_body(body),
    "followup-queue": lambda body, own: followup_queue.check_body(body),
    "pipeline-metrics": lambda body, own: metrics.check_body(body),
    "review-dispositions": lambda body, own: review_dispositions.check_body(body),
    "sentinel": sentinel.check_body,
}


def check(body: str, marker: Marker) -> list[Problem]:
    """What forbids ``body`` to be written under ``marker``; empty when nothing does.

    A validator that cannot run forbids it too.
    """
    return body_rules.check(body, marker) or check_payload(body, marker)


def check_payload(body: str, marker: Marker) -> list[Problem]:
    """What the family's own validator says; nothing for a family of prose."""
    name = marker.family.validator
    if not name:
        return []
    try:
        return VALIDATORS[name](body, marker)
    except ImportError as error:
        sentence = f"infrastructure failure: the {name} validator needs {error.name or 'a module'}"
        return [Problem("validator-unavailable", sentence)]
