"""What a start and a prompt load: nothing that is not needed."""

import sys
from pathlib import Path

import pytest

from loaded import modules
from startup.looks import Start
from startup_support import UNMERGED, Clone, Programs, look
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


ROOMS = ("core.git", "startup.snapshot", "startup.leftovers", "startup.report")
CLOSER = ("startup.inquiry", "startup.scratch", "startup.processes", "startup.permission")


def _named(*rooms: str) -> set[str]:
    return {f"session_memory.{room}" for room in rooms}


def test_a_plain_repository_is_judged_by_its_files(repo: Repository) -> None:
    loaded = _loaded("session_start", repo.root, "one")
    assert "session_memory.startup.glance" in loaded
    assert loaded.isdisjoint(_named(*ROOMS, *CLOSER))


def test_a_tidy_clone_is_judged_by_its_files(clone: Clone) -> None:
    loaded = _loaded("session_start", clone.primary.root, "one")
    assert loaded.isdisjoint(_named(*ROOMS, *CLOSER))


def test_a_living_branch_costs_a_look_at_refs(clone: Clone) -> None:
    clone.branch("feature/issue-3-red", UNMERGED)
    clone.follow("feature/issue-3-red")
    loaded = _loaded("session_start", clone.primary.root, "one")
    assert "session_memory.startup.snapshot" in loaded
    assert loaded.isdisjoint(_named(*CLOSER) - _named("startup.permission"))


def test_a_clean_default_branch_asks_git_twice(clone: Clone, tmp_path: Path) -> None:
    clone.branch("topic", UNMERGED)
    clone.worktree("topic")
    with Programs.first(tmp_path / "bin") as programs:
        assert not look(clone.primary.root, network=True).text
    assert len(programs.calls("git")) == 2
