"""How far a review is once the pull request exists: durable evidence first (SMC-06)."""

from dataclasses import dataclass

from session_memory.github.errors import GitHubError
from session_memory.markers.comment import Comment, latest
from session_memory.markers.families import marker
from session_memory.markers.selection import carries
from session_memory.memory import review_state
from session_memory.memory.caches import Caches
from session_memory.memory.durable import Durable
from session_memory.memory.review_state import STAGES
from session_memory.memory.sources import (
    ABSENT,
    FAILED,
    FOUND,
    METRICS,
    REVIEW_COMMENT,
    SESSION,
    Source,
)
from session_memory.records import judge_rulings, metrics

# What a review leaves in the metrics of the third version, by stage. A number, zero too, says that
# the stage ran; n/a says that it did not.
_LEFT_BY = {
    "prosecution": ("prosecution_findings",),
    "defense": ("defense_disproved",),
    "judgment": ("judge_accepted", "judge_rejected", "judge_deferred"),
}
_DID_NOT_RUN = frozenset({"n/a", "na", "null", "none", "~", ""})
# What a review's credit says of a review that ran to its end.
_RAN = frozenset({"passed", "failed"})
_ALL_DONE = dict.fromkeys(STAGES, True)

Stages = dict[str, bool]


@dataclass(frozen=True)
class Evidence:
    """What one source says of the stages; ``stages`` is ``None`` when it says nothing."""

    source: Source
    stages: "Stages | None" = None
    review_mode: str = ""


@dataclass(frozen=True)
class Completion:
    """How far a review is, and by which source."""

    issue: int
    pull_request: int
    sources: tuple[Source, ...]
    answer: "Source | None"
    stages: "Stages | None"
    review_mode: str = ""

    @property
    def complete(self) -> bool:
        """The gate ``review_completion``."""
        return review_state.is_complete(self.stages or {})

    @property
    def missing(self) -> list[str]:
        """The stages to run again, in their order."""
        return review_state.missing_stages(self.stages or {})

    @property
    def unconfirmed(self) -> bool:
        """Whether a source that could have answered was not read."""
        return any(source.doubtful for source in self.sources)

    @property
    def failed(self) -> bool:
        """Whether nothing answered, and a source that could have was not read."""
        return self.answer is None and self.unconfirmed


def before_pull_request(caches: Caches, issue: int) -> Completion:
    """Session memory only: there is no other place for it yet."""
    return settle(issue, 0, [_of_session(caches, issue)])


def after_pull_request(
    caches: Caches, durable: Durable, issue: int, pull_request: int
) -> Completion:
    """The review's comment, the metrics in the description, then session memory."""
    evidence = [_of_comments(durable, pull_request), _of_metrics(durable, pull_request)]
    if issue:
        evidence.append(_of_session(caches, issue))
    return settle(issue, pull_request, evidence)


def of_metrics(body: str) -> "tuple[Stages | None, str]":
    """What the metrics in a description say of the stages, and why they say nothing if so."""
    read = metrics.read(body)
    if read.version is None:
        return None, "the description has no metrics"
    if read.version == "parse-error":
        return None, f"the metrics cannot be read: {read.detail}"
    credit = [row.get("status", "") for row in read.credits if row.get("port") == "review"]
    if _RAN & set(credit):
        return dict(_ALL_DONE), ""
    stages = {stage: _ran([read.scalars.get(n) for n in _LEFT_BY[stage]]) for stage in STAGES}
    if any(known is not None for known in stages.values()):
        return {stage: known is True for stage, known in stages.items()}, ""
    return None, "the metrics say nothing of a review"


def of_comments(comments: "list[Comment]", pull_request: int) -> "Comment | None":
    """The newest comment that a judge leaves: the sentinel, or the rulings with their table."""
    sentinel = marker("review-judge-produced", pull_request).literal
    found = [
        one
        for one in comments
        if carries(one.body, sentinel) or judge_rulings.share_one_comment([one.body])
    ]
    return latest(found)


def _of_comments(durable: Durable, pull_request: int) -> Evidence:
    listed, comments = durable.talk(pull_request, REVIEW_COMMENT)
    if not listed.found:
        return Evidence(listed)
    candidates = [one for one in comments if of_comments([one], pull_request)]
    try:
        kept = [one for one in candidates if durable.trusts(one)]
    except GitHubError as error:
        return Evidence(Source(REVIEW_COMMENT, FAILED, str(error)))
    notes = tuple(f"{one.name}: its author may not write here" for one in candidates
                  if one not in kept)  # fmt: skip
    newest = of_comments(kept, pull_request)
    if newest is None:
        reason = f"no judge's comment on pull request {pull_request}"
        return Evidence(Source(REVIEW_COMMENT, ABSENT, reason, notes=notes))
    where = newest.html_url or newest.name
    return Evidence(Source(REVIEW_COMMENT, FOUND, where=where, notes=notes), dict(_ALL_DONE))


def _of_metrics(durable: Durable, pull_request: int) -> Evidence:
    body = durable.pull_request_body(pull_request)
    if not body.found:
        return Evidence(body)
    stages, reason = of_metrics(body.text)
    if stages is not None:
        return Evidence(Source(METRICS, FOUND, where=body.where), stages)
    outcome = FAILED if "cannot be read" in reason else ABSENT
    return Evidence(Source(METRICS, outcome, reason, body.where))


def _of_session(caches: Caches, issue: int) -> Evidence:
    source, state = review_state.read(caches, issue, SESSION)
    if state is None:
        return Evidence(source)
    return Evidence(source, state.stages, state.review_mode)


def settle(issue: int, pull_request: int, evidence: list[Evidence]) -> Completion:
    """The first piece of evidence that says anything about the stages decides."""
    told = [one for one in evidence if one.stages is not None]
    if not told:
        sources = tuple(one.source for one in evidence)
        return Completion(issue, pull_request, sources, None, None)
    first = told[0]
    sources = tuple(_behind(one, first) if one in told[1:] else one.source for one in evidence)
    return Completion(issue, pull_request, sources, first.source, first.stages, first.review_mode)


def _behind(one: Evidence, first: Evidence) -> Source:
    if one.stages == first.stages:
        return one.source.spared(f"{first.source.name} goes first, and says the same")
    return one.source.outdated(f"{first.source.name} goes first, and says otherwise")


def _ran(values: "list[str | None]") -> "bool | None":
    """Whether a stage ran, by what it left; ``None`` when it left nothing either way."""
    told = [value.strip().lower() for value in values if value is not None]
    if not told:
        return None
    return any(value not in _DID_NOT_RUN for value in told)
