"""Whatever lies or breaks where state belongs: exit 0, in time, no victim, the loss told."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import HOOKS, Hook, Repository, clean_environment, hook_command, question

KEY = "s-s1"
LOG = f"memories/session/gate-events-{KEY}.jsonl"
FALLBACK = ".copilot-tracking/gate-events.jsonl"


def timed(hook: Callable[..., Hook], repo: Repository, **fields: object) -> Hook:
    """Run the hook of a question; it has a second, whatever the state of the disk."""
    started = time.monotonic()
    done = hook("post_tool_use", question(repo, **fields))
    assert time.monotonic() - started < 2  # a second, and as much for a busy machine
    assert (done.code, done.stdout) == (0, b"")
    return done


def count(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def plant(kind: str, path: Path, victim: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        path.symlink_to(victim)
    elif kind == "dangling link":
        path.symlink_to(victim.parent / "made-by-hook")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "hard link":
        os.link(victim, path)
    else:
        path.mkdir()


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A file outside the repository that must come through unchanged, with no new neighbour."""
    folder = tmp_path / "outside"
    folder.mkdir()
    path = folder / "victim"
    path.write_text("precious")
    yield path
    assert path.read_text() == "precious"
    assert list(folder.iterdir()) == [path]


KINDS = ("link", "dangling link", "pipe", "hard link", "folder")


@pytest.mark.parametrize("kind", KINDS)
def test_something_else_in_place_of_the_log(
    hook: Callable[..., Hook], repo: Repository, victim: Path, kind: str
) -> None:
    plant(kind, repo.root / LOG, victim)
    timed(hook, repo)
    assert count(repo.root / FALLBACK) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_something_else_in_place_of_both_logs(
    hook: Callable[..., Hook], repo: Repository, victim: Path, kind: str
) -> None:
    plant(kind, repo.root / LOG, victim)
    plant(kind, repo.root / FALLBACK, victim)
    done = timed(hook, repo)
    assert b"question event not recorded" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("place", ["memories", "memories/session"])
@pytest.mark.parametrize("kind", ["link", "pipe", "hard link"])
def test_something_else_in_place_of_a_folder(
    hook: Callable[..., Hook], repo: Repository, victim: Path, place: str, kind: str
) -> None:
    plant(kind, repo.root / place, victim.parent if kind == "link" else victim)
    timed(hook, repo)
    assert count(repo.root / FALLBACK) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_something_else_in_place_of_the_ignore_file(
    hook: Callable[..., Hook], repo: Repository, victim: Path, kind: str
) -> None:
    plant(kind, repo.session / ".gitignore", victim)
    timed(hook, repo)
    assert count(repo.root / LOG) == 1


@pytest.mark.parametrize(
    "before", [b"", b"\0" * 100, b'{"torn":', b"\xff\n\xfe\n", b"{}{}\n[1]\n\n"], ids=repr
)
def test_a_corrupt_log_is_continued(
    hook: Callable[..., Hook], repo: Repository, before: bytes
) -> None:
    repo.session.mkdir(parents=True)
    (repo.root / LOG).write_bytes(before)
    timed(hook, repo).assert_quiet()
    data = (repo.root / LOG).read_bytes()
    assert data.startswith(before)
    assert json.loads(data.rstrip(b"\n").rpartition(b"\n")[2])["session_key"] == KEY


def test_a_long_id(hook: Callable[..., Hook], repo: Repository) -> None:
    for last in "ab":
        ids = {"session_id": "i" * 4999 + last, "tool_use_id": "t" * 5000, "agent_id": "a" * 5000}
        timed(hook, repo, **ids).assert_quiet()
    logs = sorted(repo.session.glob("gate-events-*"))
    assert len(logs) == 2
    for log in logs:
        (record,) = [json.loads(line) for line in log.read_bytes().splitlines()]
        assert max(len(str(value)) for value in record.values()) <= 200


def test_long_ids_of_two_calls_stay_apart(hook: Callable[..., Hook], repo: Repository) -> None:
    for last in "ab":
        timed(hook, repo, tool_use_id="t" * 5000 + last)
    assert len(repo.log(KEY)) == 2


@pytest.mark.parametrize("tool", ["AskUserQuestion", "Read"])
def test_a_large_response(hook: Callable[..., Hook], repo: Repository, tool: str) -> None:
    response = {"content": "A line\n" * 700_000}
    timed(hook, repo, tool_name=tool, tool_response=response).assert_quiet()
    assert len(repo.log(KEY)) == (tool == "AskUserQuestion")


def test_a_removed_folder(hook: Callable[..., Hook], repo: Repository) -> None:
    timed(hook, repo, cwd=str(repo.root / "gone")).assert_quiet()
    assert len(repo.log(KEY)) == 1
    assert not (repo.root / "gone").exists()


def test_outside_any_repository(
    hook: Callable[..., Hook], repo: Repository, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    done = timed(hook, repo, cwd=str(away))
    assert b"outside any repository" in done.stderr
    assert not away.exists()


NOBODY = 65534


def python_for_all() -> str:
    """An interpreter that another user may run, on hooks that this user may read."""
    hook = str(HOOKS / "post_tool_use.py")
    script = f"import sys; open({hook!r}); sys.exit(sys.version_info < (3, 9))"
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-c", script], user=NOBODY, cwd="/", capture_output=True, check=False
            )
            if done.returncode == 0:
                return python
    pytest.skip("no interpreter that another user may run")


@pytest.fixture
def as_nobody() -> Iterator[tuple[Path, Callable[[Repository], Hook]]]:
    """A folder and a hook of another user, whom permission bits bind."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    python = python_for_all()
    base = Path(tempfile.mkdtemp())
    base.chmod(0o755)

    def run(repo: Repository) -> Hook:
        payload = json.dumps(question(repo)).encode()
        return Hook.run("post_tool_use", payload, home=base / "home", user=NOBODY, python=python)

    yield base, run
    shutil.rmtree(base)


def test_an_unwritable_repository(
    as_nobody: tuple[Path, Callable[[Repository], Hook]],
) -> None:
    base, run = as_nobody
    repo = Repository.create(base / "repo")
    started = time.monotonic()
    done = run(repo)
    assert time.monotonic() - started < 1
    done.assert_failed_open()
    assert b"question event not recorded: Permission denied" in done.stderr


def test_an_unwritable_state_folder(
    as_nobody: tuple[Path, Callable[[Repository], Hook]],
) -> None:
    base, run = as_nobody
    repo = Repository.create(base / "repo")
    repo.root.chmod(0o777)
    repo.session.mkdir(parents=True, mode=0o700)
    run(repo).assert_quiet()
    assert count(repo.root / FALLBACK) == 1


def test_an_unreadable_folder(as_nobody: tuple[Path, Callable[[Repository], Hook]]) -> None:
    base, run = as_nobody
    repo = Repository.create(base / "repo")
    (repo.root / ".git").chmod(0o000)
    run(repo).assert_failed_open()


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts a small file system; needs root."""
    points: list[Path] = []

    def mount(*options: str) -> Path:
        point = tmp_path / f"mount{len(points)}"
        point.mkdir()
        command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(point)]
        if (
            os.geteuid() != 0
            or subprocess.run(command, capture_output=True, check=False).returncode
        ):
            pytest.skip("may not mount a file system here")
        points.append(point)
        return point

    yield mount
    for point in points:
        subprocess.run(["umount", str(point)], check=True)


def test_a_full_disk(hook: Callable[..., Hook], mounted: Callable[..., Path]) -> None:
    repo = Repository.create(mounted("-o", "size=1m") / "repo")
    timed(hook, repo, tool_use_id="one").assert_quiet()
    filler = repo.root / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(b"x" * (2 << 20))
    # Long ids soon use up what is left of the log's last page.
    told = [timed(hook, repo, tool_use_id=f"{n}" + "i" * 150).stderr for n in range(12)]
    assert b"question event not recorded: No space left on device" in told[-1]
    written = repo.log(KEY)
    filler.unlink()
    timed(hook, repo, tool_use_id="last").assert_quiet()
    assert [record["tool_use_id"] for record in repo.log(KEY)][-1] == "last"
    assert len(repo.log(KEY)) == len(written) + 1


def test_a_read_only_disk(hook: Callable[..., Hook], mounted: Callable[..., Path]) -> None:
    point = mounted()
    repo = Repository.create(point / "repo")
    subprocess.run(["mount", "-o", "remount,ro", str(point)], check=True)
    done = timed(hook, repo)
    done.assert_failed_open()
    assert b"question event not recorded: Read-only file system" in done.stderr


def test_a_kill_in_the_middle_leaves_a_log_that_can_be_continued(
    hook: Callable[..., Hook], repo: Repository
) -> None:
    """Killed at many moments; what is there is whole, and the next record is found behind it."""
    for number in range(20):
        process = subprocess.Popen(
            hook_command("post_tool_use"),
            stdin=subprocess.PIPE,
            env=clean_environment(repo.root),
            stderr=subprocess.DEVNULL,
        )
        with process:
            assert process.stdin is not None
            process.stdin.write(json.dumps(question(repo, tool_use_id=f"{number}")).encode())
            process.stdin.flush()
            time.sleep(number * 0.001)
            process.kill()
    timed(hook, repo, tool_use_id="after").assert_quiet()
    assert repo.log(KEY)[-1]["tool_use_id"] == "after"
