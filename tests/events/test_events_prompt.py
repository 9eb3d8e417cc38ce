"""Two features share the reply to a prompt, and neither depends on the other."""

import pytest

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.events import user_prompt_submit
from session_memory.references import preflight
from support import Repository


@pytest.fixture
def untidy(repo: Repository) -> Repository:
    """A repository with leftovers to report, and with references."""
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    repo.write(user_prompt_submit.REFERENCE_INDEX, "[]")
    return repo


def prompt(repo: Repository) -> dict[str, object]:
    return {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": str(repo.root),
        "prompt": "Work on #5",
    }


def test_references_that_fail_leave_what_the_check_found(
    untidy: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(session: Session, taken: int) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(preflight, "inject", fail)
    session = Session(Event(prompt(untidy)))
    with pytest.raises(ZeroDivisionError):
        user_prompt_submit.handle(session)
    assert "tracking file" in session.context


def test_the_second_part_is_told_the_room_that_is_taken(
    untidy: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "inject", lambda session, taken: f"taken: {taken}")
    session = Session(Event(prompt(untidy)))
    user_prompt_submit.handle(session)
    report, references = session.said
    assert references == f"taken: {len(report.encode()) + 2}"
