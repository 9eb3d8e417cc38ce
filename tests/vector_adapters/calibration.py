"""Areas of calibration: the file of findings, the depth that follows, the state about both."""

import json
from collections.abc import Callable
from typing import Any

from session_memory.calibration import aggregate, complexity, depth, proposals, reactivation
from session_memory.calibration import snapshot as snapshots
from session_memory.calibration.entry import check_entry, check_event
from session_memory.calibration.evidence import GITHUB, gather
from session_memory.calibration.file import CalibrationFile, Unusable
from session_memory.calibration.values import utc_text
from session_memory.calibration.writing import with_entries
from session_memory.core.checkout import locate
from session_memory.github.merged import MergedPullRequest
from session_memory.markers.comment import Comment
from session_memory.markers.problem import Problem
from session_memory.markers.trust import anyone
from vector_adapters import Operation, Workspace

Row = dict[str, Any]

NOW_S = 1_790_000_000.0
MERGED_AT = "2026-03-20T12:00:00Z"


def _file(given: Row, workspace: Workspace) -> CalibrationFile:
    """The file in a repository of its own, as ``file`` or ``file_text`` says."""
    repository = workspace.repository()
    checkout = locate(str(repository.root))
    assert checkout is not None
    file = CalibrationFile(checkout)
    text = given.get("file_text")
    if text is None and given.get("file") is not None:
        text = json.dumps(given["file"])
    if given.get("stale_tmp"):
        repository.write(".copilot-tracking/calibration/review-data.json.tmp", "{")
    if text is not None:
        repository.write(".copilot-tracking/calibration/review-data.json", text)
    return file


def _bytes(file: CalibrationFile) -> "bytes | None":
    try:
        with open(file.path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def _add(file: CalibrationFile, given: Row) -> list[Problem]:
    """What the command does: check, then write. Returns why it did not write."""
    problems = [
        *(check_entry(given["entry"]) if given.get("entry") is not None else []),
        *(check_event(given["event"]) if given.get("event") is not None else []),
    ]
    entries = [given["entry"]] if given.get("entry") is not None else []
    events = [given["event"]] if given.get("event") is not None else []
    if not entries and not events:
        problems = [Problem("missing", "neither an entry nor an event", "input")]
    if problems:
        return problems
    try:
        file.change(lambda document: with_entries(document, entries, events))
    except Unusable as error:
        return [Problem("unusable", str(error), "file")]
    return []


def _write(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    file = _file(given, workspace)
    before = _bytes(file)
    problems = _add(file, given)
    if given.get("roundtrip_twice") and not problems:
        problems = _add(file, given)
    assert (not problems) is expected["ok"], problems
    if not expected["ok"]:
        _check_refusal(problems, expected, file, before)
        return
    document = file.load()
    assert document is not None
    for name, check in _WRITTEN.items():
        if name in expected:
            check(document, expected[name], given)
    names = {path.name for path in workspace.folder.rglob("review-data*")}
    assert names == {"review-data.json", "review-data.json.lock"}


def _check_refusal(
    problems: list[Problem], expected: Row, file: CalibrationFile, before: "bytes | None"
) -> None:
    if problems[0].where != "input":
        assert expected.get("field", problems[0].where) in [problem.where for problem in problems]
    assert _bytes(file) == before
    assert file.set_aside == ""


def _check_after(document: Row, expected: Row, given: Row) -> None:
    prs = [entry["pr_number"] for entry in document["entries"]]
    events = document["re_activation_events"]
    pairs = [[event["category"], event["triggered_at_pr"]] for event in events]
    assert prs == expected.get("prs", prs)
    assert pairs == expected.get("events", pairs)
    version = document["calibration_version"]
    assert version == expected.get("calibration_version", version)


def _check_preserved(document: Row, expected: list[str], given: Row) -> None:
    assert {name: document[name] for name in expected} == {
        name: given["file"][name] for name in expected
    }


_WRITTEN: dict[str, Callable[[Row, Any, Row], None]] = {
    "after": _check_after,
    "preserved": _check_preserved,
}


def _expect(name: str) -> "Callable[[Callable[[Row], Any]], Callable[[Row], Any]]":
    def register(value: Callable[[Row], Any]) -> Callable[[Row], Any]:
        def check(document: Row, expected: Any, given: Row) -> None:
            assert value(document) == expected

        _WRITTEN[name] = check
        return value

    return register


@_expect("event_expires")
def _event_expires(document: Row) -> Any:
    return document["re_activation_events"][-1]["expires_at_pr"]


@_expect("created_at")
def _created_at(document: Row) -> Any:
    return document["entries"][-1]["created_at"]


@_expect("findings_is_list")
def _findings_is_list(document: Row) -> Any:
    return isinstance(document["entries"][-1]["findings"], list)


def _pull(number: int, body: str = "") -> MergedPullRequest:
    return MergedPullRequest(number, MERGED_AT, Comment(number, body))


def _read(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    with_metrics = given.get("prs_with_metrics", [])
    bodies = dict.fromkeys(with_metrics, "<!-- pipeline-metrics\nmetrics_version: 4\n-->")
    pulls = [_pull(number, bodies.get(number, "")) for number in given.get("merged_prs", [])]
    warned = False
    document = None
    try:
        document = _file(given, workspace).load()
    except Unusable:
        warned = True
    evidence = gather(document, pulls, anyone)
    assert expected["ok"]
    assert evidence.data_source == expected.get("data_source", GITHUB)
    assert (warned or bool(evidence.problems)) is expected.get("warning", warned)


def _depth(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    category, max_pr = given.get("category", "pattern"), given.get("max_pr", 100)
    document = {
        "prosecution_depth_override": given.get("override"),
        "time_decay_days": given.get("time_decay_days", given.get("decay_days")),
    }
    situation = depth.Situation(
        NOW_S,
        max_pr,
        aggregate.is_overridden(document),
        given.get("events") or [],
        aggregate.decay_days(document),
    )
    since = utc_text(NOW_S - given.get("age", 0) * 86400)
    state = {category: {depth.STAMP: since}} if given.get("state") else {}
    found = depth.recommend(
        category, given["eff"], given.get("rate") or 0.0, situation, depth.since_of(state, category)
    )
    after = depth.state_after(state, {category: found}, NOW_S)
    facts = {
        "recommendation": found.recommendation,
        "re_activated": found.re_activated,
        "sufficient_data": found.sufficient_data,
    }
    assert facts == {name: expected.get(name, value) for name, value in facts.items()}
    if "state" in expected:
        word = _state_word(state, after)
        assert expected["state"] == word or (word == "set" and expected["state"] not in _WORDS)
    if "new_event" in expected:
        event, wanted = found.event, expected["new_event"]
        assert event == ({**(event or {}), **wanted} if wanted else None)


_WORDS = ("none", "kept", "cleared")


def _state_word(before: Row, after: Row) -> str:
    if not before:
        return "set" if after else "none"
    return "kept" if before == after else "cleared"


def _complexity(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    observed = complexity.observe(given.get("history"), given["over"], given["max_pr"], MERGED_AT)
    wanted = expected["history"]
    if wanted is None:
        assert observed.history is None
    else:
        assert observed.history is not None
        assert list(observed.history) == list(wanted)
        for name, entry in wanted.items():
            seen = observed.history[name]
            assert isinstance(seen, dict)
            assert seen == {**seen, **entry}
    found = observed.consolidated
    merged = zip(found, expected.get("consolidated", found), strict=True)
    assert all(event == {**event, **part} for event, part in merged)
    assert observed.changed is expected.get("changed", observed.changed)


def _extraction(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    threshold = given.get("threshold", given.get("persistent_threshold"))
    sensible = threshold if isinstance(threshold, int) and threshold > 0 else complexity.PERSISTENT
    history = {
        name: entry if isinstance(entry, dict) else {"consecutive_count": entry}
        for name, entry in (given.get("history") or {"A.agent.md": given.get("count", 0)}).items()
    }
    found = [name for name, _ in complexity.persistent(history, sensible)]
    wanted = next(iter(expected.values()))
    assert wanted in (found, len(found), bool(found))


def _proposals(row: Row, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    patterns = {
        key: proposals.Pattern(found["sustained"], set(found["prs"]))
        for key, found in given["patterns"].items()
    }
    known = given.get("proposals") or []
    added = proposals.added(patterns, known, MERGED_AT)
    assert [one["pattern_key"] for one in added] == expected["added"]
    before = any(proposals.is_proposed(key, one.prs, known) for key, one in patterns.items())
    assert before is expected.get("previously_proposed", before)


def _pruned(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    events = [
        event if isinstance(event, dict) else {"expires_at_pr": event} for event in given["events"]
    ]
    kept: list[Any] = reactivation.pruned(events, given["max_pr"])
    ends = [event["expires_at_pr"] for event in kept]
    categories = [event.get("category") for event in kept]
    wanted = next(iter(row["expect"].values()))
    assert wanted in (kept, len(kept), ends, categories)


def _gate(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    writes = aggregate.writes_back(
        changed=given.get("changed", True),
        file_exists=given.get("file_exists", True),
        read_only=given.get("health_report", False),
    )
    assert writes is row["expect"]["writes"]


def _snapshot(row: Row, workspace: Workspace) -> None:
    result = snapshots.snapshot(None, "the script failed")
    assert row["given"]["script_failed"]
    assert (set(result.depths.values()) == {"full"}) is (row["expect"]["depths"] == "all-full")
    assert bool(result.reason) is row["expect"]["logged_reason"]


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("calibration-write", "cal.write"): _write,
    ("calibration-write", "cal.read_aggregate"): _read,
    ("prosecution-depth", "cal.depth"): _depth,
    ("calibration-state", "cal.complexity"): _complexity,
    ("calibration-state", "cal.extraction"): _extraction,
    ("calibration-state", "cal.proposals"): _proposals,
    ("calibration-state", "cal.events_prune"): _pruned,
    ("calibration-state", "cal.writeback_gate"): _gate,
    ("pipeline-metrics", "depth.snapshot"): _snapshot,
}
