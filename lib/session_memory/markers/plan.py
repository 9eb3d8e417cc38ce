"""What is about to be done, in terms that a person can look at before it is."""

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from session_memory.github.errors import Absent, GitHubError, Unconfirmed
from session_memory.markers.candidate import Candidate
from session_memory.markers.decision import NO_OP
from session_memory.markers.outcome import NotDelivered, Outcome, Unverified
from session_memory.markers.problem import Problem
from session_memory.markers.text import to_lf


class ChangedMeanwhile(Exception):
    """Somebody else wrote between the plan and its execution; a new plan is needed."""


class Plan(Protocol):
    """A checked write. ``target_id`` is the comment that is replaced or found equal, 0 for none."""

    @property
    def candidate(self) -> Candidate: ...
    @property
    def action(self) -> str: ...
    @property
    def target_id(self) -> int: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def preserved(self) -> tuple[str, ...]: ...
    @property
    def to_retire(self) -> tuple[int, ...]: ...
    @property
    def warnings(self) -> tuple[Problem, ...]: ...

    def carry_out(self) -> Outcome:
        """Do it; :class:`ChangedMeanwhile` when the plan is no longer good."""


def diff(plan: Plan) -> str:
    """The change as a unified diff; empty when there is nothing to change."""
    if plan.action == NO_OP:
        return ""
    where = f"comment {plan.target_id}" if plan.target_id else "nothing"
    if plan.candidate.is_block:
        where = f"description of {plan.candidate.marker.number}"
    old, new = (to_lf(text).rstrip("\n").split("\n") for text in (plan.before, plan.after))
    changes = difflib.unified_diff(
        old if plan.before else [], new, where, "as written", lineterm=""
    )
    return "\n".join(changes)


@contextmanager
def asking(candidate: Candidate) -> Iterator[None]:
    """What GitHub answers instead, as the failure of a write that has not happened."""
    try:
        yield
    except Unconfirmed as error:
        raise Unverified(candidate.subject, str(error)) from error
    except Absent as error:
        raise candidate.refused(Problem("absent", str(error))) from error
    except GitHubError as error:
        raise NotDelivered.because(candidate.subject, error) from error
