"""Requests to one host: limits, retries, and the pace of writes."""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil

from session_memory.github import classification
from session_memory.github.errors import (
    GitHubError,
    InvalidAnswer,
    RateLimited,
    TimedOut,
    Transient,
)
from session_memory.github.executable import Executable, Finished
from session_memory.github.response import Response, parse

PASSING = (Transient, RateLimited)

# What GitHub asks of clients that it tells to slow down without saying for how long.
_SECONDARY_WAIT_S = 60.0
_WRITE_GAP_S = 1.0
_HEADERS = ("Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28")


@dataclass(frozen=True)
class Limits:
    """Bounds of a run; seconds and bytes."""

    call_s: float = 30.0
    run_s: float = 600.0
    wait_s: float = 90.0
    attempts: int = 4
    output: int = 64 << 20
    pages: int = 100


@dataclass(frozen=True)
class Clock:
    """Time, replaceable in tests. ``jitter`` is a number from 0 to 1."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True)
class Request:
    """One call. ``what`` is how messages name it."""

    what: str
    method: str
    path: str
    body: Mapping[str, object] | None = None

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    def arguments(self, host: str) -> list[str]:
        """The arguments for gh. The body is not among them: it goes through standard input."""
        headers = [argument for header in _HEADERS for argument in ("--header", header)]
        source = [] if self.body is None else ["--input", "-"]
        # With a port it is in the settings.
        where = [] if ":" in host else ["--hostname", host]
        options = [*where, "--include", "--method", self.method]
        return ["api", *options, *headers, *source, self.path]

    def settings(self, host: str) -> dict[str, str]:
        """Variables for gh: the host, where it has a port, which ``--hostname`` does not take.

        Without a port the option is better: a gh without credentials then says so at once.
        """
        return {"GH_HOST": host} if ":" in host else {}

    def content(self) -> bytes:
        return b"" if self.body is None else json.dumps(self.body).encode()


def _quiet(_message: str) -> None:
    """Progress that nobody watches."""


@dataclass
class Client:
    """Sends requests to ``host``. ``progress`` is told, in a line, why there is a wait."""

    executable: Executable
    host: str
    limits: Limits = Limits()
    clock: Clock = Clock()
    progress: Callable[[str], None] = _quiet
    _end: float = field(init=False)
    _last_write: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._end = self.clock.now() + self.limits.run_s

    def send(self, request: Request) -> Response:
        """The response, 2xx; failures that may pass are tried again, except for a POST.

        A POST that seems to have failed may have been carried out: its caller must look first.
        """
        attempt = 1
        while True:
            try:
                return self._send_once(request)
            except PASSING as error:
                if request.method == "POST" or attempt == self.limits.attempts:
                    raise
                self.wait(error, attempt)
            attempt += 1

    def wait(self, error: GitHubError, attempt: int) -> None:
        """Pause before attempt ``attempt + 1``; raises ``error`` when that would take too long."""
        delay = self._delay(error, attempt)
        if delay > min(self.limits.wait_s, self._remaining()):
            raise error
        self.progress(f"{error.what}: {error.reason}; trying again in {ceil(delay)} s")
        self.clock.sleep(delay)

    def _delay(self, error: GitHubError, attempt: int) -> float:
        if error.wait_s is not None:
            return error.wait_s + self.clock.jitter()
        doubled = float(1 << (attempt - 1))
        if isinstance(error, RateLimited):
            return _SECONDARY_WAIT_S * doubled + self.clock.jitter()
        return doubled * (0.5 + self.clock.jitter() / 2)

    def _remaining(self) -> float:
        return self._end - self.clock.now()

    def _send_once(self, request: Request) -> Response:
        if request.writes:
            self._keep_pace()
        done = self._run(request)
        response = parse(done.stdout)
        if response is None or done.timed_out or done.overflowed:
            raise self._silence(request, done)
        if not 200 <= response.status < 300:
            raise classification.of_response(request.what, response)
        if done.code != 0:
            # Good headers, and then the connection broke before the end of the content.
            raise Transient(request.what, f"gh exited with {done.code}", status=response.status)
        return response

    def _run(self, request: Request) -> Finished:
        limit = min(self.limits.call_s, self._remaining())
        if limit <= 0:
            raise TimedOut(request.what, f"this run took {self.limits.run_s:.0f} s")
        return self.executable.run(
            request.arguments(self.host),
            request.content(),
            limit_s=limit,
            max_output=self.limits.output,
            settings=request.settings(self.host),
        )

    def _silence(self, request: Request, done: Finished) -> GitHubError:
        error = classification.of_silence(request.what, done)
        if isinstance(error, InvalidAnswer):
            # Another program of that name explains it better, and raises so.
            self.executable.version()
        return error

    def _keep_pace(self) -> None:
        if self._last_write is not None:
            self.clock.sleep(max(0.0, self._last_write + _WRITE_GAP_S - self.clock.now()))
        self._last_write = self.clock.now()
