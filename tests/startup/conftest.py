"""Starting conversations, and a clone with a real remote."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from startup.looks import Start
from startup_support import Clone
from support import Hook, Repository


@pytest.fixture
def start(hook: Callable[..., Hook], repo: Repository) -> Start:
    """Fires SessionStart in ``repo``; keywords are members of the payload."""

    def fire(options: "dict[str, Any] | None" = None, **members: object) -> Hook:
        payload = {
            "session_id": "one",
            "hook_event_name": "SessionStart",
            "source": "startup",
            "cwd": str(repo.root),
            **members,
        }
        return hook("session_start", payload, **(options or {}))

    return fire


@pytest.fixture
def prompt(hook: Callable[..., Hook], repo: Repository) -> Start:
    """Fires UserPromptSubmit in ``repo``; keywords are members of the payload."""

    def fire(options: "dict[str, Any] | None" = None, **members: object) -> Hook:
        payload = {
            "session_id": "one",
            "hook_event_name": "UserPromptSubmit",
            "prompt": "hello",
            "cwd": str(repo.root),
            **members,
        }
        return hook("user_prompt_submit", payload, **(options or {}))

    return fire


@pytest.fixture
def untidy(repo: Repository) -> Repository:
    """A repository that the check has something to say about."""
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    return repo


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone of a real remote, with the same work merged by a squash."""
    return Clone.make(tmp_path)
