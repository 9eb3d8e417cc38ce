r"""gh shows control characters, and text that looks like them, in another form."""

import pytest

from fake_github import World
from session_memory.github.connection import GitHub
from session_memory.github.rewriting import same_text, unsendable

TEXTS = [
    "plain",
    r"\u001b",
    r"\u0000 \u001f",
    r"\u0022 \u005c",
    r"\\u0041",
    r"\ud83d \u2028 \users",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_gh_reads_is_the_same_text(text: str, github: GitHub, world: World) -> None:
    stored = world.repository().open().post(text)
    assert same_text(text, github.comment(stored.id).body)


@pytest.mark.parametrize("text", ["a\x1bb", "\x00", "\x07"], ids=ascii)
def test_control_characters_of_others_show_on_reading(
    text: str, github: GitHub, world: World
) -> None:
    stored = world.repository().open().post(text)
    assert not same_text(text, github.comment(stored.id).body)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        pytest.param("a\nb", "a\r\nb\r\n", id="line ends of the web page"),
        pytest.param("a", "a  \n\n", id="trailing blanks"),
        pytest.param(r"\u001B", r"\^[", id="an escape"),
        pytest.param(r"\u0041", r"\A", id="a letter, by 2.23"),
    ],
)
def test_the_same(sent: str, read: str) -> None:
    assert same_text(sent, read)


@pytest.mark.parametrize(
    ("sent", "read"),
    [("a", "A"), ("a", "a\u200b"), ("a b", "a  b"), (r"\u001b", "^["), (r"\u2028", r"\^(")],
)
def test_not_the_same(sent: str, read: str) -> None:
    assert not same_text(sent, read)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tab\t, line ends\r\n, \x7f, \u2028, 🎉, \\u001b", ""),
        ("one\n\x1b[31m", "line 2 holds U+001B, which gh cannot read back"),
        (r"\u009F", "line 1 holds the escape of U+009F, which gh cannot read back"),
        ("\udc80", "line 1 holds U+DC80, which gh cannot read back"),
    ],
    ids=["fine", "escape", "literal", "half a pair"],
)
def test_unsendable(text: str, reason: str) -> None:
    assert unsendable(text) == reason
