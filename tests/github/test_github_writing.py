"""Writes land once, whatever becomes of their answers."""

import pytest

from fake_github import Thread, World
from fake_github.watch import Connect, Watch
from session_memory.github import errors
from session_memory.github.connection import GitHub
from session_memory.markers.comment import Comment

POST = "POST .*/comments$"
LIST = r"GET .*/comments\?"


@pytest.fixture
def thread(world: World) -> Thread:
    return world.repository().open()


def post(github: GitHub, body: str = "text", after: int = 0) -> Comment:
    return github.create_comment(1, body, after=after)


BODIES = [
    pytest.param("<!-- plan-issue-1 -->\n\ntext\n", id="marker"),
    pytest.param("a\r\nb\r\n", id="CRLF"),
    pytest.param("  \n\ttrailing  \n\n\n", id="blanks"),
    pytest.param("é ✓ 🎉 \u2028 \u200b \u202e", id="beyond ASCII"),
    pytest.param("@- {owner} $(x) `y` \"z\" 'w' \\ -n", id="what shells and gh would touch"),
    pytest.param("true", id="what looks like another type"),
    pytest.param("x" * 65_536, id="the longest"),
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_arrives_as_it_was_sent(body: str, github: GitHub, thread: Thread) -> None:
    comment = post(github, body)
    assert thread.comments[comment.id].body == comment.body == body
    assert github.comment(comment.id) == comment


def test_an_update_replaces_the_whole_text(github: GitHub, thread: Thread) -> None:
    stored = thread.post("old")
    assert github.update_comment(stored.id, "new\r\n").body == "new\r\n"
    assert thread.bodies == ["new\r\n"]


def test_a_pull_requests_description(github: GitHub, world: World) -> None:
    thread = world.repository().open(pull_request=True, body="old")
    assert github.pull_request(1).body == "old"
    assert github.update_pull_request(1, "new").body == "new"
    assert (thread.body, github.pull_request(1).is_pull_request) == ("new", True)


def test_an_empty_description_is_told_as_null(github: GitHub, thread: Thread) -> None:
    assert github.issue(1).body == ""


def test_an_issue_is_no_pull_request(github: GitHub, thread: Thread, world: World) -> None:
    world.repository().open(pull_request=True)
    assert [github.issue(number).is_pull_request for number in (1, 2)] == [False, True]
    with pytest.raises(errors.Absent):
        github.pull_request(1)


def test_deleting(github: GitHub, thread: Thread) -> None:
    stored = thread.post("text")
    github.delete_comment(stored.id)
    assert thread.comments == {}
    with pytest.raises(errors.Absent):
        github.delete_comment(stored.id)


@pytest.mark.parametrize("body", ["x" * 65_537, "é" * 65_537], ids=["ascii", "two bytes each"])
def test_too_long_a_body(body: str, github: GitHub, thread: Thread) -> None:
    with pytest.raises(errors.TooLarge) as caught:
        post(github, body)
    assert "65536" in str(caught.value)
    assert body[:9] not in str(caught.value)


@pytest.mark.parametrize("body", ["a\x1bb", "\x00", "\n\x0b", "\x85", "\ud800"], ids=ascii)
def test_what_gh_cannot_read_back_is_not_sent(
    body: str, github: GitHub, thread: Thread, world: World
) -> None:
    with pytest.raises(errors.Rejected, match=r"line \d holds U\+[0-9A-F]{4}"):
        post(github, body)
    with pytest.raises(errors.Rejected):
        github.update_comment(1, body)
    assert world.log() == []


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"status": 502}, id="502"),
        pytest.param({"cut": True}, id="connection cut"),
        pytest.param({"content": b"{", "status": 201}, id="half an answer"),
    ],
)
@pytest.mark.parametrize("applied", [True, False], ids=["landed", "lost"])
def test_a_post_without_an_answer_lands_once(
    fault: "dict[str, object]", applied: bool, github: GitHub, thread: Thread, world: World
) -> None:
    world.fault(POST, applied=applied, **fault)
    comment = post(github)
    assert (thread.bodies, list(thread.comments)) == (["text"], [comment.id])
    assert len(world.log("POST")) == (1 if applied else 2)


def test_a_stale_listing_does_not_hide_what_landed(
    github: GitHub, thread: Thread, world: World
) -> None:
    world.fault(POST, cut=True, applied=True)
    world.fault(LIST, stale=1)
    post(github)
    assert thread.bodies == ["text"]


def test_equal_text_that_was_there_before_is_not_taken_for_the_result(
    github: GitHub, thread: Thread, world: World
) -> None:
    before = thread.post("text")
    world.fault(POST, cut=True)
    assert post(github, after=before.id).id != before.id
    assert thread.bodies == ["text", "text"]


def test_equal_text_of_somebody_else_is_not_taken_for_the_result(
    github: GitHub, thread: Thread, world: World
) -> None:
    world.fault(POST, cut=True, first=lambda: thread.post("text", "mallory"))
    assert post(github).author != "mallory"
    assert len(thread.comments) == 2


def test_an_apps_token_recognises_its_bot(github: GitHub, thread: Thread, world: World) -> None:
    world.account("ci[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "ci[bot]")
    world.fault(POST, cut=True, applied=True)
    assert post(github).author == "ci[bot]"
    assert thread.bodies == ["text"]


@pytest.mark.parametrize("body", [r"a \u001b b", r"\u0022\u005c", r"C:\users \\u0000"])
def test_literal_escapes_are_recognised_though_gh_rewrites_them(
    body: str, github: GitHub, thread: Thread, world: World
) -> None:
    world.fault(POST, cut=True, applied=True)
    post(github, body)
    assert thread.bodies == [body]


def test_when_nothing_can_be_found_out(connect: Connect, thread: Thread, world: World) -> None:
    world.fault(POST, cut=True, applied=True)
    world.fault("GET", status=500, times=99)
    with pytest.raises(errors.Unconfirmed, match="what is there is not written twice"):
        post(connect(attempts=2))
    assert len(world.log("POST")) == 1


def test_a_rate_limit_that_lasts_is_no_doubt(github: GitHub, thread: Thread, world: World) -> None:
    world.fault(POST, status=403, headers={"Retry-After": "3600"})
    with pytest.raises(errors.RateLimited):
        post(github)
    assert world.log() == ["POST /repos/acme/widgets/issues/1/comments"]


def test_attempts_to_post_are_bounded(connect: Connect, thread: Thread, world: World) -> None:
    world.fault(POST, status=502, times=99)
    with pytest.raises(errors.Transient):
        post(connect(attempts=3))
    assert len(world.log("POST")) == 3


def test_somebody_elses_edit_between_listing_and_update_is_seen(
    github: GitHub, thread: Thread, world: World
) -> None:
    stored = thread.post("old")
    listed = github.comment(stored.id)
    world.fault("GET", first=lambda: thread.edit(stored, "theirs"))
    assert github.comment(stored.id).body == "theirs" != listed.body


def test_a_comment_deleted_between_listing_and_update(
    github: GitHub, thread: Thread, world: World
) -> None:
    stored = thread.post("old")
    world.fault("PATCH", first=lambda: thread.comments.pop(stored.id))
    with pytest.raises(errors.Absent):
        github.update_comment(stored.id, "new")


def test_writes_keep_a_second_apart(github: GitHub, thread: Thread, watch: Watch) -> None:
    stored = thread.post("old")
    for index in range(3):
        github.update_comment(stored.id, str(index))
    assert watch.sleeps == [1.0, 1.0]
