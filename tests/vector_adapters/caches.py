"""Areas ``d9``, ``review-state``, ``rate-limit`` and ``cost-prompt``: session memory."""

import re
from typing import Any

from session_memory.markers.comment import Comment, latest
from session_memory.markers.families import marker
from session_memory.memory import (
    checkpoint,
    deferral,
    handoff,
    install_prompt,
    names,
    rate_limit,
    review_evidence,
    review_state,
)
from session_memory.memory.caches import Caches
from session_memory.memory.durable import Durable
from session_memory.memory.review_evidence import Evidence
from session_memory.memory.review_state import STAGES, NotReliable, ReviewState
from session_memory.memory.rungs import Pair, Rungs
from session_memory.memory.sources import (
    ABSENT,
    COMMENT,
    FOUND,
    METRICS,
    REVIEW_COMMENT,
    SESSION,
    Source,
)
from session_memory.records.metrics import review_source
from vector_adapters import Operation, Workspace

Row = dict[str, Any]

_REQUESTED = ("requested", "requested_id", "requested_issue", "issue", "issue_id", "id")
_SPELLINGS = {
    "review_comment": REVIEW_COMMENT,
    "comment": REVIEW_COMMENT,
    "durable_comment": REVIEW_COMMENT,
    "durable_review_comment": REVIEW_COMMENT,
    "pr_comment": REVIEW_COMMENT,
    "metrics": METRICS,
    "pr_body_metrics": METRICS,
    "pr_body": METRICS,
    "pipeline_metrics": METRICS,
    "body_metrics": METRICS,
    "session_file": SESSION,
}


def _state(given: Row) -> ReviewState | None:
    if given.get("file") == "absent" or given.get("text") is None:
        return None
    issue = next((given[name] for name in _REQUESTED if isinstance(given.get(name), int)), None)
    try:
        return review_state.parse(given["text"], issue)
    except NotReliable:
        return None


def _read(row: Row, workspace: Workspace) -> None:
    found = _state(row["given"])
    expected = row["expect"]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert {name: found.as_dict()[name] for name in expected} == expected


def _missing(row: Row, workspace: Workspace) -> None:
    state = _state(row["given"])
    assert review_state.missing_stages(state.stages if state else {}) == row["expect"]


def _target(row: Row, workspace: Workspace) -> None:
    issue = review_state.target(row["given"].get("branch") or "")
    path = names.NAMESPACE + names.review_state(issue) if issue else None
    assert path == row["expect"]


def _write(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    if "branch" in given and review_state.target(given["branch"]) is None:
        assert row["expect"] is None
        return
    stages, mode = _command(given["command"])
    existing = given.get("existing")
    before = ReviewState(**{"issue_id": 417, **existing}) if existing else None
    found = review_state.with_stages(before, 417, stages, given.get("mode") or mode).as_dict()
    assert {name: found[name] for name in row["expect"]} == row["expect"]


def _command(name: str) -> tuple[tuple[str, ...], str | None]:
    """The stages of a review command; a composite one runs them all."""
    single = [stage for stage in STAGES if re.search(rf"-{stage[:5]}", name)]
    if "judg" in name:
        single = ["judgment"]
    return tuple(single) or STAGES, "lite" if "lite" in name else None


def _gate(row: Row, workspace: Workspace) -> None:
    complete = review_state.is_complete(row["given"])
    assert ("complete" if complete else "incomplete") == row["expect"]


def _resume(row: Row, workspace: Workspace, order: tuple[tuple[str, str], ...]) -> None:
    given = {_spelt(name): value for name, value in row["given"].items()}
    found = review_evidence.settle(417, 9, [_evidence(name, given.get(name)) for name, _ in order])
    source = found.answer.name if found.answer else None
    expected = row["expect"]
    wanted = expected["source"]
    assert source == (_spelt(wanted) if wanted else None)
    if "complete" in expected:
        assert found.complete is expected["complete"]
    present = {argument: bool(given.get(name)) for name, argument in _POST}
    if order == _POST:
        assert review_source(**present) == source


def _spelt(name: str) -> str:
    plain = name.replace("-", "_")
    return _SPELLINGS.get(plain, plain.replace("_", "-"))


def _evidence(name: str, told: object) -> Evidence:
    """A source that says ``complete``, ``incomplete``, a list of done stages, or nothing."""
    if not told:
        return Evidence(Source(name, ABSENT))
    if isinstance(told, dict):
        told = [stage for stage in STAGES if told.get(f"{stage}_complete", told.get(stage))]
    done = STAGES if told in ("complete", True) else told if isinstance(told, list) else ()
    return Evidence(Source(name, FOUND), {stage: stage in done for stage in STAGES})


_POST = (
    (REVIEW_COMMENT, "review_comment"),
    (METRICS, "body_metrics"),
    (SESSION, "session_file"),
)


def _resume_post(row: Row, workspace: Workspace) -> None:
    _resume(row, workspace, _POST)


def _resume_pre(row: Row, workspace: Workspace) -> None:
    _resume(row, workspace, _POST[-1:])


def _wait(row: Row, workspace: Workspace) -> None:
    assert rate_limit.wait_seconds(row["given"]["attempt"]) == row["expect"]


_OF_REPEATS = re.compile("repeat|fail|twice")


def _classify(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    told = [value for name, value in given.items() if _OF_REPEATS.search(name) and value]
    repeats = 1 if given.get("tool_cause") else next(iter(told), 1)
    attempt = rate_limit.Attempt(
        given.get("error") or given.get("message") or "",
        given.get("output") or "",
        2 if repeats is True else int(repeats),
    )
    assert rate_limit.classify(attempt) == row["expect"]


def _options(row: Row, workspace: Workspace) -> None:
    assert list(rate_limit.options(row["given"]["pending"])) == row["expect"]


def _persist(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    writable = given.get("memory") != "unavailable"
    scope = given.get("scope", "scope")
    file, carry = deferral.place(scope, given["choice"], writable=writable)
    wanted = expected["file"]
    assert file == (wanted.replace("{scope}", scope) if wanted else None)
    assert carry == (expected.get("carry") or "")


_OTHER_FACTS = ("platform", "headless", "memory", "sentinel")
_WITHOUT_KEY = ("available", "absent", "empty", "unset", "none")


def _decision(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    memory = given.get("memory")
    known = memory != "unavailable"
    # Whatever else a row tells is the key, by some name.
    others = [value for name, value in given.items() if name not in _OTHER_FACTS]
    is_set = any(others) or (bool(memory) and memory not in _WITHOUT_KEY)
    facts = install_prompt.Facts(
        given["platform"],
        bool(given.get("headless")),
        is_set if known else None,
        bool(given.get("sentinel")),
    )
    assert install_prompt.decide(facts)[0] == row["expect"]


def _key(row: Row, workspace: Workspace) -> None:
    expected = row["expect"]
    pattern = re.escape(expected["fixed"]).replace(
        re.escape("<12-hex of realpath>"), "[0-9a-f]{12}"
    )
    made = names.install_prompt(row["given"]["cwd"])
    assert re.fullmatch(pattern, made)
    assert made != expected["parity"]
    assert "/" not in made


def _pause(row: Row, workspace: Workspace) -> None:
    """The vectors know no lineage: what the session holds is taken to be newer."""
    given = row["given"]
    writes = []
    if handoff.is_pause(given["answer"]):
        held = {"plan-issue": given.get("plan"), "design-issue": given.get("design")}
        posted = given.get("comments") or []
        pairs = [_pair(family, text, posted) for family, text in held.items()]
        told = [checkpoint.decide(one, take_cache=True) for one in pairs]
        writes = [one.marker.family.name for one in told if one.action == checkpoint.WRITE]
    else:
        assert handoff.is_continue(given["answer"])
    assert writes == row["expect"]["writes"]


def _pair(family: str, text: "str | None", posted: list[list[str]]) -> Pair:
    listed = [
        Comment(number, body, created_at=created)
        for number, (name, body, created) in enumerate(posted, 1)
        if name == family
    ]
    newest = latest(listed)
    record = Source(COMMENT, FOUND, text=newest.body) if newest else Source(COMMENT, ABSENT)
    cache = Source(SESSION, ABSENT) if text is None else Source(SESSION, FOUND, text=text)
    rungs = Rungs(Caches("", None), Durable(None))
    return rungs.pair("", marker(family, 7), cache, record)


def _suppress(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    present = list(given["bundle"].values()) if "bundle" in given else [given["present"]]
    assert handoff.is_settled(given["tier"], present) is row["expect"]["suppress"]


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("d9", "d9_pause"): _pause,
    ("d9", "d9_suppress"): _suppress,
    ("review-state", "read"): _read,
    ("review-state", "missing_stages"): _missing,
    ("review-state", "target"): _target,
    ("review-state", "write"): _write,
    ("review-state", "gate"): _gate,
    ("review-state", "resume_post_pr"): _resume_post,
    ("review-state", "resume_pre_pr"): _resume_pre,
    ("rate-limit", "wait_seconds"): _wait,
    ("rate-limit", "classify"): _classify,
    ("rate-limit", "options"): _options,
    ("rate-limit", "persist"): _persist,
    ("cost-prompt", "prompt_decision"): _decision,
    ("cost-prompt", "key"): _key,
}
