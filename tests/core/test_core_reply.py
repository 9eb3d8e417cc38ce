"""The dialects of the answer and the hosts' limits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core import hosts
from session_memory.core.payload import Event
from session_memory.core.reply import MAX_BYTES, MAX_CHARACTERS, fit, render

NESTED = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "facts"}}
FLAT = {"additionalContext": "facts"}


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (hosts.CLAUDE, NESTED),
        (hosts.VSCODE, NESTED),
        (hosts.CODEX, NESTED),
        (hosts.COPILOT_CLI, FLAT),
        (hosts.COPILOT, {**FLAT, **NESTED}),
    ],
)
def test_dialects(host: str, expected: object) -> None:
    answer = render(Event({}, host), "SessionStart", "facts")
    assert json.loads(answer) == expected
    assert answer.count(b"\n") == 1


def test_gemini_hears_its_own_name() -> None:
    answer = json.loads(render(Event({"hook_event_name": "AfterTool"}), "PostToolUse", "facts"))
    assert answer["hookSpecificOutput"]["hookEventName"] == "AfterTool"


def test_unpaired_surrogates_are_replaced() -> None:
    answer = json.loads(render(Event({}, hosts.COPILOT_CLI), "SessionStart", "half \ud83d pair"))
    assert answer["additionalContext"] == "half \ufffd pair"


def test_characters_beyond_ascii_come_back() -> None:
    answer = render(Event({}, hosts.COPILOT_CLI), "SessionStart", "한글")
    assert answer.isascii()
    assert json.loads(answer)["additionalContext"] == "한글"


def test_short_context_is_untouched() -> None:
    assert fit("a\nb") == "a\nb"


@pytest.mark.parametrize("letter", ["a", "ß", "中"])
def test_long_context_is_cut_at_a_line_and_says_so(letter: str) -> None:
    text = fit("\n".join([letter * 99] * 400))
    lines = text.split("\n")
    assert lines[-1].startswith("[trimmed")
    assert {len(line) for line in lines[:-1]} == {99}
    assert len(text) > 3000


def test_the_sentinel_stays() -> None:
    text = fit("x\n" * 9000 + "<!-- refs-injected-7 -->")
    assert text.endswith("<!-- refs-injected-7 -->")


@given(st.lists(st.text(max_size=4000), max_size=12), st.sampled_from(["", "<!-- end -->"]))
def test_the_limits_hold(lines: list[str], sentinel: str) -> None:
    text = fit("\n".join([*lines, sentinel]))
    assert len(text) <= MAX_CHARACTERS
    assert len(text.encode()) <= MAX_BYTES
    assert text.endswith(sentinel)


def test_a_huge_last_line_is_no_sentinel() -> None:
    assert len(fit("<!--" + "x" * 20_000)) <= MAX_CHARACTERS
