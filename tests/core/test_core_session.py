"""Which conversation, which root, which folder."""

import os
from pathlib import Path
from typing import Any

import pytest

from session_memory.core import checkout, session
from session_memory.core.dry_store import DryStore
from session_memory.core.payload import Event
from session_memory.core.session import Session
from support import Repository


def make(**payload: Any) -> Session:
    return Session(Event(payload))


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment as the fast path sees it."""
    values: dict[str, str] = {}
    for module in (session, checkout):
        monkeypatch.setattr(module, "environ", lambda name: values.get(name, ""))
    return values


def test_the_ladder(repo: Repository) -> None:
    here = {"cwd": str(repo.root)}
    sha = repo.git("rev-parse", "HEAD")
    assert (make(session_id="a/b", **here).key, make(**here).key) == ("s-a-b", "b-main")
    repo.git("checkout", "--quiet", "--detach")
    assert (make(**here).key, make(**here).rung) == ("sha-" + sha[:12], "sha")
    assert make(session_id="///", **here).key == "sha-" + sha[:12]


def test_two_detached_commits_have_two_keys(repo: Repository) -> None:
    keys = set()
    for number in range(2):
        repo.commit(f"c{number}")
        repo.git("checkout", "--quiet", "--detach")
        keys.add(make(cwd=str(repo.root)).key)
    assert len(keys) == 2
    assert "b-HEAD" not in keys


def test_a_hosted_session_keeps_its_key(repo: Repository, environment: dict[str, str]) -> None:
    environment["CLAUDE_CODE_REMOTE_SESSION_ID"] = "remote-1"
    assert make(session_id="turn-1").key == make(session_id="turn-2").key == "s-remote-1"
    assert make(session_id="turn-1").rung == "session_id"


def test_the_hosted_id_passes_the_same_rules(environment: dict[str, str]) -> None:
    environment["CLAUDE_CODE_REMOTE_SESSION_ID"] = "../.."
    assert make(session_id="turn-1").key == "s-turn-1"


def test_the_hosted_id_is_only_for_claude(environment: dict[str, str]) -> None:
    environment["CLAUDE_CODE_REMOTE_SESSION_ID"] = "remote-1"
    assert make(sessionId="c1", timestamp=1).key == "s-c1"


def test_state_belongs_to_the_root_of_the_checkout(repo: Repository) -> None:
    (repo.root / "deep").mkdir()
    assert make(cwd=str(repo.root / "deep")).root == str(repo.root)


def test_a_conversation_that_leaves_the_checkout_keeps_its_root(
    repo: Repository, tmp_path: Path, environment: dict[str, str]
) -> None:
    (repo.root / "deep").mkdir()
    environment["CLAUDE_PROJECT_DIR"] = str(repo.root / "deep")
    away = make(cwd=str(tmp_path))
    assert (away.root, away.key) == (str(repo.root), "b-main")


@pytest.mark.parametrize(
    ("project", "usable"), [("{}", True), ("{}/absent", False), ("relative", False), ("/", False)]
)
def test_outside_any_checkout_the_project_serves(
    tmp_path: Path, environment: dict[str, str], project: str, usable: bool
) -> None:
    environment["CLAUDE_PROJECT_DIR"] = project.format(tmp_path)
    outside = make(cwd=str(tmp_path))
    assert outside.root == (str(tmp_path) if usable else "")
    assert (outside.store() is not None) == usable
    assert outside.peek("anything") is None


def test_without_a_folder_in_the_payload_the_project_tells(
    repo: Repository, environment: dict[str, str]
) -> None:
    environment["COPILOT_PROJECT_DIR"] = str(repo.root)
    assert make(cwd="relative").root == str(repo.root)


def test_a_working_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    lost = make()
    assert (lost.cwd, lost.root, lost.key) == ("", "", "session")
    os.chdir(tmp_path)


def test_a_dry_session_only_tells(repo: Repository) -> None:
    dry = Session(Event({"session_id": "x", "cwd": str(repo.root)}), dry=True)
    store = dry.store()
    assert isinstance(store, DryStore)
    store.append("log", b"{}")
    store.complete("marker", b"")
    store.update("state", lambda state: {"n": 1})
    store.remove_stale(0.0)
    assert store.claim("marker")
    actions = [note.split()[0] for note in store.notes]
    assert actions == ["append", "complete", "update", "claim"]
    assert not (repo.root / "memories").exists()


def test_peek_tells_of_a_file_of_state(repo: Repository) -> None:
    repo.write(".copilot-tracking/marker", "x")
    found = make(cwd=str(repo.root)).peek("marker")
    assert found is not None
    assert found.st_size == 1


def test_both_directions_between_worktrees(repo: Repository) -> None:
    """Session state is the worktree's own; what is shared lies with the main one."""
    repo.git("worktree", "add", "--quiet", "../wt")
    main, linked = make(cwd=str(repo.root)), make(cwd=str(repo.root.parent / "wt"))
    assert (main.root, linked.root) == (str(repo.root), str(repo.root.parent / "wt"))
    assert main.checkout is not None
    assert linked.checkout is not None
    assert main.checkout.shared_root == linked.checkout.shared_root == str(repo.root)


def test_a_working_folder_too_long_for_any_system_is_missing(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.root)
    assert make(cwd="/a" * 2049).cwd == str(repo.root)
    assert make(cwd="/a" * 2048).cwd == "/a" * 2048
