"""The queue of proposed follow-ups: the text of its comment, and what that text says (SMC-24)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from session_memory.markers.comment import instant
from session_memory.markers.families import Marker, marker
from session_memory.markers.families import parse as parse_marker
from session_memory.markers.payload import extract
from session_memory.markers.problem import Problem
from session_memory.markers.text import first_line, lines
from session_memory.records.rendering import quoted
from session_memory.records.values import version_number
from session_memory.yaml_text import YamlError

PROPOSED = "proposed"
CLAIMED = "claimed"
CONSUMED = "consumed"
STATES = (PROPOSED, CLAIMED, CONSUMED)

FIELDS = (
    "canonical_title",
    "rationale",
    "disposition",
    "severity",
    "board_position",
    "followup_key",
    "originating_head_sha",
    "ruling_link",
    "target_repo",
)
_OPTIONAL = "target_repo"
_CLAIM = ("claimant", "claimed_at", "lease_until")

Proposal = dict[str, str]


class QueueError(ValueError):
    """The queue cannot be read or changed that way."""


class NotAQueue(QueueError):
    """Line 1 is not the marker of a queue."""


class MissingState(QueueError):
    """There is no line ``state: proposed``, ``claimed`` or ``consumed``."""


class MissingPayload(QueueError):
    """There is no yaml fence, or more than one."""


class BadPayload(QueueError):
    """The payload is not a queue's."""


@dataclass(frozen=True)
class Claim:
    """Who works through the queue, since when, and until when nobody else may; times are UTC."""

    claimant: str
    claimed_at: str
    lease_until: str

    def is_live(self, now: str) -> bool:
        """Whether the lease still runs; one without a readable end never ends by itself."""
        end, moment = instant(self.lease_until), instant(now)
        return end is None or moment is None or moment < end


@dataclass(frozen=True)
class Queue:
    """The queue of one issue or pull request. ``settled`` holds the keys that were ruled on."""

    number: int
    state: str = PROPOSED
    proposals: tuple[Proposal, ...] = ()
    claim: Claim | None = None
    settled: tuple[str, ...] = ()

    @property
    def marker(self) -> Marker:
        return marker("proposed-followups", self.number)

    @property
    def keys(self) -> list[str]:
        """What tells the proposals apart."""
        return [key_of(proposal) for proposal in self.proposals]


def build(queue: Queue) -> str:
    """The body of the queue's comment."""
    payload = ["schema_version: 1", *_claim_lines(queue.claim)]
    if queue.settled:
        payload += ["settled:", *[f"  - {quoted(key)}" for key in queue.settled]]
    payload.append("proposals:" if queue.proposals else "proposals: []")
    for proposal in queue.proposals:
        payload += _proposal_lines(proposal)
    head = [queue.marker.literal, "", f"state: {queue.state}", "", "```yaml"]
    return "\n".join([*head, *payload, "```"])


def parse(body: str) -> Queue:
    """The queue that ``body`` is. Raises a :class:`QueueError`."""
    found = parse_marker(first_line(body))
    if found is None or found.family.name != "proposed-followups":
        raise NotAQueue("line 1 is not the marker of a queue")
    state = _state(body)
    payload = extract(body)
    if payload.unfenced:
        raise MissingPayload(payload.unfenced.message)
    try:
        value = payload.load()
    except YamlError as error:
        raise BadPayload(str(error)) from None
    problems = check(value)
    if problems or not isinstance(value, dict):
        raise BadPayload("; ".join(problem.message for problem in problems))
    proposals = tuple(text_values(item) for item in value.get("proposals") or ())
    claim = Claim(**text_values(value["claim"])) if value.get("claim") else None
    return Queue(found.number, state, proposals, claim, tuple(value.get("settled") or ()))


def check_body(body: str) -> list[Problem]:
    """What a writer refuses."""
    try:
        parse(body)
    except QueueError as error:
        return [Problem("bad-queue", str(error))]
    return []


def key_of(proposal: Mapping[str, str]) -> str:
    """The follow-up key of a proposal; its title where it has none."""
    return proposal.get("followup_key") or proposal.get("canonical_title", "")


def text_values(values: Mapping[str, object]) -> dict[str, str]:
    """Everything as text with LF line ends; null is nothing."""
    return {name: _as_text(value) for name, value in values.items()}


def check(payload: object) -> list[Problem]:
    """What is wrong with a payload."""
    if not isinstance(payload, Mapping):
        return [Problem("bad-payload", "the payload is not a mapping")]
    problems = []
    if version_number(payload.get("schema_version")) != 1:
        problems.append(Problem("schema_version", "schema_version is not 1"))
    if not _all(payload.get("proposals"), _is_proposal):
        problems.append(Problem("proposals", "proposals is not a list of titles with their fields"))
    claim = payload.get("claim")
    if claim is not None and not _is_claim(claim):
        problems.append(Problem("claim", f"claim is not {', '.join(_CLAIM)}"))
    if not _all(payload.get("settled"), lambda key: isinstance(key, str)):
        problems.append(Problem("settled", "settled is not a list of keys"))
    return problems


def _state(body: str) -> str:
    for line in lines(body):
        name, colon, value = line.strip().partition(":")
        if line.startswith("```"):
            break
        if colon and name == "state" and value.strip() in STATES:
            return value.strip()
    raise MissingState("there is no line that tells the state")


def _claim_lines(claimed: Claim | None) -> list[str]:
    if claimed is None:
        return []
    return ["claim:", *[f"  {name}: {quoted(getattr(claimed, name))}" for name in _CLAIM]]


def _proposal_lines(proposal: Mapping[str, str]) -> list[str]:
    written = [name for name in FIELDS if name != _OPTIONAL or proposal.get(name, "").strip()]
    rows = [f"    {name}: {quoted(proposal.get(name, ''))}" for name in written]
    return [f"  - {rows[0].strip()}", *rows[1:]]


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value).replace("\r\n", "\n").replace("\r", "\n")


def _all(values: object, lawful: Callable[[object], bool]) -> bool:
    """Whether ``values`` is a list of lawful items; no list at all is an empty one."""
    return values is None or (isinstance(values, list) and all(lawful(item) for item in values))


def _is_proposal(item: object) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("canonical_title"), str)
        and set(item) <= set(FIELDS)
        and not any(isinstance(value, (dict, list)) for value in item.values())
    )


def _is_claim(item: object) -> bool:
    return (
        isinstance(item, dict)
        and set(item) == set(_CLAIM)
        and all(isinstance(value, str) for value in item.values())
    )
