"""Review state before a pull request: a small file, read strictly and written in one step (SMC-05).

A state that cannot be relied on is no state: the stages are then run again, which costs time and
never skips a review.
"""

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from session_memory.gates.instant import is_instant
from session_memory.gates.questions import utc_time
from session_memory.markers.text import to_lf
from session_memory.memory import names
from session_memory.memory.caches import Caches, decoded
from session_memory.memory.sources import FAILED, Source
from session_memory.startup.issue_id import derive_issue_id

# In the order in which they run.
STAGES = ("prosecution", "defense", "judgment")
ALL = "all"
FULL, LITE = "full", "lite"
MODES = (FULL, LITE)

FIELDS = ("issue_id", "review_mode", *(f"{stage}_complete" for stage in STAGES), "last_updated")

_FENCE = "---"
_BRANCH = re.compile(r"feature/issue-[0-9]+-", re.IGNORECASE)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_TRUTH = {"true": True, "false": False}
_TIME = re.compile(r"[^.]+(?:\.[0-9]{1,7})?(?:Z|\+00:00)")


_COMMITTED = (
    "it is not known to be outside version control, so that a branch may bring it; remove it"
)


@dataclass(frozen=True)
class ReviewState:
    """Which stages of a review are done, for one issue."""

    issue_id: int
    review_mode: str = FULL
    prosecution_complete: bool = False
    defense_complete: bool = False
    judgment_complete: bool = False
    last_updated: str = ""

    @property
    def stages(self) -> dict[str, bool]:
        """Whether each stage is done."""
        return {stage: getattr(self, f"{stage}_complete") for stage in STAGES}

    def as_dict(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in FIELDS}


class NotReliable(ValueError):
    """The text is no review state; the message says why."""


def target(branch: str) -> "int | None":
    """The issue that a branch is about, as far as review state goes: ``feature/issue-N-…`` only."""
    return derive_issue_id(branch) if _BRANCH.match(branch) else None


def parse(text: str, issue: "int | None" = None) -> ReviewState:
    """The state in ``text``, of ``issue`` if given. Raises :class:`NotReliable`."""
    values = _front_matter(text)
    missing = [name for name in FIELDS if not values.get(name)]
    if missing:
        raise NotReliable(f"{missing[0]} is missing")
    if not _NUMBER.fullmatch(values["issue_id"]):
        raise NotReliable("issue_id is no number of an issue")
    if values["review_mode"] not in MODES:
        raise NotReliable("review_mode is neither full nor lite")
    flags = [_TRUTH.get(values[f"{stage}_complete"]) for stage in STAGES]
    if None in flags:
        raise NotReliable("a stage is neither true nor false")
    updated = values["last_updated"]
    if not (_TIME.fullmatch(updated) and is_instant(updated)):
        raise NotReliable("last_updated is no time in UTC")
    number = int(values["issue_id"])
    if issue is not None and number != issue:
        raise NotReliable(f"it is of issue {number}")
    done = dict(zip((f"{stage}_complete" for stage in STAGES), map(bool, flags), strict=True))
    return ReviewState(number, values["review_mode"], last_updated=values["last_updated"], **done)


def render(state: ReviewState, old: str = "") -> str:
    """The file's text; :func:`parse` gives the state back.

    What others have added to the ``old`` text, fields or notes below them, is kept.
    """
    words = {True: "true", False: "false"}
    known = [
        f"{name}: {words[value] if isinstance(value, bool) else value}"
        for name, value in state.as_dict().items()
    ]
    front, rest = _split(old) if old else ([], "")
    more = [row for row in front if row.strip() and row.partition(":")[0].strip() not in FIELDS]
    return "\n".join([_FENCE, *known, *more, _FENCE, rest])


def missing_stages(stages: Mapping[str, object]) -> list[str]:
    """The stages that are not done, in their order."""
    return [stage for stage in STAGES if stages.get(stage) is not True]


def is_complete(stages: Mapping[str, object]) -> bool:
    """The gate ``review_completion``: every stage, and nothing else, decides."""
    return not missing_stages(stages)


def with_stages(
    state: "ReviewState | None", issue: int, stages: Iterable[str], mode: "str | None" = None
) -> ReviewState:
    """The state after ``stages`` were done; the others stay as they are."""
    before = state or ReviewState(issue)
    done = {f"{stage}_complete": True for stage in stages}
    return replace(before, review_mode=mode or before.review_mode, **done)  # type: ignore[arg-type]


def read(caches: Caches, issue: int, name: str) -> "tuple[Source, ReviewState | None]":
    """The file as a source; one that is not reliable has failed, and gives no state.

    A branch that is to be reviewed must not bring the word that it was.
    """
    source = caches.read(names.review_state(issue), name)
    if not source.found:
        return source, None
    if caches.came_with_git(names.review_state(issue)):
        return Source(name, FAILED, _COMMITTED, source.where), None
    try:
        return source, parse(source.text, issue)
    except NotReliable as error:
        reason = f"it is not reliable: {error}; a write sets it aside"
        return Source(name, FAILED, reason, source.where), None


@dataclass(frozen=True)
class Written:
    """``aside`` is the name that an unreliable file was set aside under, or ``""``."""

    state: ReviewState
    aside: str


def write(
    caches: Caches,
    issue: int,
    stages: Iterable[str],
    mode: "str | None" = None,
    *,
    restart: bool = False,
) -> Written:
    """Mark ``stages`` as done; with ``restart``, in a new round in which no other one is.

    Raises :class:`.caches.Unwritable`.
    """
    done = tuple(stages)
    made: list[ReviewState] = []

    def change(old: "bytes | None") -> bytes:
        text = decoded(old) if old else ""
        before = parse(text, issue) if text else None
        now = utc_time(time.time())
        begun = None if restart else before
        made.append(replace(with_stages(begun, issue, done, mode), last_updated=now))
        return render(made[-1], text).encode()

    aside = caches.edit(names.review_state(issue), change)
    return Written(made[-1], aside)


def _front_matter(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for row in _split(text)[0]:
        if not row.strip():
            continue
        name, colon, value = (part.strip() for part in row.partition(":"))
        if not colon:
            raise NotReliable("a line of the front matter has no colon")
        if name in values:
            raise NotReliable(f"{name[:40]} is there twice")
        values[name] = value
    return values


def _split(text: str) -> tuple[list[str], str]:
    """The lines of the front matter, and all that is below it."""
    rows = to_lf(text).split("\n")
    if rows[0] != _FENCE or _FENCE not in rows[1:]:
        raise NotReliable("it does not begin with closed front matter")
    end = rows.index(_FENCE, 1)
    return rows[1:end], "\n".join(rows[end + 1 :])
