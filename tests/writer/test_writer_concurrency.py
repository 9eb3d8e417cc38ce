"""Writers at the same time: a lock serves one machine, and a rule serves several."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fake_github import Thread, World
from session_memory.github.repository import Repository
from session_memory.markers import write_lock
from session_memory.markers.decision import canonical
from session_memory.markers.families import marker
from session_memory.markers.selection import carries
from session_memory.markers.writer import Writer
from support import ROOT
from writer_support import PLAN, plan

PLACE = Repository("github.com", "acme", "widgets")
SCRIPT = Path(__file__).with_name("racing_writer.py")


def start(name: str, times: int, state: Path) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(str(ROOT / folder) for folder in ("lib", "tests"))
    env = {**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": str(state)}
    return subprocess.Popen([sys.executable, str(SCRIPT), name, str(times)], env=env)


def live(thread: Thread) -> list[str]:
    return [body for body in thread.bodies if carries(body, PLAN)]


@pytest.mark.usefixtures("fenced")
@pytest.mark.parametrize("times", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_two_processes_on_one_machine(times: int, thread: Thread, tmp_path: Path) -> None:
    racers = [start(name, times, tmp_path) for name in ("one", "two")]
    assert [racer.wait(timeout=600) for racer in racers] == [0, 0]
    assert len(thread.comments) == 1
    assert live(thread)[0] in (plan(f"one {times}").body, plan(f"two {times}").body)
    # Every text was there once: none was lost to the other writer.
    sent = {
        seen.body["body"]
        for seen in thread.world.requests
        if seen.method in ("POST", "PATCH") and seen.status in (200, 201)
    }
    assert sent == {
        plan(f"{name} {n}").body for name in ("one", "two") for n in range(1, times + 1)
    }


@pytest.mark.usefixtures("fenced")
def test_two_machines(thread: Thread, writer: Writer, tmp_path: Path) -> None:
    racers = [start(name, 3, tmp_path / name) for name in ("one", "two")]
    for racer in racers:
        racer.wait(timeout=300)
    # Whatever happened, every reader takes the same comment, and the next write leaves just that.
    own = marker("plan-issue", 7)
    winners = [canonical(own, writer.github.comments(7)) for _ in range(2)]
    assert winners[0] == winners[1] is not None
    writer.write(plan("The last word."))
    assert live(thread) == [plan("The last word.").body]


def test_both_machines_saw_no_record(writer: Writer, thread: Thread, world: World) -> None:
    # The other machine's comment lands first, after this one has listed none.
    world.fault("^POST ", first=lambda: thread.post(plan("Theirs.").body, "colleague"))
    outcome = writer.write(plan("Ours."))
    assert outcome.action == "updated"
    assert live(thread) == [plan("Ours.").body]
    assert outcome.comment_id == min(thread.comments)


def test_the_other_machine_comes_second(writer: Writer, thread: Thread, world: World) -> None:
    world.fault(
        r"GET .*/issues/comments/\d+$",
        first=lambda: thread.post(plan("Theirs.").body, "colleague"),
    )
    assert writer.write(plan("Ours.")).action == "created"
    assert writer.write(plan("Ours.")).retired == (max(thread.comments),)
    assert live(thread) == [plan("Ours.").body]


def test_a_writer_waits_for_another_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    said: list[str] = []
    with write_lock.held(PLACE, [7]):
        with write_lock.held(PLACE, [8], wait_s=0.1):
            pass
        with pytest.raises(write_lock.Busy, match="another process on this machine"):
            _in_another_thread(said)
    assert said == ["waiting for another writer of acme/widgets#7 on this machine"]
    assert not list(tmp_path.glob("**/widgets"))


def _in_another_thread(said: "list[str]") -> None:
    raised: list[Exception] = []

    def run() -> None:
        try:
            with write_lock.held(PLACE, [7], said.append, wait_s=0.2):
                pass
        except write_lock.Busy as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise raised[0]


def test_locks_are_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with write_lock.held(Repository("ghe.test:8443", "Acme", "Widgets"), [7]):
        (lock,) = write_lock.folder().iterdir()
    assert lock.name == "ghe.test+8443+acme+widgets+7.lock"
    if os.name == "posix":
        assert lock.parent.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert write_lock.folder() == tmp_path / ".local/state/session-memory/locks"


def test_no_lock_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "session-memory").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with (
        pytest.raises(write_lock.Busy, match="no lock can be made"),
        write_lock.held(PLACE, [7]),
    ):
        pass


def test_a_lock_that_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (write_lock.folder() / "github.com+acme+widgets+7.lock").mkdir(parents=True)
    with (
        pytest.raises(write_lock.Busy, match="no lock can be made"),
        write_lock.held(PLACE, [7]),
    ):
        pass
