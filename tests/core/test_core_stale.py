"""Only what is really ours goes, and only when it is old."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from session_memory.core import stale
from session_memory.core.folder import Folder
from session_memory.core.key import session_key
from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.hygiene import compared, state
from session_memory.references import marker
from session_memory.startup import marker_name, record

OLD_S = stale.MAX_AGE_S + 60
STARTUP = marker_name("s-1")
PREFLIGHT = marker.marker_name("s-1", 5)
RECORD = record.render(Session(Event({"session_id": "1"})), "startup", record.NOTHING)
KEYS = [session_key(*ladder)[0] for ladder in (("a/b", "", ""), ("", "f/x", ""), ("", "", "ab12"))]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    opened = Folder(str(tmp_path), (), create=False)
    yield opened
    opened.close()


def put(folder: Folder, name: str, content: bytes = b"", age_s: float = OLD_S) -> Path:
    path = Path(folder.path) / name
    path.write_bytes(content)
    os.utime(path, (time.time() - age_s,) * 2)
    return path


@pytest.mark.parametrize(
    ("name", "content", "age_s"),
    [
        *[pytest.param(marker_name(key), RECORD, OLD_S, id=key) for key in (*KEYS, "session")],
        pytest.param(STARTUP, b"", OLD_S, id="abandoned claim"),
        pytest.param(PREFLIGHT, b"{}\n", OLD_S, id="reference marker"),
        pytest.param(PREFLIGHT + ".lock", b"", OLD_S, id="its lock"),
        pytest.param(state.state_name("x") + ".lock", b"", OLD_S, id="lock without a decision"),
        pytest.param(PREFLIGHT + ".12-345.tmp", b"{", 3700, id="temporary marker"),
        pytest.param(state.state_name("x") + ".1-2.tmp", b"", 3700, id="temporary decision"),
        pytest.param(compared.compared_name("x") + ".1-2.tmp", b"", 3700, id="temporary note"),
        pytest.param("references-state.yml.1-2.tmp", b"", 3700, id="temporary flags"),
        pytest.param(".gitignore.1-2.tmp", b"", 3700, id="temporary ignore file"),
        pytest.param("review-state-7.md.lock", b"", OLD_S, id="lock without a review"),
        pytest.param("plan-bundle-7-8.md.1-2.tmp", b"x", 3700, id="temporary plan"),
        pytest.param("memory-seen.json.1-2.tmp", b"x", 3700, id="temporary observations"),
    ],
)
def test_what_goes(folder: Folder, name: str, content: bytes, age_s: float) -> None:
    path = put(folder, name, content, age_s)
    assert stale.remove(folder, time.time()) == 1
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "content", "age_s"),
    [
        pytest.param(STARTUP, RECORD, 86400, id="recent"),
        pytest.param(STARTUP, RECORD, -OLD_S, id="from the future"),
        pytest.param(STARTUP, b"# My notes\n", OLD_S, id="other content"),
        pytest.param(marker_name("notes"), RECORD, OLD_S, id="no key"),
        pytest.param(marker_name("s-"), RECORD, OLD_S, id="empty key"),
        pytest.param(marker_name("s-a b"), RECORD, OLD_S, id="key with a blank"),
        pytest.param(STARTUP + ".bak", RECORD, OLD_S, id="a copy"),
        pytest.param("references-preflight-design-notes.md", b"{", OLD_S, id="notes"),
        pytest.param("references-preflight-s-1.json", b"{", OLD_S, id="no number"),
        pytest.param("references-preflight-s-1-x5.json", b"{", OLD_S, id="not a number"),
        pytest.param(PREFLIGHT, b"text", OLD_S, id="not an object"),
        pytest.param(PREFLIGHT + ".lock", b"x", OLD_S, id="lock with content"),
        pytest.param("references-preflight-.lock", b"", OLD_S, id="lock of nothing"),
        pytest.param(PREFLIGHT + ".tmp", b"", OLD_S, id="temporary without a process"),
        pytest.param(PREFLIGHT + ".1-x.tmp", b"", OLD_S, id="temporary without a number"),
        pytest.param("references-preflight-notes.1-2.tmp", b"", OLD_S, id="temporary of others"),
        pytest.param(PREFLIGHT + ".1-2.tmp", b"", 60, id="temporary at work"),
        pytest.param(state.state_name("x"), b"{}", OLD_S, id="decision"),
        pytest.param(".gitignore", b"*\n", OLD_S, id="ignore file"),
        pytest.param("gate-events-s-1.jsonl", b"{}", OLD_S, id="log"),
        pytest.param("plan-issue-7.md", b"x", OLD_S, id="plan"),
        pytest.param("review-state-7.md", b"x", OLD_S, id="review"),
        pytest.param("plan-issue-notes.md.lock", b"", OLD_S, id="lock of notes"),
    ],
)
def test_what_stays(folder: Folder, name: str, content: bytes, age_s: float) -> None:
    path = put(folder, name, content, age_s)
    assert stale.remove(folder, time.time()) == 0
    assert path.exists()


def test_a_lock_stays_as_long_as_its_document(folder: Folder) -> None:
    put(folder, PREFLIGHT, b"{}\n", age_s=60)
    lock = put(folder, PREFLIGHT + ".lock")
    assert stale.remove(folder, time.time()) == 0
    assert lock.exists()


def test_a_lock_goes_with_its_document(folder: Folder) -> None:
    put(folder, PREFLIGHT + ".lock")
    put(folder, PREFLIGHT, b"{}\n")
    assert stale.remove(folder, time.time()) == 2


PLANTS: "tuple[Callable[[Path, Path], None], ...]" = (
    lambda path, kept: path.mkdir(),
    lambda path, kept: path.hardlink_to(kept),
    lambda path, kept: path.symlink_to(kept),
)


@pytest.mark.parametrize("name", [STARTUP, PREFLIGHT + ".lock", PREFLIGHT + ".1-2.tmp"])
def test_only_a_plain_file_with_one_name_goes(folder: Folder, name: str) -> None:
    kept = put(folder, "kept", RECORD)
    path = kept.parent / name
    for plant in PLANTS:
        plant(path, kept)
        os.utime(path, (0, 0), follow_symlinks=False)
        assert stale.remove(folder, time.time()) == 0
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink()
    assert kept.read_bytes() == RECORD


def test_a_bounded_number_goes_a_run(folder: Folder, tmp_path: Path) -> None:
    for number in range(500):
        put(folder, marker_name(f"s-{number}"))
    current = put(folder, marker_name("s-current"), age_s=0)
    assert [stale.remove(folder, time.time()) for _ in range(4)] == [200, 200, 100, 0]
    assert list(tmp_path.iterdir()) == [current]


def test_what_cannot_be_removed_stops_nothing(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, marker_name("s-a"))
    put(folder, marker_name("s-b"))
    remove = folder.remove

    def stubborn(name: str) -> None:
        if name == marker_name("s-a"):
            raise PermissionError(name)
        remove(name)

    monkeypatch.setattr(folder, "remove", stubborn)
    assert stale.remove(folder, time.time()) == 1
