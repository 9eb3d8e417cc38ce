"""YAML that keeps its text, and everything that is refused."""

import time

import pytest

from session_memory.yaml_text import MAX_CHARACTERS, YamlError, load

BOMB = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("---\na: 1\n...\n", {"a": 1}),
        ("country: no\nversion: 1.10", {"country": "no", "version": "1.10"}),
        ("when: 2026-01-02\nat: 10:30:00", {"when": "2026-01-02", "at": "10:30:00"}),
        ("sha: 0123456\nhex: 0x1F", {"sha": "0123456", "hex": "0x1F"}),
        ("short_sha: 1e10\nother: 1.0", {"short_sha": "1e10", "other": "1.0"}),
        ("a: yes\nb: on\nc: True\nd: NULL", {"a": "yes", "b": "on", "c": "True", "d": "NULL"}),
        ("a: true\nb: false", {"a": True, "b": False}),
        ("c: null\nd: ~\ne:", {"c": None, "d": None, "e": None}),
        ("a: 42\nb: -7\nc: +7\nd: -0", {"a": 42, "b": -7, "c": "+7", "d": "-0"}),
        ("a: '42'\nb: \"true\"\nc: ''", {"a": "42", "b": "true", "c": ""}),
        ("1: a\ntrue: b", {"1": "a", "true": "b"}),
        ("a: 9999999999999999999", {"a": "9999999999999999999"}),
        ("link: https://example.test/a:b", {"link": "https://example.test/a:b"}),
        ("note: |\n  two\n  lines\n", {"note": "two\nlines\n"}),
        ("skill: [plugin:name]", {"skill": ["plugin:name"]}),
        ("%YAML 1.1\n---\na: no", {"a": "no"}),
        ("'<<': 1", {"<<": 1}),
        (r'a: "\ud83d\ude00 \U0010FFFF"', {"a": "\U0001f600 \U0010ffff"}),
        ("a: x\u2028y", {"a": "x\u2028y"}),
    ],
)  # fmt: skip
def test_what_is_read(text: str, value: object) -> None:
    assert load(text) == value


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ('decision: use cache: yes\nrationale: "ok"\n', "mapping values", 1),
        ("ok: 1\na:\n\tb: 1\n", "cannot start any token", 3),
        ("a: 1\n---\nb: 2\n", "second document", 2),
        (BOMB, "an anchor", 1),
        ("a: 1\nb: *a", "an alias", 2),
        ("a: !!int 5", "a tag", 1),
        ("a: ! 5", "a tag", 1),
        ("!x {a: 1}", "a tag", 1),
        ("&x a: 1", "an anchor", 1),
        ("a: 1\nb: 2\na: 3", "a key twice", 3),
        ("? [a]\n: b", "a key that is not text", 1),
        ("*x : 1", "an alias", 1),
        ("<<: {a: 1}", "a merge key", 1),
        ("a: 1\nb: \x00", "a character", 2),
        ("a: 1\nb: x\x85y", "a character", 2),
        ('a: "\\U0010FFFF"\nb: "\\U00110000"', "a character", 2),
        (r'a: "\UFFFFFFFF"', "a character", 1),
        (r'a: "\ud800"', "half of a surrogate pair", 1),
        ('a: 1\n"\\ude00": 1', "half of a surrogate pair", 2),
        ("[" * 40, "nested deeper", 1),
        ("- " * 40 + "a", "nested deeper", 1),
        ("a: 'open", "end of stream", 1),
        ("x" * (MAX_CHARACTERS + 1), "longer than", 1),
    ],
)
def test_what_is_refused(text: str, reason: str, line: int) -> None:
    with pytest.raises(YamlError, match=reason) as raised:
        load(text)
    assert raised.value.line == line
    assert len(str(raised.value)) < 120


def test_an_error_does_not_repeat_the_text() -> None:
    secret = "sk-" + "b" * 40
    for text in (
        f"a: !{secret}! x",
        f"a: 'x\n{secret}",
        f"a: b: {secret}",
        f"%TAG {secret} x\n--- a",
    ):
        with pytest.raises(YamlError) as raised:
            load(text)
        assert secret not in str(raised.value)


def test_a_bomb_is_refused_at_once() -> None:
    load("a: 1")
    begun = time.perf_counter()
    with pytest.raises(YamlError):
        load(BOMB)
    assert time.perf_counter() - begun < 0.5
