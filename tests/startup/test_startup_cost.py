"""What a start and a prompt load: nothing that is not needed."""

import sys
from pathlib import Path

import pytest

from loaded import modules
from startup.looks import Start
from support import HOOKS, Repository, clean_environment


def _loaded(entry: str, root: Path, session_id: str) -> set[str]:
    """The modules of ours that one run of an entry point loads."""
    payload: dict[str, object] = {
        "session_id": session_id,
        "cwd": str(root),
        "source": "startup",
        "prompt": "hello",
    }
    environment = clean_environment(root.parent)
    names = modules(sys.executable, HOOKS / f"{entry}.py", payload, environment)
    return {name for name in names if name.startswith("session_memory.")}


@pytest.mark.parametrize("entry", ["session_start", "user_prompt_submit"])
def test_a_marked_conversation_costs_one_look(entry: str, start: Start, untidy: Repository) -> None:
    start()
    loaded = _loaded(entry, untidy.root, "one")
    assert {name for name in loaded if "startup" in name} == {"session_memory.startup"}
    assert "session_memory.core.store" not in loaded


def test_a_plain_repository_is_judged_by_its_files(repo: Repository) -> None:
    loaded = _loaded("session_start", repo.root, "one")
    rooms = ("core.git", "startup.refs", "startup.worktrees", "startup.leftovers", "startup.report")
    assert "session_memory.startup.findings" in loaded
    assert loaded.isdisjoint(f"session_memory.{room}" for room in rooms)


def test_a_tidy_clone_needs_git_only(clone: Repository) -> None:
    loaded = _loaded("session_start", clone.root, "one")
    assert "session_memory.startup.refs" in loaded
    rooms = ("startup.worktrees", "startup.leftovers", "startup.report")
    assert loaded.isdisjoint(f"session_memory.{room}" for room in rooms)
