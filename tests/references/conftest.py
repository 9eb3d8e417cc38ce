"""A repository with one reference, and the prompt hook in it."""

from pathlib import Path
from typing import Any

import pytest

from reference_support import Gh, Run, add_references, claude_prompt, entry
from support import Hook, Repository


@pytest.fixture
def gh(tmp_path: Path) -> Gh:
    made = Gh.create(tmp_path / "bin")
    made.answer("The parser crashes.", "Crash", ("bug",))
    return made


@pytest.fixture
def run(hook: Run, repo: Repository, gh: Gh) -> Run:
    """The hook on a prompt in a repository with one reference that the issue matches."""
    add_references(repo, entry("guide", labels=["bug"]))

    def call(prompt: str = "Work on issue #5", session: str = "abc", **payload: Any) -> Hook:
        fields = {**claude_prompt(repo, prompt, session), **payload}
        return hook("user_prompt_submit", fields, env=gh.environment)

    return call
