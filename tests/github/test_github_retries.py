"""Waiting and trying again: bounded, and never in silence."""

import pytest

from fake_github import World
from fake_github.watch import Connect, Watch
from session_memory.github import errors
from session_memory.github.connection import GitHub

_LIMITED = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796050842"}


@pytest.fixture
def comment(world: World) -> int:
    return world.repository().open().post("old").id


def test_reads_are_repeated_with_growing_waits(
    github: GitHub, comment: int, world: World, watch: Watch
) -> None:
    world.fault("GET", status=502, times=3)
    assert github.comment(comment).body == "old"
    assert watch.sleeps == [0.5, 1.0, 2.0]


def test_attempts_are_bounded(github: GitHub, comment: int, world: World) -> None:
    world.fault("GET", cut=True, times=99)
    with pytest.raises(errors.Transient):
        github.comment(comment)
    assert len(world.log()) == 4


@pytest.mark.parametrize(
    "fault", [{"status": 500}, {"cut": True, "applied": True}], ids=["500", "cut after the write"]
)
def test_updates_are_repeated(
    fault: "dict[str, object]", github: GitHub, comment: int, world: World
) -> None:
    world.fault("PATCH", **fault)
    assert github.update_comment(comment, "new").body == "new"
    assert len(world.log("PATCH")) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
def test_what_will_not_pass_is_not_repeated(
    status: int, github: GitHub, comment: int, world: World
) -> None:
    world.fault("PATCH", status=status)
    with pytest.raises(errors.GitHubError):
        github.update_comment(comment, "new")
    assert len(world.log()) == 1


@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        pytest.param({"status": 403, "headers": {"Retry-After": "7"}}, 7.0, id="secondary limit"),
        pytest.param({"status": 429, "headers": {"Retry-After": "9"}}, 9.0, id="429"),
        pytest.param({"status": 429}, 60.0, id="no time given: a minute"),
        pytest.param({"status": 503, "headers": {"Retry-After": "3"}}, 3.0, id="maintenance"),
        pytest.param({"status": 403, "headers": _LIMITED}, 42.0, id="primary limit"),
    ],
)
def test_waits_as_long_as_github_asks(  # noqa: PLR0917 - fixtures
    fault: "dict[str, object]",
    wait: float,
    github: GitHub,
    comment: int,
    world: World,
    watch: Watch,
) -> None:
    world.now = lambda: 1796050800.0
    world.fault("GET", **fault)
    github.comment(comment)
    assert watch.sleeps == [wait]
    assert watch.messages == [
        f"reading comment {comment}: {_reason(fault)}; trying again in {wait:.0f} s"
    ]


def _reason(fault: "dict[str, object]") -> str:
    limited = fault["status"] != 503
    return errors.RateLimited.reason if limited else errors.Transient.reason


@pytest.mark.parametrize("limit", [{"wait_s": 30}, {"run_s": 30}], ids=["one wait", "the run"])
def test_a_wait_beyond_a_limit_is_not_begun(
    limit: "dict[str, float]", connect: Connect, comment: int, world: World, watch: Watch
) -> None:
    world.fault("GET", status=429, headers={"Retry-After": "31"})
    with pytest.raises(errors.RateLimited, match="Try again in 31 s"):
        connect(**limit).comment(comment)
    assert watch.sleeps == []
