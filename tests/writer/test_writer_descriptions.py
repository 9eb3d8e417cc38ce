"""The metrics block in a pull request's description, and every byte around it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_github import Fault, Thread, World
from session_memory.markers.description_block import BlockError, find, replaced
from session_memory.markers.outcome import NotDelivered, Refused, Unverified
from session_memory.markers.writer import Writer
from writer_support import EVERY_GH, METRICS, on_pull

NAME = "pipeline-metrics"
OLD = "<!-- pipeline-metrics\nmetrics_version: 3\n-->"


def block(text: str = METRICS) -> str:
    return text


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param("", f"{METRICS}\n", id="empty"),
        pytest.param("Text", f"Text\n\n{METRICS}\n", id="no line end"),
        pytest.param("Text\n", f"Text\n\n{METRICS}\n", id="line end"),
        pytest.param("Text\n\n", f"Text\n\n{METRICS}\n", id="empty line"),
        pytest.param(f"A  \n{OLD}\t\nB", f"A  \n{METRICS}\t\nB", id="in the middle"),
        pytest.param(f"  {OLD} tail", f"  {METRICS} tail", id="indented, with a tail"),
        pytest.param(
            f"```\n{OLD}\n```\n", f"```\n{OLD}\n```\n\n{METRICS}\n", id="an example in a fence"
        ),
        pytest.param(f"See `{OLD}`\n", f"See `{OLD}`\n\n{METRICS}\n", id="a mention in a sentence"),
        pytest.param(f"{METRICS} \n", f"{METRICS} \n", id="equal"),
    ],
)
def test_where_the_block_goes(description: str, expected: str) -> None:
    assert replaced(description, NAME, METRICS) == expected


def test_the_block_takes_on_the_line_ends_of_the_description() -> None:
    crlf = METRICS.replace("\n", "\r\n")
    assert replaced("A\r\n", NAME, METRICS) == f"A\r\n\r\n{crlf}\r\n"
    old = OLD.replace("\n", "\r\n")
    assert replaced(f"A\r\n{old}\r\nB\r\n", NAME, METRICS) == f"A\r\n{crlf}\r\nB\r\n"


@pytest.mark.parametrize(
    ("description", "reason"),
    [(f"{OLD}\n{OLD}", "more than one"), ("<!-- pipeline-metrics\na: b", "no end")],
)
def test_a_description_that_is_not_touched(description: str, reason: str) -> None:
    with pytest.raises(BlockError, match=reason):
        replaced(description, NAME, METRICS)


around = st.text(st.sampled_from("ab \t\r\n`~<!->é"), max_size=20)


@given(before=around, after=around)
def test_every_byte_around_the_block_stays(before: str, after: str) -> None:
    description = f"{before}\n{OLD}\n{after}"
    try:
        span = find(description, NAME)
        result = replaced(description, NAME, METRICS)
    except BlockError:
        return
    if span is None:
        assert result.startswith(description)
        return
    assert result[: span[0]] == description[: span[0]]
    assert result.endswith(description[span[1] :])
    assert find(result, NAME) is not None
    assert replaced(result, NAME, METRICS) == result


@EVERY_GH
def test_the_block_is_written_once(writer: Writer, pull: Thread, world: World) -> None:
    assert writer.write(on_pull(NAME, METRICS)).action == "updated"
    expected = "What it does.\r\n\r\n" + METRICS.replace("\n", "\r\n") + "\r\n"
    assert pull.body == expected
    assert writer.write(on_pull(NAME, METRICS)).action == "no-op"
    assert len(world.log("PATCH")) == 1


def test_a_description_that_changes_before_the_update(
    writer: Writer, pull: Thread, world: World
) -> None:
    world.fault("GET .*/pulls/9")
    world.fault("GET .*/pulls/9", first=lambda: setattr(pull, "body", "Theirs.\n"))
    writer.write(on_pull(NAME, METRICS))
    assert pull.body == f"Theirs.\n\n{METRICS}\n"


def test_github_may_answer_and_keep_the_old_description(
    writer: Writer, pull: Thread, world: World
) -> None:
    world.fault("^PATCH ", status=200, content=json.dumps({"number": 9}).encode())
    with pytest.raises(Unverified, match="GitHub holds another text"):
        writer.write(on_pull(NAME, METRICS))
    assert pull.body == "What it does.\r\n"


@pytest.mark.parametrize("applied", [True, False])
def test_an_update_without_an_answer(
    applied: bool, writer: Writer, pull: Thread, world: World
) -> None:
    world.fault("^PATCH ", status=502, applied=applied, times=1 if not applied else 9)
    assert writer.write(on_pull(NAME, METRICS)).action == "updated"
    assert "metrics_version: 4" in pull.body


def test_an_update_that_is_not_taken(writer: Writer, pull: Thread, world: World) -> None:
    world.fault("^PATCH ", status=422)
    with pytest.raises(NotDelivered):
        writer.write(on_pull(NAME, METRICS))
    world.fault("^PATCH ", status=422, message="body is too long", times=9)
    with pytest.raises(NotDelivered, match="too large"):
        writer.write(on_pull(NAME, METRICS))


def test_an_update_after_which_nothing_can_be_read(
    writer: Writer, pull: Thread, world: World
) -> None:
    broken = Fault("GET ", status=500, times=99)
    world.fault("^PATCH ", status=422, first=lambda: world.faults.insert(0, broken))
    with pytest.raises(Unverified):
        writer.write(on_pull(NAME, METRICS))


REFUSED = [
    pytest.param("metrics_version: 4", "one pipeline-metrics block", id="no block"),
    pytest.param(f"{METRICS}\n\nmore", "one pipeline-metrics block", id="more text"),
    pytest.param(f"{METRICS}\n{METRICS}", "one pipeline-metrics block", id="two blocks"),
    pytest.param(OLD, "cannot be read", id="an old version"),
    pytest.param(METRICS.replace("-->", ""), "one pipeline-metrics block", id="no end"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_block_that_is_refused(text: str, reason: str, writer: Writer, world: World) -> None:
    with pytest.raises(Refused, match=reason):
        writer.write(on_pull(NAME, text))
    assert world.log() == []


def test_an_issue_has_no_such_block(writer: Writer, world: World) -> None:
    world.repository().open(number=9)
    with pytest.raises(Refused, match="9 is an issue, not a pull request"):
        writer.write(on_pull(NAME, METRICS))


@pytest.mark.parametrize(
    ("body", "author", "reason"),
    [
        (f"{OLD}\n\n{OLD}", "octo-dev", "more than one"),
        ("x" * 65_500, "octo-dev", "the description with the block"),
        ("a \\\x1b b", "octo-dev", "gh does not give back"),
        ("Text", "mallory", "by somebody who may not write here"),
    ],
)
def test_a_pull_request_that_is_not_touched(
    body: str, author: str, reason: str, writer: Writer, world: World
) -> None:
    pull = world.repository().open(number=9, pull_request=True, body=body, author=author)
    with pytest.raises(Refused, match=reason):
        writer.write(on_pull(NAME, METRICS))
    assert pull.body == body
