"""Every failure has its class, and a message that says the next step and no text of anybody."""

import time
from typing import Any

import pytest

from fake_github import Fault, World
from fake_github.watch import Connect
from session_memory.github import errors
from session_memory.github.connection import GitHub

SECRET = "a comment's own words"
_PRIMARY = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        pytest.param({"status": 401}, errors.NotSignedIn, id="401"),
        pytest.param({"status": 403}, errors.Forbidden, id="403"),
        pytest.param({"status": 404}, errors.Absent, id="404"),
        pytest.param({"status": 410}, errors.Absent, id="410 for a deleted issue"),
        pytest.param({"status": 451}, errors.Forbidden, id="451"),
        pytest.param({"status": 400}, errors.Rejected, id="400"),
        pytest.param({"status": 422}, errors.Rejected, id="422"),
        pytest.param({"status": 413}, errors.TooLarge, id="413"),
        pytest.param({"status": 429}, errors.RateLimited, id="429"),
        pytest.param({"status": 403, "headers": _PRIMARY}, errors.RateLimited, id="primary limit"),
        pytest.param(
            {"status": 403, "headers": {"Retry-After": "3600"}}, errors.RateLimited, id="secondary"
        ),
        pytest.param(
            {"status": 403, "message": "You have exceeded a secondary rate limit."},
            errors.RateLimited,
            id="secondary, in words",
        ),
        pytest.param({"status": 500}, errors.Transient, id="500"),
        pytest.param({"status": 502, "content": b"<html>"}, errors.Transient, id="502 of a proxy"),
        pytest.param({"cut": True}, errors.Transient, id="connection cut"),
        pytest.param({"content": b'{"id": 1'}, errors.InvalidAnswer, id="half of an answer"),
        pytest.param({"content": b"[]"}, errors.InvalidAnswer, id="a list for an object"),
        pytest.param({"content": b'{"id": "x"}'}, errors.InvalidAnswer, id="no number"),
    ],
)
def test_class(
    fault: dict[str, Any], expected: type[errors.GitHubError], connect: Connect, world: World
) -> None:
    comment = world.repository().open().post(SECRET)
    world.fault("GET", times=9, **fault)
    with pytest.raises(errors.GitHubError) as caught:
        connect(attempts=1).comment(comment.id)
    assert type(caught.value) is expected
    assert str(caught.value).startswith(f"reading comment {comment.id}: {expected.reason}")


def test_a_deleted_comment_is_absent(github: GitHub, world: World) -> None:
    thread = world.repository().open()
    comment = thread.post(SECRET)
    del thread.comments[comment.id]
    with pytest.raises(errors.Absent, match="not found"):
        github.comment(comment.id)


def test_without_a_token(github: GitHub, monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    for name in ("GH_TOKEN", "GH_ENTERPRISE_TOKEN"):
        monkeypatch.delenv(name)
    with pytest.raises(errors.NotSignedIn, match="Run gh auth login"):
        github.viewer()
    assert world.log() == []


def test_with_a_wrong_token(github: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_TOKEN", "wrong-and-secret")
    with pytest.raises(errors.NotSignedIn) as caught:
        github.viewer()
    assert "wrong-and-secret" not in str(caught.value)


def test_no_answer_in_time(connect: Connect, world: World) -> None:
    world.fault("GET /user", delay_s=4)
    before = time.monotonic()
    with pytest.raises(errors.TimedOut, match="no answer in time"):
        connect(call_s=0.4, attempts=1).viewer()
    assert time.monotonic() - before < 3


def test_a_run_has_an_end(connect: Connect, world: World) -> None:
    github = connect(run_s=0.0)
    with pytest.raises(errors.TimedOut):
        github.viewer()
    assert world.log() == []


def test_an_answer_without_end(connect: Connect, world: World) -> None:
    world.fault("GET /user", content=b" " * 50_000)
    with pytest.raises(errors.TooLarge, match="the answer"):
        connect(output=10_000).viewer()


def test_the_network_is_not_reached_when_the_socket_is_gone(
    connect: Connect, tmp_path: "Any", world: World
) -> None:
    (tmp_path / "home" / "gh" / "config.yml").unlink()
    with pytest.raises(errors.Transient):
        connect(attempts=1).viewer()
    assert world.log() == []


@pytest.mark.parametrize("number", [0, -1, 1 << 31, True, "1; rm"], ids=repr)
def test_what_is_no_number_is_not_sent(number: int, github: GitHub, world: World) -> None:
    with pytest.raises(errors.Rejected):
        github.issue(number)
    assert world.log() == []


@pytest.mark.parametrize("identity", [0, -1, 1 << 63])
def test_what_is_no_id_is_not_sent(identity: int, github: GitHub, world: World) -> None:
    with pytest.raises(errors.Rejected):
        github.comment(identity)
    assert world.log() == []


def test_messages_are_capped_and_on_one_line(connect: Connect, world: World) -> None:
    world.faults.append(Fault("GET", status=422, message="long \x07\n" * 999))
    with pytest.raises(errors.Rejected) as caught:
        connect("acme/" + "w" * 100, attempts=1).viewer()
    assert len(str(caught.value)) < 440
    assert "\n" not in str(caught.value)
    assert "truncated" in str(caught.value)


def test_a_rate_limit_says_when_to_come_back(connect: Connect, world: World) -> None:
    world.fault("GET /user", status=429, headers={"Retry-After": "3600"})
    with pytest.raises(errors.RateLimited, match=r"Try again in 3600 s\.$"):
        connect().viewer()


def test_a_wait_beyond_belief_is_not_told(connect: Connect, world: World) -> None:
    world.fault("GET /user", status=429, headers={"Retry-After": "9" * 400})
    with pytest.raises(errors.RateLimited, match=r"Try again later\.$"):
        connect().viewer()


def test_a_transferred_issue_is_not_taken_for_the_one_asked_for(
    github: GitHub, world: World
) -> None:
    repo = world.repository()
    repo.open(number=7).post(SECRET)
    repo.transfer(7, world.repository("acme/elsewhere"), 3)

    for read in (github.issue, github.comments):
        with pytest.raises(errors.Elsewhere, match="number 3"):
            read(7)


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("Repository was archived so is read-only.", "unarchived"),
        ("Unable to create comment because issue is locked.", "collaborators only"),
        ("Must have push access.", "with access to this repository"),
    ],
)
def test_what_helps_who_may_not_write(
    message: str, advice: str, github: GitHub, world: World
) -> None:
    comment = world.repository().open().post("a")
    world.fault("PATCH", status=403, message=message)
    with pytest.raises(errors.Forbidden, match=advice):
        github.update_comment(comment.id, "b")
