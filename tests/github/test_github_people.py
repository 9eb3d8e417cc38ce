"""Who is signed in, who may write, and whose comments count."""

import pytest

from fake_github import World
from session_memory.github import errors
from session_memory.github.connection import GitHub
from session_memory.markers.comment import Comment
from session_memory.markers.trust import WriteAccess


@pytest.fixture(autouse=True)
def _repository(world: World) -> None:
    world.repository()


def test_viewer_is_asked_once(github: GitHub, world: World) -> None:
    assert [github.viewer(), github.viewer()] == ["octo-dev", "octo-dev"]
    assert world.log() == ["GET /user"]


def test_an_app_has_no_login(github: GitHub, world: World) -> None:
    world.account("ci[bot]", "write")
    world.tokens = dict.fromkeys(world.tokens, "ci[bot]")
    assert github.viewer() == ""


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("admin", "admin"),
        ("maintain", "maintain"),
        ("write", "write"),
        ("triage", "triage"),
        ("read", "read"),
        ("none", "none"),
        ("security-champion", "write"),
    ],
)
def test_permission(role: str, expected: str, github: GitHub, world: World) -> None:
    world.account("Dev", role)
    assert github.permission("Dev") == expected


def test_permission_is_asked_once_for_each(github: GitHub, world: World) -> None:
    world.account("dev", "write")
    assert {github.permission(login) for login in ("dev", "DEV", "dev")} == {"write"}
    assert len(world.log()) == 1


def test_a_bots_name_is_quoted(github: GitHub, world: World) -> None:
    world.account("ci[bot]", "write")
    assert github.permission("ci[bot]") == "write"
    assert "ci%5Bbot%5D" in world.log()[0]


def test_an_unknown_account_may_do_nothing(github: GitHub) -> None:
    assert github.permission("nobody") == "none"


@pytest.mark.parametrize("login", ["", "../../user", "a/b", "a?x=1"])
def test_what_is_no_login_is_not_asked_about(login: str, github: GitHub, world: World) -> None:
    assert github.permission(login) == "none"
    assert world.log() == []


def test_not_being_allowed_to_ask_is_not_an_answer(github: GitHub, world: World) -> None:
    world.account("octo-dev", "read")
    world.account("dev", "write")
    with pytest.raises(errors.Forbidden, match="name the trusted authors"):
        github.permission("dev")


def comment(
    author: str, association: str = "MEMBER", kind: str = "User", account: int = 1
) -> Comment:
    return Comment(1, "", author, account, kind, association)


@pytest.mark.parametrize(
    ("said", "trusted", "asked"),
    [
        pytest.param(comment("writer"), True, 1, id="a member who may write"),
        pytest.param(comment("reader"), False, 1, id="a member who may only read"),
        pytest.param(comment("writer", "NONE"), False, 0, id="a stranger is not asked about"),
        pytest.param(comment("", "OWNER"), False, 0, id="a deleted account"),
        pytest.param(comment("friend", "NONE"), True, 0, id="on the list"),
        pytest.param(comment("ci[bot]", "NONE", "Bot", 7), True, 0, id="a listed bot"),
        pytest.param(comment("ci[bot]", "NONE", "Bot", 8), False, 0, id="its name, another id"),
        pytest.param(comment("other[bot]", "MEMBER", "Bot"), False, 0, id="an unlisted bot"),
    ],
)
def test_trust(said: Comment, trusted: bool, asked: int, github: GitHub, world: World) -> None:
    world.account("writer", "write", "MEMBER")
    world.account("reader", "read", "MEMBER")
    trusts = WriteAccess(github.permission, frozenset({"friend", "ci[bot]#7"}))
    assert (trusts(said), len(world.log())) == (trusted, asked)


def test_three_hundred_strangers_cost_nothing(github: GitHub, world: World) -> None:
    world.account("writer", "write", "COLLABORATOR")
    thread = world.repository().open()
    for index in range(1000):
        thread.post(f"comment {index}", f"stranger-{index}" if index % 10 < 3 else "writer")
    trusts = WriteAccess(github.permission)
    assert sum(map(trusts, github.comments(1))) == 700
    assert len(world.log()) == 11
