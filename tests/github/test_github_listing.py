"""Listings are whole or fail; they are never silently short."""

import pytest

from fake_github import StoredComment, Thread, World
from fake_github.watch import Connect
from session_memory.github import errors
from session_memory.github.connection import GitHub


def filled(world: World, count: int) -> Thread:
    thread = world.repository().open()
    for index in range(count):
        thread.post(f"comment {index}")
    return thread


@pytest.mark.parametrize(("count", "requests"), [(0, 1), (1, 1), (100, 1), (101, 2), (250, 3)])
def test_every_page_is_read(count: int, requests: int, github: GitHub, world: World) -> None:
    thread = filled(world, count)
    assert [comment.body for comment in github.comments(1)] == thread.bodies
    assert len(world.log()) == requests


def test_a_thousand_comments_take_ten_requests(github: GitHub, world: World) -> None:
    thread = filled(world, 1000)
    assert [comment.id for comment in github.comments(1)] == sorted(thread.comments)
    assert len(world.log()) == 10


def test_ids_beyond_32_bits_and_all_that_readers_need(github: GitHub, world: World) -> None:
    world.account("dev", "write", "COLLABORATOR")
    stored = world.repository().open().post("text", "dev")
    (comment,) = github.comments(1)
    assert comment.id == stored.id > 1 << 31
    assert (comment.author, comment.author_type, comment.association) == (
        "dev",
        "User",
        "COLLABORATOR",
    )
    assert (comment.created_at, comment.edited) == (stored.created_at, False)
    assert comment.html_url.endswith(f"/acme/widgets/issues/1#issuecomment-{stored.id}")


def test_pull_requests_have_the_same_conversation(github: GitHub, world: World) -> None:
    world.repository().open(pull_request=True).post("text")
    assert [comment.body for comment in github.comments(1)] == ["text"]


def test_a_deleted_account_leaves_its_comments(github: GitHub, world: World) -> None:
    world.repository().open().post("text", author="")
    (comment,) = github.comments(1)
    assert (comment.body, comment.author) == ("text", "")


def test_a_failing_page_fails_the_listing(connect: Connect, world: World) -> None:
    filled(world, 250)
    world.fault("page=2", status=502, times=9)
    with pytest.raises(errors.Transient, match=r"acme/widgets#1, page 2: "):
        connect(attempts=2).comments(1)


def test_a_page_that_fails_once_is_read_again(github: GitHub, world: World) -> None:
    thread = filled(world, 250)
    world.fault("page=2", cut=True)
    assert [comment.body for comment in github.comments(1)] == thread.bodies


def test_a_comment_that_shifts_between_pages_is_listed_once(github: GitHub, world: World) -> None:
    thread = filled(world, 150)
    last = list(thread.comments.values())[120]

    def shift() -> None:
        # A smaller id appears, so that the comment at the border comes again.
        thread.comments[7] = StoredComment(7, "early", "dev", last.created_at, last.updated_at)

    world.fault("page=2", first=shift)
    ids = [comment.id for comment in github.comments(1)]
    assert len(ids) == len(set(ids)) == 150


def test_a_stale_listing_is_read_once_more(github: GitHub, world: World) -> None:
    thread = filled(world, 3)
    world.fault("comments", stale=1)
    found = github.comments(1, expected=github.issue(1).comment_count)
    assert [comment.body for comment in found] == thread.bodies


def test_a_listing_that_stays_short_is_believed(github: GitHub, world: World) -> None:
    filled(world, 3)
    world.fault("comments", stale=1, times=2)
    assert len(github.comments(1, expected=3)) == 2
    assert len(world.log()) == 2


def test_there_is_a_bound_on_pages(connect: Connect, world: World) -> None:
    filled(world, 250)
    with pytest.raises(errors.InvalidAnswer, match="no end after 2 pages"):
        connect(pages=2).comments(1)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        pytest.param("https://api.github.com/user", "leads elsewhere", id="another resource"),
        pytest.param(
            "https://api.github.com/repos/acme/../issues/1/comments?page=2",
            "leads elsewhere",
            id="dots",
        ),
        pytest.param("https://api.github.com/graphql?a=comments", "leads elsewhere", id="graphql"),
        pytest.param(
            "https://api.github.com/repos/acme/widgets/issues/1/comments?per_page=100",
            "no end after 1 page",
            id="in a circle",
        ),
    ],
)
def test_links_that_are_not_followed(
    address: str, words: str, github: GitHub, world: World
) -> None:
    filled(world, 1)
    world.fault("comments", status=200, content=b"[]", headers={"Link": f'<{address}>; rel="next"'})
    with pytest.raises(errors.InvalidAnswer, match=words):
        github.comments(1)
    assert len(world.log()) == 1


@pytest.mark.parametrize(
    "content", [b"{}", b"[1]", b'[{"id": 0}]', b'[{"id": true}]', b"", b"[{}"], ids=repr
)
def test_a_page_that_makes_no_sense(content: bytes, github: GitHub, world: World) -> None:
    filled(world, 1)
    world.fault("comments", content=content)
    with pytest.raises(errors.InvalidAnswer, match="page 1"):
        github.comments(1)


@pytest.mark.parametrize("host", ["ghe.test", "ghe.test:8443"])
def test_an_enterprise_host(host: str, connect: Connect, world: World) -> None:
    thread = filled(world, 150)
    assert len(connect(host=host).comments(1)) == 150
    assert {seen.host for seen in world.requests} == {host}
    assert thread.bodies[0] == "comment 0"
