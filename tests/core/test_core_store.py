"""State in the first place that works."""

import json
import time
from pathlib import Path

import pytest

from session_memory.core import lock, places
from session_memory.core.dry_store import DryStore
from session_memory.core.places import SESSION
from session_memory.core.store import Store
from support import Repository


@pytest.fixture
def store(repo: Repository) -> Store:
    return Store(str(repo.root), SESSION, str(repo.root / ".git"))


def test_the_first_place_is_made(store: Store, repo: Repository) -> None:
    assert store.append("log", b"{}")
    assert (repo.session / "log").read_bytes() == b"{}\n"
    assert not (repo.root / ".copilot-tracking").exists()


def test_the_second_place_serves_under_the_other_name(store: Store, repo: Repository) -> None:
    repo.write("memories", "a file")
    store.append("log-s-1", b"{}", fallback="log")
    assert (repo.root / ".copilot-tracking/log").read_bytes() == b"{}\n"


def test_when_no_place_works_the_first_failure_is_told(store: Store, repo: Repository) -> None:
    repo.write("memories", "a file")
    (repo.root / ".copilot-tracking").symlink_to("/nonexistent")
    with pytest.raises(NotADirectoryError, match=r"memories|session"):
        store.append("log", b"{}")
    assert store.read("state") is None


def test_no_places_are_no_place() -> None:
    with pytest.raises(OSError, match="no place for state"):
        Store("/", (), "").append("log", b"{}")


def test_a_marker_is_claimed_filled_and_found(store: Store, repo: Repository) -> None:
    assert store.claim("marker-1")
    assert not store.claim("marker-1")
    store.complete("marker-1", b"done\n")
    facts = places.peek(str(repo.root), SESSION, "marker-1")
    assert facts is not None
    assert facts.st_size == 5


def test_old_markers_go(store: Store, repo: Repository) -> None:
    name = "session-startup-check-complete-s-1.md"
    store.claim(name)
    store.remove_stale(time.time())
    assert (repo.session / name).exists()
    store.remove_stale(time.time() + 366 * 86400)
    assert not (repo.session / name).exists()


def test_a_document_is_changed_and_read(store: Store) -> None:
    assert store.read("state.json") is None
    store.update("state.json", lambda state: {"n": 1})
    assert store.read("state.json") == {"n": 1}


def test_a_document_in_the_second_place_is_found(store: Store, repo: Repository) -> None:
    repo.write(".copilot-tracking/state.json", '{"n": 2}')
    repo.session.mkdir(parents=True)
    assert store.read("state.json") == {"n": 2}


@pytest.mark.parametrize("content", ["[]", "{", "nothing"])
def test_a_document_that_cannot_be_read_is_none(
    store: Store, repo: Repository, content: str
) -> None:
    repo.write("memories/session/state.json", content)
    assert store.read("state.json") is None


def test_a_busy_document_is_not_written_elsewhere(
    store: Store, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "acquire", lambda fd, wait_s: lock.BUSY)
    with pytest.raises(lock.Busy):
        store.update("state.json", lambda state: {"n": 1})
    assert not (repo.root / ".copilot-tracking").exists()


def test_an_untidy_status_is_better_than_a_lost_record(repo: Repository, tmp_path: Path) -> None:
    repo.write("memories/session/.gitignore", "mine\n")
    store = Store(str(repo.root), SESSION, str(tmp_path / "absent" / ".git"))
    store.append("gate-events-x.jsonl", json.dumps({}).encode())
    assert (repo.session / "gate-events-x.jsonl").exists()


def test_a_file_is_edited_and_read(store: Store, repo: Repository) -> None:
    assert store.read_bytes("notes.md", 9) is None
    assert store.edit("notes.md", lambda old: b"one") == ""
    assert store.edit("notes.md", lambda old: (old or b"") + b" two") == ""
    assert store.edit("notes.md", lambda old: None) == ""
    assert store.read_bytes("notes.md", 99) == b"one two"
    assert store.read_bytes("notes.md", 3) == b"one"
    assert repo.status() == ""


def test_a_file_that_cannot_be_used_is_set_aside(store: Store, repo: Repository) -> None:
    def change(old: "bytes | None") -> bytes:
        if old:
            raise ValueError
        return b"new"

    store.edit("notes.md", lambda old: b"old")
    aside = store.edit("notes.md", change)
    assert (repo.session / aside).read_bytes() == b"old"
    assert store.read_bytes("notes.md", 9) == b"new"


def test_a_failing_edit_changes_nothing(store: Store, repo: Repository) -> None:
    def change(old: "bytes | None") -> bytes:
        raise KeyError

    store.edit("notes.md", lambda old: b"old")
    with pytest.raises(KeyError):
        store.edit("notes.md", change)
    assert store.read_bytes("notes.md", 9) == b"old"


def test_what_is_there_and_cannot_be_read_is_not_absent(store: Store, repo: Repository) -> None:
    repo.write("outside", "secret")
    repo.session.mkdir(parents=True)
    (repo.session / "notes.md").symlink_to(repo.root / "outside")
    with pytest.raises(OSError, match=r"."):
        store.read_bytes("notes.md", 9)


def test_a_dry_edit_only_tells(repo: Repository) -> None:
    dry = DryStore(str(repo.root), SESSION, "")
    assert dry.edit("notes.md", lambda old: b"new") == ""
    assert dry.notes == [f"update {repo.session / 'notes.md'}"]
    assert not repo.session.exists()
