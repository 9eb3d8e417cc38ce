"""The demo's own check has to notice whatever goes wrong."""

import json

import pytest

from session_memory.demo import expected, replay

NESTED = b'{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "%s"}}'
FLAT = b'{"additionalContext": "%s"}'

CLAUDE_LOG = f"memories/session/gate-events-{expected._CLAUDE}.jsonl"


def state() -> dict[str, str]:
    """Files as a good run leaves them."""
    startup = "memories/session/session-startup-check-complete-s-"
    preflight = "memories/session/references-preflight-s-"
    return {
        CLAUDE_LOG: f'{expected._CLAUDE} "AskUserQuestion"',
        f"memories/session/gate-events-{expected._COPILOT}.jsonl": (
            f'{expected._COPILOT} "ask_user"'
        ),
        f"{startup}a.md": "",
        f"{startup}b.md": "",
        f"{preflight}a-647.json": "body_hash",
        f"{preflight}b-647.json": "body_hash",
        ".claude/.state/release-hygiene-a.json": "skills/export/SKILL.md commands/export.md",
    }


def test_every_recorded_event_has_an_expectation_and_the_other_way_round() -> None:
    assert [step.name for step in replay.conversation()] == list(expected.EVENTS)


def test_injected_text_is_taken_out_of_the_answer() -> None:
    answer = NESTED % b"skills/export/SKILL.md is an entry point"

    assert expected.of_event("edit", 0, answer, b"") == (
        "skills/export/SKILL.md is an entry point",
        [],
    )


@pytest.mark.parametrize(
    ("name", "code", "stdout", "stderr", "problem"),
    [
        pytest.param("question", 1, b"", b"", "exit code 1", id="exit-code"),
        pytest.param("question", 0, b"", b"lost\n", "said on stderr: lost", id="stderr"),
        pytest.param("question", 0, NESTED % b"hi", b"", "expected silence", id="noise"),
        pytest.param("question", 0, b"hi", b"", "stdout is not one answer", id="not-json"),
        pytest.param("question", 0, b"7", b"", "stdout is not one answer", id="not-an-object"),
        pytest.param("edit", 0, b"", b"", "did not say 'skills/", id="silence"),
        pytest.param("edit", 0, FLAT % b"skills/export/SKILL.md", b"", "dialect", id="dialect"),
        pytest.param("prompt", 0, NESTED % b"teal", b"", "should not say 'teal'", id="too-much"),
    ],
)
def test_an_event_that_misbehaves_is_named(
    name: str, code: int, stdout: bytes, stderr: bytes, problem: str
) -> None:
    _, problems = expected.of_event(name, code, stdout, stderr)

    assert any(problem in each for each in problems)


def test_good_state_has_no_problems() -> None:
    assert expected.on_disk(state(), "") == []


@pytest.mark.parametrize(
    ("changed", "status", "problem"),
    [
        pytest.param({CLAUDE_LOG: None}, "", "0 files, expected 1", id="missing"),
        pytest.param({CLAUDE_LOG: "torn"}, "", "does not hold", id="content"),
        pytest.param({"stray.txt": ""}, "", "outside the folders", id="stray"),
        pytest.param({"memories/session/x": "Which fields"}, "", "holds 'Which", id="words"),
        pytest.param({}, "?? stray.txt\n", "git status is not clean: ?? stray.txt", id="status"),
    ],
)
def test_state_that_is_wrong_is_named(
    changed: dict[str, str | None], status: str, problem: str
) -> None:
    files = {name: text for name, text in {**state(), **changed}.items() if text is not None}

    assert any(problem in each for each in expected.on_disk(files, status))


def test_words_that_must_not_be_kept_occur_in_the_conversation() -> None:
    recorded = json.dumps([step.payload for step in replay.conversation()])

    assert [words for words in expected.NEVER_WRITTEN if words not in recorded] == []
