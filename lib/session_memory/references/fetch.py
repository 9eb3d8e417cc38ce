"""Fetching an issue through the ``gh`` executable: bounded in time and size, without prompts."""

import os
import subprocess
import time
from threading import Thread

from session_memory.core import gh
from session_memory.core.system import WINDOWS
from session_memory.references.issue import Issue, parse_issue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from session_memory.references.prompt import Mention

_MAX_ANSWER = 4 << 20
_MAX_MESSAGE = 16 << 10

_NOT_SIGNED_IN = 4
# What gh says, in lower case, and what that means. Its own text may quote the issue or a remote.
_MEANINGS = (
    ("could not resolve to a repository", "gh cannot see the repository"),
    ("could not resolve to an issue", "there is no such issue"),
    ("auth login", "gh is not signed in"),
    ("http 401", "gh is not signed in"),
    ("http 404", "there is no such issue"),
    ("no such host", "GitHub cannot be reached"),
    ("git remotes", "no remote of the repository is on GitHub"),
    ("not a git repository", "no remote of the repository is on GitHub"),
    ("disabled issues", "the repository has no issues"),
    ("rate limit", "GitHub's rate limit is used up"),
    ("error connecting", "GitHub cannot be reached"),
    ("dial tcp", "GitHub cannot be reached"),
)


class FetchFailed(Exception):
    """The issue could not be had; the text says why and quotes nothing of it."""


def fetch_issue(root: str, mention: "Mention", limit_s: float) -> Issue:
    """The issue ``mention`` of the checkout ``root``, within ``limit_s`` seconds.

    Raises :class:`FetchFailed`.
    """
    executable = gh.executable()
    if not executable:
        raise FetchFailed("gh is not installed")
    command = [executable, "issue", "view", str(mention.number), "--json", "title,body,labels"]
    if mention.repository:
        command += ["--repo", mention.repository]
    answer = _run(command, root, limit_s)
    try:
        return parse_issue(answer.decode("utf-8", "replace"))
    except ValueError:
        raise FetchFailed("gh gave no JSON object") from None


def _run(command: "list[str]", root: str, limit_s: float) -> bytes:
    end = time.monotonic() + limit_s
    try:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=gh.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError):
        raise FetchFailed("gh cannot be started") from None
    answer = _Drain(process.stdout, _MAX_ANSWER, stop=True)
    message = _Drain(process.stderr, _MAX_MESSAGE, stop=False)
    try:
        answer.join(_until(end))
        if answer.full:
            raise FetchFailed(f"gh's answer exceeds {_MAX_ANSWER} bytes")
        code = process.wait(_until(end))
    except subprocess.TimeoutExpired:
        raise FetchFailed(f"gh took longer than {limit_s:.1f} s") from None
    finally:
        _kill(process)
    if answer.is_alive():
        raise FetchFailed("gh ended, but what it started did not")
    if code:
        message.join(min(0.2, _until(end)))
        raise FetchFailed(_meaning(code, bytes(message.data)))
    return bytes(answer.data)


def _until(end: float) -> float:
    return max(0.0, end - time.monotonic())


class _Drain(Thread):
    """Reads a pipe to its end, so that its writer never blocks on us, and keeps the beginning."""

    def __init__(self, pipe: "IO[bytes] | None", limit: int, stop: bool) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self._pipe = pipe
        self._limit = limit
        self._stop_when_full = stop
        self.start()

    @property
    def full(self) -> bool:
        return len(self.data) > self._limit

    def run(self) -> None:
        if self._pipe is None:
            return
        with self._pipe:
            chunk = self._pipe.read(1 << 16)
            while chunk and not (self.full and self._stop_when_full):
                if not self.full:
                    self.data += chunk
                chunk = self._pipe.read(1 << 16)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End gh and whatever it has started, such as a credential helper that waits."""
    if process.poll() is not None:
        return
    try:
        if WINDOWS:  # pragma: no cover
            process.kill()
        else:
            os.killpg(process.pid, 9)
        process.wait(0.5)
    except (OSError, subprocess.TimeoutExpired):
        pass


def _meaning(code: int, message: bytes) -> str:
    if code == _NOT_SIGNED_IN:
        return "gh is not signed in"
    text = message.decode("utf-8", "replace").lower()
    for part, meaning in _MEANINGS:
        if part in text:
            return meaning
    return f"gh failed with exit code {code}"
