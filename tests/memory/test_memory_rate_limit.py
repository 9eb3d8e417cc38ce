"""What a failed call means, how long to wait, and what to offer then."""

import pytest

from session_memory.memory.rate_limit import (
    DEFER,
    ELSEWHERE,
    OFFER,
    OTHER,
    RATE_LIMIT,
    SKIP_LOW,
    WAIT,
    Attempt,
    advise,
    classify,
    options,
    wait_seconds,
)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("429 Too Many Requests", RATE_LIMIT),
        ("Error parsing response: 429", RATE_LIMIT),
        ("You have hit a rate-limit.", RATE_LIMIT),
        ("RateLimitError", RATE_LIMIT),
        ("request was throttled", RATE_LIMIT),
        ("no capacity at the moment", RATE_LIMIT),
        ("model is overloaded", RATE_LIMIT),
        ("quota exceeded", RATE_LIMIT),
        ("", RATE_LIMIT),
        ("   ", RATE_LIMIT),
        ("JSON parse error", OTHER),
        ("JSON parse error: capacity is missing", OTHER),
        ("disk quota exceeded", OTHER),
        ("ENOENT: no such file", OTHER),
        ("line 4290 is wrong", OTHER),
        ("4.2.429", OTHER),
        ("incapacity", OTHER),
        ("something else", OTHER),
    ],
)
def test_what_a_failure_is(error: str, kind: str) -> None:
    assert classify(Attempt(error)) == kind


def test_a_call_that_returned_something_without_an_error_is_not_limited() -> None:
    assert classify(Attempt(output="half an answer")) == OTHER


@pytest.mark.parametrize(("error", "kind"), [("broken", RATE_LIMIT), ("syntax error", OTHER)])
def test_the_same_failure_twice_counts_unless_a_tool_caused_it(error: str, kind: str) -> None:
    assert classify(Attempt(error, repeats=2)) == kind


@pytest.mark.parametrize(("attempt", "seconds"), [(0, 60), (1, 60), (2, 120), (3, 240)])
def test_the_wait_doubles(attempt: int, seconds: int) -> None:
    assert wait_seconds(attempt) == seconds


def test_the_wait_is_bounded() -> None:
    assert wait_seconds(10**9) == wait_seconds(10) < 10 * 3600


@pytest.mark.parametrize(
    ("pending", "offered"),
    [
        (["low", "low"], (DEFER, SKIP_LOW)),
        (["low", "medium"], (DEFER,)),
        (["trivial"], (DEFER,)),
        ([], (DEFER,)),
    ],
)
def test_only_low_items_may_be_skipped(pending: list[str], offered: tuple[str, ...]) -> None:
    assert options(pending) == offered


@pytest.mark.parametrize(
    ("failures", "step", "wait_s"),
    [
        pytest.param([Attempt("throttled")], WAIT, 60, id="first"),
        pytest.param([Attempt("throttled")] * 2, WAIT, 120, id="second"),
        pytest.param([Attempt("throttled")] * 3, OFFER, 0, id="third"),
        pytest.param([Attempt()], WAIT, 60, id="silent"),
        pytest.param([Attempt()] * 2, OFFER, 0, id="silent-twice"),
        pytest.param([Attempt(), Attempt("throttled")], WAIT, 120, id="silent-once"),
        pytest.param([Attempt("throttled"), Attempt("no such file")], ELSEWHERE, 0, id="other"),
    ],
)
def test_advice(failures: list[Attempt], step: str, wait_s: int) -> None:
    found = advise(failures, ["low"])
    assert (found.step, found.wait_s) == (step, wait_s)
    assert found.options == ((DEFER, SKIP_LOW) if step == OFFER else ())
