"""Line ends, fences, payloads and blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.markers.blocks import blocks
from session_memory.markers.payload import extract
from session_memory.markers.text import fences, lines, normalize, open_fence
from session_memory.yaml_text import YamlError

BODIES = st.text(alphabet=st.sampled_from("ab`~ \t\r\n<!->yml:"), max_size=60)


@given(BODIES)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


@given(BODIES)
def test_line_ends_do_not_matter(text: str) -> None:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    assert normalize(unix.replace("\n", "\r\n")) == normalize(text)


def test_only_cr_and_lf_end_a_line() -> None:
    assert lines("a\x0bb\u2028c\x85d\r\ne\rf\ng") == ["a\x0bb\u2028c\x85d", "e", "f", "g"]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("a\n```\nb\n```\nc", [2, 3, 4]),
        ("~~~\n```\n~~~\nc", [1, 2, 3]),
        ("````\n```\n````\nc", [1, 2, 3]),
        ("```\nb", [1, 2]),
        ("``` a ` b\nc", []),
        ("    ```\nc", []),
    ],
    ids=["plain", "tildes", "longer", "unclosed", "code span", "indented"],
)
def test_lines_in_a_fence(text: str, inside: list[int]) -> None:
    assert [number for number, _, fenced in fences(text) if fenced] == inside


def test_a_fence_that_stays_open_is_seen() -> None:
    assert open_fence("```yaml\na: 1")
    assert not open_fence("```yaml\na: 1\n```")


@pytest.mark.parametrize(
    ("body", "text", "fenced", "line"),
    [
        ("M -->\n```yaml\na: 1\n```", "a: 1", True, 3),
        ("M -->\n\n```yaml  \n\na: 1\n```\t", "a: 1", True, 5),
        ("M -->\n~~~\n```yaml\nb: 2\n```\n~~~\n```yaml\na: 1\n```", "a: 1", True, 8),
        ("M -->\n```yaml\na: |\n  ~~~\n```", "a: |\n  ~~~", True, 3),
        ("M -->\n\na: 1\n", "a: 1", False, 3),
        ("M -->\n ```yaml\na: 1\n ```", "```yaml\na: 1\n ```", False, 2),
        ("M -->\n```yaml\na: 1", "```yaml\na: 1", False, 2),
        ("no marker", "", False, 1),
        ("M -->", "", False, 1),
    ],
    ids=["plain", "blanks", "quoted", "tildes", "bare", "indented", "open", "no end", "nothing"],
)
def test_the_payload_of_a_body(body: str, text: str, fenced: bool, line: int) -> None:
    found = extract(body)
    assert (found.text, found.fenced, found.line) == (text, fenced, line)


def test_two_fences_are_no_payload() -> None:
    found = extract("M -->\n```yaml\na: 1\n```\n```yaml\nb: 2\n```")
    assert found.ambiguous
    assert found.unfenced is not None
    with pytest.raises(YamlError, match="more than one yaml fence"):
        found.load()


def test_an_error_names_the_line_in_the_body() -> None:
    with pytest.raises(YamlError) as raised:
        extract("M -->\n\nprose\n```yaml\na: 1\nb: c: d\n```").load()
    assert raised.value.line == 6


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("<!-- judge-rulings\n- id: F1\n-->", ["\n- id: F1\n"]),
        ("a <!-- judge-rulings x -->", []),
        ("```\n<!-- judge-rulings x -->\n```", []),
        ("<!-- judge-rulings-2 x -->", []),
        (
            "<!-- judge-rulings x -->\n\n<!--judge-rulings y-->",
            [" x ", " y"],
        ),
    ],
    ids=["block", "mention", "fenced", "another name", "two"],
)
def test_blocks_of_a_body(body: str, texts: list[str]) -> None:
    assert [block.text for block in blocks(body, "judge-rulings")] == texts


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<!-- frame-spine -->\na: 1\n-->\nb: 2", ("\na: 1\n", True)),
        ("<!-- frame-spine -->\r\na: 1\r\n -->", ("\na: 1\n", True)),
        ("<!-- frame-spine -->\n-->", ("\n", True)),
        ("<!-- frame-spine -->\na: 1\n<!-- judge-rulings\n-->", ("", False)),
        ("<!-- frame-spine -->\na: 1 -->\n-->", ("", False)),
        ("<!-- frame-spine -->", ("", False)),
    ],
)
def test_a_spine_may_stand_below_its_head(body: str, expected: "tuple[str, bool]") -> None:
    (block,) = blocks(body, "frame-spine")
    assert (block.text, block.terminated) == expected


def test_only_a_spine_stands_below_its_head() -> None:
    (block,) = blocks("<!-- judge-rulings -->\n- id: F1\n-->", "judge-rulings")
    assert block.text == " "


def test_a_block_without_an_end_says_so() -> None:
    (block,) = blocks("<!-- pipeline-metrics\na: 1", "pipeline-metrics")
    assert not block.terminated


def test_a_head_inside_a_block_is_not_another_block() -> None:
    assert len(blocks("<!-- m\n<!-- m\n-->\n", "m")) == 1
