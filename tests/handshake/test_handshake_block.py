"""The block as text: what is written, what is refused, and what is found in a prompt."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session_memory.handshake import block
from session_memory.handshake.block import Environment, NotRepresentable
from session_memory.handshake.shell_path import shell_path

SAMPLE = Environment("a" * 40, "main", "/home/dev/Code 2/repo", "abc123456789", "0123456789ab")
AT = "2026-04-20T22:19:47Z"
TEXT = block.build(SAMPLE, AT)


def test_block_is_found_again() -> None:
    found = block.find(block.build_with_content(SAMPLE, AT) + "\nDo the work.")

    assert found == block.Handshake(SAMPLE, "shared", AT)


def test_comment_behind_the_block_leaves_the_block_as_it_is() -> None:
    assert block.build_with_content(SAMPLE, AT).split("\n")[:8] == TEXT.split("\n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parent_head": "A" * 40}, "not a commit id of 40"),
        ({"parent_head": "a" * 39}, "not a commit id of 40"),
        ({"parent_head": "a" * 64}, "this repository has SHA-256"),
        ({"parent_dirty_fingerprint": "abc"}, "not 12 hexadecimal"),
        ({"parent_branch": " "}, "parent_branch is blank"),
        ({"parent_branch": "a-->b"}, "holds a mark of a comment"),
        ({"parent_cwd": "/a/<!-- b"}, "holds a mark of a comment"),
        ({"parent_cwd": "/a\nparent_head: b"}, "holds a control character"),
        ({"parent_cwd": "/a\x85b"}, "holds a control character"),
        ({"parent_cwd": "/a\u2028b"}, "holds a control character"),
        ({"parent_cwd": "/a\udcffb"}, "a byte that is no text"),
        ({"parent_cwd": "/a "}, "begins or ends with a blank"),
        ({"parent_cwd": "C:\\repo"}, "not a path as the pwd"),
        ({"parent_cwd": ""}, "not a path as the pwd"),
    ],
)
def test_value_that_would_break_the_block_is_refused(changes: dict[str, str], message: str) -> None:
    with pytest.raises(NotRepresentable, match=message):
        block.build(replace(SAMPLE, **changes), AT)


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(NotRepresentable, match="workspace_mode is not one of"):
        block.build(SAMPLE, AT, "other")


def test_content_is_a_fingerprint() -> None:
    with pytest.raises(NotRepresentable, match="content_fingerprint"):
        block.build_with_content(replace(SAMPLE, content=""), AT)


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param("Before.\n" + TEXT + "\nAfter.", id="not-first"),
        pytest.param(TEXT.replace("\n", "\r\n"), id="crlf"),
        pytest.param(TEXT.replace("\n", "\n\n"), id="blank-lines"),
        pytest.param(TEXT.replace("\n", "\n  "), id="indented"),
        pytest.param(TEXT.replace(": ", ":   ") + "  ", id="wide"),
        pytest.param(TEXT.replace("workspace", "future_key: x\nworkspace"), id="unknown-key"),
        pytest.param(TEXT.replace("workspace", "no field\nworkspace"), id="no-field"),
        pytest.param(TEXT.replace("parent_head", "parent_head: b\nparent_head"), id="last-counts"),
        pytest.param(TEXT.replace("parent_cwd", "parent_head:  \nparent_cwd"), id="empty-passed"),
        pytest.param(TEXT + "\n" + TEXT.replace("main", "other"), id="first-block"),
        pytest.param(f"A block begins with `{block.OPENING}` here.\n" + TEXT, id="mentioned"),
    ],
)
def test_block_in_a_prompt(prompt: str) -> None:
    found = block.find(prompt)

    assert found
    assert found.environment == replace(SAMPLE, content="")


def test_order_of_fields_does_not_matter() -> None:
    first, *fields, last = TEXT.split("\n")

    assert block.find("\n".join([first, *reversed(fields), last])) == block.find(TEXT)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Do the work.",
        TEXT.rpartition("\n")[0],
        TEXT.replace("v1", "v2"),
        *[TEXT.replace(f"{name}:", f"x{name}:") for name in block.FIELDS],
        TEXT.replace("main", "  "),
        TEXT.replace(block.OPENING + "\n", block.OPENING),
    ],
)
def test_no_usable_block(prompt: str) -> None:
    assert block.find(prompt) is None


@pytest.mark.parametrize(
    ("between", "content"),
    [("\n", SAMPLE.content), ("\r\n\r\n", SAMPLE.content), ("\nOther text.\n", "")],
)
def test_comment_on_contents_follows_the_block(between: str, content: str) -> None:
    comment = block.build_with_content(SAMPLE, AT).rpartition("\n")[2]
    found = block.find(TEXT + between + comment)

    assert found
    assert found.environment.content == content


def test_search_takes_no_longer_in_a_hostile_prompt() -> None:
    start = time.monotonic()

    assert block.find((block.OPENING + "\n") * 30_000) is None
    assert time.monotonic() - start < 2


PRINTABLE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1)


@settings(max_examples=80, deadline=None)
@given(branch=PRINTABLE, folder=PRINTABLE)
def test_what_is_not_refused_is_read_as_it_was(branch: str, folder: str) -> None:
    environment = replace(SAMPLE, parent_branch=branch, parent_cwd="/" + folder)
    try:
        text = block.build_with_content(environment, AT)
    except NotRepresentable:
        return
    found = block.find(text)
    assert found
    assert found.environment == environment


@settings(max_examples=80, deadline=None)
@given(st.text())
def test_any_text_within_the_marks_can_be_searched(text: str) -> None:
    block.find(f"{block.OPENING}\n{text}\n{block.CLOSING}")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:\\Users\\M\\Code 2\\repo", "/c/Users/M/Code 2/repo"),
        ("c:/Users/M", "/c/Users/M"),
        ("D:\\", "/d"),
        ("D:", "/d"),
        ("\\\\server\\share\\x", "//server/share/x"),
        ("\\\\?\\C:\\very\\long", "/c/very/long"),
        ("\\\\?\\UNC\\server\\share", "//server/share"),
        ("/c/Users/M", "/c/Users/M"),
    ],
)
def test_windows_path(path: str, expected: str) -> None:
    assert shell_path(path, windows=True) == expected


def test_posix_path_stays_as_it_is() -> None:
    assert shell_path("/home/dev/a\\b", windows=False) == "/home/dev/a\\b"
