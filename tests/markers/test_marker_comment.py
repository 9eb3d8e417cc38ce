"""Comments out of GitHub's JSON, their order, and whose count."""

import pytest

from session_memory.markers.comment import Comment, by_age, instant, latest, same_login
from session_memory.markers.trust import WriteAccess, trusted


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02", 86400.0),
        ("1970-01-01T00:00:01Z", 1.0),
        ("1970-01-01T00:00:01.25Z", 1.25),
        ("1970-01-01T02:00:01+02:00", 1.0),
        ("1969-12-31T22:00:01-0200", 1.0),
        ("1970-01-01 00:01", 60.0),
        ("", None),
        ("yesterday", None),
        ("2026-13-01", None),
        ("2026-02-30T00:00:00Z", None),
    ],
)
def test_times(text: str, seconds: "float | None") -> None:
    assert instant(text) == seconds


def test_a_comment_from_the_interface() -> None:
    made = Comment.from_api(
        {
            "id": 4_294_967_297,
            "body": "text",
            "user": {"login": "alice", "id": 7, "type": "User"},
            "author_association": "MEMBER",
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "html_url": "https://example.test/1",
        }
    )
    assert (made.id, made.author, made.author_id) == (4_294_967_297, "alice", 7)
    assert made.edited is False
    assert made.name == "comment 4294967297 by alice"


def test_a_deleted_author_and_a_null_body() -> None:
    made = Comment.from_api({"id": True, "user": None, "body": None})
    assert made == Comment(0, "")
    assert made.name == "comment 0"


@pytest.mark.parametrize(
    ("updated", "edited"),
    [("2026-08-02T00:00:00Z", True), ("2026-08-01T00:00:00Z", False), ("", None)],
)
def test_whether_a_comment_was_edited(updated: str, edited: "bool | None") -> None:
    assert Comment(5, "", created_at="2026-08-01T00:00:00Z", updated_at=updated).edited is edited


def test_age_is_time_then_id() -> None:
    old = Comment(9, "", created_at="2026-01-01T00:00:00Z")
    same = Comment(10, "", created_at="2026-01-01T00:00:00Z")
    undated = Comment(99, "")
    assert by_age([same, old, undated]) == [undated, old, same]
    assert latest([same, old, undated]) == same
    assert latest([]) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("GitHub-Actions[bot]", "github-actions", True),
        ("alice", "Alice", True),
        ("alice", "alicia", False),
        ("", "", False),
        ("[bot]", "", False),
    ],
)
def test_logins(one: str, other: str, same: bool) -> None:
    assert same_login(one, other) is same


class _Permissions:
    def __init__(self, **known: str) -> None:
        self.known = known
        self.asked: list[str] = []

    def __call__(self, login: str) -> str:
        self.asked.append(login)
        return self.known.get(login, "none")


@pytest.mark.parametrize(
    ("comment", "is_trusted"),
    [
        (Comment(1, "", author="writer", association="MEMBER"), True),
        (Comment(1, "", author="reader", association="MEMBER"), False),
        (Comment(1, "", author="writer", association="CONTRIBUTOR"), False),
        (Comment(1, "", author="", association="OWNER"), False),
        (Comment(1, "", author="ci[bot]", author_type="Bot", author_id=3), True),
        (Comment(1, "", author="ci", author_type="User", association="NONE"), False),
        (Comment(1, "", author="lint[bot]", author_type="Bot", association="MEMBER"), False),
        (Comment(1, "", author="release[bot]", author_type="Bot", author_id=4), True),
        (Comment(1, "", author="release[bot]", author_type="Bot", author_id=5), False),
    ],
    ids=[
        "write", "read", "association first", "nobody", "listed bot", "a user of a bot's name",
        "other bot", "bot by id", "bot of another id",
    ],
)  # fmt: skip
def test_who_is_trusted(comment: Comment, is_trusted: bool) -> None:
    policy = WriteAccess(
        _Permissions(writer="write", reader="read"), frozenset({"ci[bot]", "release[bot]#4"})
    )
    assert policy(comment) is is_trusted


def test_the_permission_of_an_account_is_asked_once() -> None:
    permissions = _Permissions(writer="admin")
    policy = WriteAccess(permissions)
    comments = [Comment(n, "", author="Writer", association="OWNER") for n in range(9)]
    comments += [Comment(n, "", author="writer", association="OWNER") for n in range(9)]
    trusted(comments, policy)
    assert permissions.asked == ["Writer"]


def test_a_permission_that_could_not_be_asked_is_no_answer() -> None:
    def fails(login: str) -> str:
        raise OSError(login)

    with pytest.raises(OSError, match="writer"):
        WriteAccess(fails)(Comment(1, "", author="writer", association="MEMBER"))


def test_strangers_are_named_and_left_out() -> None:
    kept, warnings = trusted(
        [Comment(1, "a", author="x"), Comment(2, "secret", author="y")], lambda one: one.id == 1
    )
    assert [comment.id for comment in kept] == [1]
    assert [str(warning) for warning in warnings] == [
        "comment 2 by y: left out: its author may not write here"
    ]
