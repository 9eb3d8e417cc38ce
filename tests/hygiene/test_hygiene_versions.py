"""The order of versions, and patterns that find them."""

import itertools
import time

import pytest

from session_memory.hygiene.managed import ManagedFile, Pattern, default_files, listed_files
from session_memory.hygiene.versions import precedence

# Semantic Versioning 2.0.0, section 11, with its neighbours.
ASCENDING = (
    *("0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"),
    *("1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.0.1", "1.0.2", "1.0.10", "1.2", "2"),
)


def test_versions_ascend() -> None:
    ranks = [precedence(version) for version in ASCENDING]
    assert all(a is not None and b is not None and a < b for a, b in itertools.pairwise(ranks))


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1.0.0"), ("1.0.0+b1", "1.0.0+b2"), ("01.0", "1.0")]
)
def test_equal_versions(one: str, other: str) -> None:
    assert precedence(one) == precedence(other) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "latest",
        "v1.0",
        "1..0",
        ".1",
        "1.",
        "1.0-",
        "1.0-a..b",
        "1.0+",
        "1.0-a_b",
        "²",
        "1" * 129,
    ],
)
def test_no_version(text: str) -> None:
    assert precedence(text) is None


JSON = '"version": "(VERSION)"'
BADGE = "version-v(VERSION)-blue"


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        (JSON, '{"version": "1.2.3"}', ["1.2.3"]),
        (JSON, '{"version":"1.2.3"}', ["1.2.3"]),
        (JSON, '{"version":\n\t "1.2.3"}', ["1.2.3"]),
        (JSON, '{"version": "1.2.3-rc.1+b-2"}', ["1.2.3-rc.1+b-2"]),
        (JSON, '{"version": "1"} {"version": "latest"} {"version": "2"}', ["1", "2"]),
        (JSON, '{"version": "1.2.3', []),
        (JSON, '{"version" "1.2.3"}', []),
        (JSON, '{"version":' + " " * 100 + '"1.2.3"}', []),
        (BADGE, "badge/version-v1.2.3-blue", ["1.2.3"]),
        (BADGE, "badge/version-v1.2.3--rc.1-blue", ["1.2.3-rc.1"]),
        (BADGE, "badge/version-v1.2.3-rc.1-blue", ["1.2.3-rc.1"]),
        (BADGE, "badge/version-v1.2.3-red", []),
        ("(VERSION)", "1.2.3\nand 4.5.6", ["1.2.3"]),
        ("v(VERSION)", "now v1.2.3. Before: v1.0.", ["1.2.3", "1.0"]),
        ("v = (VERSION) # x", "v=1.2.3#x", ["1.2.3"]),
    ],
)
def test_pattern(pattern: str, text: str, wanted: list[str]) -> None:
    assert Pattern(pattern).find(text) == wanted


@pytest.mark.parametrize("text", ["", "1.0", "(VERSION)(VERSION)", " (VERSION)", "\t(VERSION)"])
def test_unusable_pattern(text: str) -> None:
    with pytest.raises(ValueError, match=r"once|blank"):
        Pattern(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("1(VERSION)1-1", "1" * (1 << 20)),
        ("a (VERSION)b", "a" + " " * (1 << 20)),
        ("a (VERSION)", ("a" + " " * 63) * (1 << 14)),
        ("a(VERSION)b", "a" * (1 << 20)),
        ("(VERSION)-1-1-1-1-1-1-x", "1-" * (1 << 19)),
    ],
)
def test_no_pattern_hangs(pattern: str, text: str) -> None:
    start = time.perf_counter()
    assert Pattern(pattern).find(text) == []
    assert time.perf_counter() - start < 1


def test_default_files_are_those_of_the_reference() -> None:
    files = {file.path: (file.pattern.text, file.minimum) for file in default_files()}
    assert files == {
        "plugin.json": (JSON, 1),
        ".claude-plugin/plugin.json": (JSON, 1),
        ".claude-plugin/marketplace.json": (JSON, 2),
        ".github/plugin/marketplace.json": (JSON, 2),
        "README.md": (BADGE, 1),
    }


def test_listed_files() -> None:
    listed = [
        {"path": "a/b", "pattern": "v(VERSION)"},
        {"path": "c", "pattern": JSON, "minimum": 2},
    ]
    files = [(f.path, f.pattern.text, f.minimum) for f in listed_files(listed)]
    assert files == [("a/b", "v(VERSION)", 1), ("c", JSON, 2)]


GOOD = {"path": "a", "pattern": JSON, "minimum": 1}
UNUSABLE = {
    "no list": "x",
    "empty": [],
    "too many": [GOOD] * 17,
    "text": ["a"],
    "no path": [{"pattern": JSON}],
    "no pattern": [{"path": "a"}],
    "outside": [{**GOOD, "path": "../a"}],
    "absolute": [{**GOOD, "path": "/a"}],
    "dot": [{**GOOD, "path": "a/./b"}],
    "backslash": [{**GOOD, "path": "a\\b"}],
    "line end": [{**GOOD, "path": "a\nrefs/heads/main:b"}],
    "long path": [{**GOOD, "path": "a" * 129}],
    "long pattern": [{**GOOD, "pattern": "a" * 200 + "(VERSION)"}],
    "regular expression": [{**GOOD, "pattern": '"version": "(.*)"'}],
    "minimum 0": [{**GOOD, "minimum": 0}],
    "minimum true": [{**GOOD, "minimum": True}],
    "minimum text": [{**GOOD, "minimum": "1"}],
}


@pytest.mark.parametrize("listed", UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_listed_files(listed: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        listed_files(listed)


def test_a_managed_file_keeps_its_minimum() -> None:
    assert ManagedFile("a", JSON, 3).minimum == 3
