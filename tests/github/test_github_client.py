"""What a run of gh amounts to when it brings no whole response; scripts stand in for gh."""

import signal
import time
from pathlib import Path

import pytest

from session_memory.core.system import WINDOWS
from session_memory.github import errors
from session_memory.github.client import Client, Clock, Limits, Request
from session_memory.github.executable import Executable
from session_memory.github.response import Response

pytestmark = pytest.mark.skipif(WINDOWS, reason="stand-ins for gh are shell scripts here")

READ = Request("reading", "GET", "user")
GITHUBS = '[ "$1" = --version ] && echo "gh version 2.60.0 (x)" && exit\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def client(folder: Path, text: str) -> Client:
    path = folder / "gh"
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    clock = Clock(sleep=lambda _seconds: None)
    return Client(Executable(path), "github.com", Limits(attempts=1), clock)


@pytest.mark.parametrize(
    ("text", "expected", "words"),
    [
        pytest.param(
            "echo 'unknown flag: --include' >&2; exit 1",
            errors.GhTooOld,
            "unknown flag",
            id="too old: a flag",
        ),
        pytest.param(
            "echo 'unknown command \"api\"' >&2; exit 1",
            errors.GhTooOld,
            "unknown com",
            id="too old: a command",
        ),
        pytest.param("exit 0", errors.GhTooOld, "not GitHub's gh", id="another program"),
        pytest.param(
            f"{GITHUBS}exit 0", errors.InvalidAnswer, "nothing", id="nothing, by the right program"
        ),
        pytest.param(
            f"{GITHUBS}echo '{{}}'", errors.InvalidAnswer, "no status line", id="content alone"
        ),
        pytest.param("exit 4", errors.NotSignedIn, "gh auth login", id="exit code 4"),
        pytest.param(
            "echo 'error connecting to x' >&2; exit 1",
            errors.Transient,
            "connecting",
            id="no connection",
        ),
        pytest.param("exit 17", errors.Transient, "gh exited with 17", id="no words"),
        pytest.param(
            "echo 'gh: Gone (HTTP 410)' >&2; exit 1", errors.Absent, "Gone", id="410 in words"
        ),
        pytest.param(
            "echo 'gh: 404 Not Found' >&2; exit 1", errors.Absent, "404", id="404 in other words"
        ),
        pytest.param(
            "echo 'gh: rate limit exceeded (HTTP 403)' >&2; exit 1",
            errors.RateLimited,
            "later",
            id="a limit in words",
        ),
        pytest.param(
            "printf 'HTTP/2.0 200 OK\\n\\r\\n[{'; exit 1",
            errors.Transient,
            "exited with 1",
            id="cut after the headers",
        ),
        pytest.param(
            "printf 'HTTP/2.0 307 Moved\\n\\r\\n{}'; exit 1",
            errors.Rejected,
            "has moved",
            id="moved",
        ),
    ],
)
def test_class(text: str, expected: type[errors.GitHubError], words: str, folder: Path) -> None:
    with pytest.raises(errors.GitHubError, match=words) as caught:
        client(folder, text).send(READ)
    assert type(caught.value) is expected


def test_the_body_is_never_an_argument(folder: Path) -> None:
    text = 'printf "HTTP/2.0 200 OK\\n\\r\\n"; echo "$@"; cat'
    request = Request("writing", "PATCH", "repos/a/b/issues/1", {"body": "se cret"})
    arguments, _, stdin = client(folder, text).send(request).content.partition(b"\n")
    assert arguments.split()[:3] == [b"api", b"--hostname", b"github.com"]
    assert arguments.endswith(b"--input - repos/a/b/issues/1")
    assert b"cret" not in arguments
    assert stdin == b'{"body": "se cret"}'


def test_an_answer_without_content(folder: Path) -> None:
    sent = client(folder, "printf 'HTTP/2.0 204 No Content\\nA: b\\r\\n\\r\\n'").send(READ)
    assert sent == Response(204, {"a": "b"}, b"")


def test_an_interruption_ends_gh(folder: Path) -> None:
    def interrupt(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    before = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            client(folder, "sleep 30").send(READ)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert time.monotonic() - before < 5
