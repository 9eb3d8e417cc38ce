"""How closely a category is looked at, and what is remembered about that."""

import math
from typing import Any

import pytest

from calibration_support import entry, event, finding
from session_memory.calibration import complexity, depth, proposals, reactivation
from session_memory.calibration.aggregate import (
    Aggregate,
    Complexity,
    aggregate,
    decay_days,
    is_overridden,
)
from session_memory.calibration.depth import CATEGORIES
from session_memory.calibration.evidence import Evidence, gather
from session_memory.calibration.snapshot import snapshot
from session_memory.calibration.tally import Review, is_sustained, tally
from session_memory.calibration.values import utc_text
from session_memory.github.merged import MergedPullRequest
from session_memory.markers.comment import Comment
from session_memory.markers.trust import anyone

NOW_S = 1_790_000_000.0
DAY_S = 86400.0
NOW = utc_text(NOW_S)


def situation(**options: Any) -> depth.Situation:
    return depth.Situation(NOW_S, 100, **options)


def pull(number: int, body: str = "", days: float = 0) -> MergedPullRequest:
    return MergedPullRequest(number, utc_text(NOW_S - days * DAY_S), Comment(number, body))


def evidence(document: "dict[str, Any] | None", *pulls: MergedPullRequest) -> Evidence:
    return gather(document, pulls, anyone)


def run(document: "dict[str, Any] | None", *numbers: int, **options: Any) -> Aggregate:
    """The aggregate of a cache whose pull requests were all merged just now."""
    return aggregate(
        document, evidence(document, *[pull(number) for number in numbers]), NOW_S, **options
    )


def cache(*findings: dict[str, Any], reviews: int = 10, **more: Any) -> dict[str, Any]:
    """As many entries, each with these findings."""
    entries = [entry(number, *findings) for number in range(1, reviews + 1)]
    return {"calibration_version": 1, "entries": entries, **more}


def rejected(count: int, category: str = "pattern") -> list[dict[str, Any]]:
    return [finding(category, "defense-sustained", id=f"F{n}") for n in range(count)]


@pytest.mark.parametrize(
    ("count", "rate", "expected"),
    [
        pytest.param(30, 0.049, "skip", id="hardly any"),
        pytest.param(29.9, 0.049, "light", id="hardly any of fewer"),
        pytest.param(30, 0.05, "light", id="few"),
        pytest.param(20, 0.149, "light", id="few of just enough"),
        pytest.param(20, 0.15, "full", id="some"),
        pytest.param(19.99, 0.0, "full", id="not enough"),
    ],
)
def test_thresholds(count: float, rate: float, expected: str) -> None:
    assert depth.recommend("pattern", count, rate, situation()).recommendation == expected


@pytest.mark.parametrize(
    ("events", "active"),
    [
        pytest.param([event("pattern", 95, 101)], True, id="holds"),
        pytest.param([event("pattern", 95, 100)], False, id="expires now"),
        pytest.param([event("security", 95, 101)], False, id="another category"),
        pytest.param([event("Pattern", 95, 101)], True, id="another case"),
        pytest.param([event("pattern", 90, 95), event("pattern", 99, 104)], True, id="the later"),
        pytest.param(
            ["odd", {"category": "pattern", "expires_at_pr": "101"}], False, id="no event"
        ),
        pytest.param([{"category": "pattern", "expires_at_pr": True}], False, id="truth value"),
    ],
)
def test_events(events: list[object], active: bool) -> None:
    found = depth.recommend("pattern", 40, 0.0, situation(events=events))
    assert (found.recommendation, found.re_activated) == (
        ("full", True) if active else ("skip", False)
    )


@pytest.mark.parametrize(
    ("since", "days", "expected"),
    [
        pytest.param(utc_text(NOW_S - 90 * DAY_S), 90, "skip", id="exactly"),
        pytest.param(utc_text(NOW_S - 90 * DAY_S - 1), 90, "light", id="a second later"),
        pytest.param(utc_text(NOW_S - 10 * DAY_S), 7, "light", id="set by hand"),
        pytest.param("long ago", 90, "skip", id="no time"),
    ],
)
def test_what_was_skipped_long_enough_is_looked_at(since: str, days: int, expected: str) -> None:
    found = depth.recommend("pattern", 40, 0.0, situation(decay_days=days), since)
    assert found.recommendation == expected
    assert found.re_activated is (found.event is not None) is (expected == "light")


def test_a_stamp_that_is_no_time_is_set_anew() -> None:
    state = {"pattern": {depth.STAMP: "long ago", "note": "keep"}, "other": 1}
    found = {"pattern": depth.recommend("pattern", 40, 0.0, situation())}
    after = depth.state_after(state, found, NOW_S)
    assert after == {"other": 1, "pattern": {depth.STAMP: NOW, "note": "keep"}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(7, 7), (0, 90), (-1, 90), (True, 90), ("7", 90), (7.5, 90), (None, 90), (10**30, 90)],
)
def test_days_set_by_hand(value: object, expected: int) -> None:
    assert decay_days({"time_decay_days": value}) == expected


@pytest.mark.parametrize(("value", "expected"), [("FULL", True), ("light", False), (None, False)])
def test_override(value: object, expected: bool) -> None:
    assert is_overridden({"prosecution_depth_override": value}) is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (finding(ruling="Sustained"), True),
        (finding(ruling="finding-sustained"), True),
        (finding(ruling="defense-sustained"), False),
        ({"id": "F1", "category": "pattern", "express_lane": "true"}, True),
        (finding(ruling="defense-sustained", express_lane=True), False),
    ],
)
def test_sustained(given: dict[str, Any], expected: bool) -> None:
    assert is_sustained(given) is expected


def test_old_findings_count_little() -> None:
    old, new = finding("documentation"), finding("documentation-audit", "rejected")
    result = tally([Review(1, NOW_S - 30 * DAY_S, (old,)), Review(2, NOW_S + 5, (new,))], NOW_S)
    figures = result.figures("documentation-audit")
    assert figures.count == result.size == pytest.approx(1 + math.exp(-0.023 * 30))
    assert figures.rate == pytest.approx(math.exp(-0.69) / figures.count)


def test_too_few_reviews_give_no_depth_but_keep_the_history() -> None:
    document = cache(finding(), reviews=4, prosecution_depth_state={"pattern": {}})
    result = run(document, *range(1, 5), report=Complexity(("A.agent.md",)))
    assert (result.depths, result.proposed) == ({}, ())
    assert result.shortage == "only 4.0 of 5 effective reviews"
    assert result.document is not None
    assert result.document["prosecution_depth_state"] == {"pattern": {}}
    assert "complexity_over_ceiling_history" in result.document


def test_a_skipped_category_is_stamped_once() -> None:
    document = cache(*rejected(4))
    first = run(document, *range(1, 11))
    assert first.depths["pattern"].recommendation == "skip"
    assert first.document is not None
    assert first.document["prosecution_depth_state"] == {"pattern": {depth.STAMP: NOW}}
    assert run(first.document, *range(1, 11)).document is None


def test_time_decay_is_recorded_and_holds() -> None:
    stamp = utc_text(NOW_S - 100 * DAY_S)
    document = cache(*rejected(4), prosecution_depth_state={"pattern": {depth.STAMP: stamp}})
    first = run(document, *range(1, 11))
    assert first.depths["pattern"].recommendation == "light"
    assert first.document is not None
    assert first.document["prosecution_depth_state"] == {}
    new: Any = first.document["re_activation_events"]
    new = new[0]
    assert (new["triggered_at_pr"], new["expires_at_pr"]) == (10, 60)
    assert run(first.document, *range(1, 11)).depths["pattern"].recommendation == "full"


def test_expired_events_go_and_odd_ones_stay() -> None:
    odd = {"category": "pattern", "expires_at_pr": "soon"}
    events = [event("security", 1, 10), odd, event("security", 6, 11)]
    result = run(cache(finding(), re_activation_events=events), *range(1, 11))
    assert result.document is not None
    assert result.document["re_activation_events"] == [odd, events[2]]


def test_local_entries_of_unmerged_pull_requests_do_not_count() -> None:
    document = cache(finding())
    found = evidence(document, pull(900))
    assert (found.reviews, found.data_source) == ((), "github")
    assert [problem.code for problem in found.problems] == ["orphans"]


def test_faulty_entries_are_named_and_left_out() -> None:
    document = cache(finding())
    document["entries"][2]["pr_number"] = 2.7
    document["entries"][4]["findings"].append({"id": "F2", "category": "x"})
    found = evidence(document, *[pull(number) for number in range(1, 11)])
    assert len(found.local) == 8
    assert [problem.where for problem in found.problems] == [
        "entries[2].pr_number",
        "entries[4].findings[1].judge_ruling",
    ]


def test_proposals_need_two_pull_requests() -> None:
    mended = finding(systemic_fix_type="Instruction")
    unknown = finding("n/a", systemic_fix_type="instruction")
    reviews = [Review(1, 0, (mended, mended, unknown)), Review(2, 0, (unknown,))]
    assert proposals.added(proposals.patterns(reviews), [], NOW) == []
    (new,) = proposals.added(proposals.patterns([*reviews, Review(3, 0, (mended,))]), [], NOW)
    assert new == {
        "pattern_key": "instruction:security",
        "evidence_prs": [1, 3],
        "first_emitted_at": NOW,
    }


def test_a_proposal_is_made_once_and_gets_the_time_of_its_fix() -> None:
    known = {"pattern_key": "skill:security", "evidence_prs": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
             "fix_issue_number": 44, "note": "keep"}  # fmt: skip
    document = cache(finding(systemic_fix_type="skill"), proposals_emitted=[known, "odd"])
    pulls = [pull(number) for number in range(1, 9)]
    pulls += [pull(10, "Fixes #44, #45", days=1), pull(9, "closes: #44", days=2), pull(11, "x #44")]
    result = aggregate(document, evidence(document, *pulls), NOW_S)
    assert result.proposed == ()
    assert result.document is not None
    merged_at = utc_text(NOW_S - DAY_S)
    assert result.document["proposals_emitted"] == [{**known, "fix_merged_at": merged_at}, "odd"]
    assert aggregate(result.document, evidence(document, *pulls), NOW_S).document is None


def test_complexity_over_several_runs() -> None:
    report = Complexity(("A.agent.md", "b.agent.md", "B.AGENT.md"), threshold=2)
    document = cache(finding(), reviews=1)
    first = run(document, 1, report=report).document
    assert first is not None
    assert run(first, 1, report=report).document is None
    second = run(first, 1, 2, report=report)
    assert second.persistent == (("A.agent.md", 2), ("b.agent.md", 2))
    assert second.document is not None
    third = run(second.document, 1, 2, 3, report=Complexity(()))
    assert [one["previous_consecutive"] for one in third.consolidated] == [2, 2]
    assert third.document is not None
    assert third.document["complexity_over_ceiling_history"] is None


def test_complexity_of_odd_entries() -> None:
    history = {"A.agent.md": "odd", "B.agent.md": {"consecutive_count": True, "note": "keep"}}
    observed = complexity.observe(history, ["A.agent.md", "B.agent.md"], 7, NOW)
    assert observed.history is not None
    counts = [complexity.count_of(one) for one in observed.history.values()]
    assert counts == [1, 1]
    assert observed.history["B.agent.md"]["note"] == "keep"  # type: ignore[index]


@pytest.mark.parametrize(
    ("given", "depths", "expected"),
    [
        pytest.param(finding(), {"security": "light"}, ["security"], id="light"),
        pytest.param(finding("Documentation"), {"documentation-audit": "skip"},
                     ["documentation-audit"], id="former name"),
        pytest.param(finding(), {"security": "full"}, [], id="full"),
        pytest.param(finding(), {}, [], id="not recorded"),
        pytest.param(finding(ruling="rejected"), {"security": "skip"}, [], id="not sustained"),
        pytest.param(finding(review_stage="postfix"), {"security": "skip"}, [], id="after a fix"),
    ],
)  # fmt: skip
def test_reactivation(given: dict[str, Any], depths: dict[str, str], expected: list[str]) -> None:
    found = reactivation.detect([given, given], depths, 7, NOW)
    assert [one["category"] for one in found] == expected
    assert all(one["expires_at_pr"] == 12 for one in found)


def test_depths_that_the_aggregate_recommends() -> None:
    given = {"prosecution_depth": {"security": {"recommendation": "light"}, "pattern": "skip"}}
    found = snapshot(given)
    assert (found.at("light"), found.at("skip")) == (["security"], ["pattern"])
    assert set(found.depths) == set(CATEGORIES)
    assert found.excluded == {
        "pass_1": ["pattern"],
        "passes_2_to_5": ["security", "pattern"],
        "post_fix": [],
    }


FAULTY: list[Any] = [
    None,
    {},
    {"prosecution_depth": []},
    {"prosecution_depth": {"pattern": "deep"}},
]


@pytest.mark.parametrize("given", FAULTY)
def test_a_faulty_aggregate_means_full_depth(given: Any) -> None:
    result = snapshot(given)
    assert set(result.depths.values()) == {"full"}
    assert result.reason
