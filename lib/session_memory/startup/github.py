"""What GitHub knows about branches, from ``gh``: one list of merged pull requests, and issues.

The repository is always named, so that gh does not choose one by itself.
"""

import json
import os
import time

from session_memory.core import gh, git
from session_memory.startup import processes
from session_memory.startup.eligibility import CLOSED, NO_MATCH, OPEN, TIMEOUT, UNAVAILABLE
from session_memory.startup.limits import GH_S, RESERVE_S
from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.run import Run

_HOSTS = dict.fromkeys(("github.com", "www.github.com", "ssh.github.com"), "github.com")
_SCHEMES = ("https", "http", "ssh", "git", "git+ssh", "git+https")
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
_MAX_PART = 100

_LISTED = 200
_FIELDS = "number,headRefOid,headRefName"


class GitHub:
    """One repository, asked from ``folder`` as long as the ``run`` lasts."""

    def __init__(self, repository: str, folder: str, run: "Run") -> None:
        self._repository = repository
        self._folder = folder
        self._end = run.end - RESERVE_S
        self._run = run
        self._gh = gh.executable() if repository else ""
        self._list: Child | None = None
        self._list_end = 0.0
        self._by_head: dict[str, int] | None = None
        self.names: dict[str, int] = {}
        self._failure = UNAVAILABLE

    def list_merged(self, base: str) -> None:
        """Begin to list what was merged into the branch ``base``, unless that was done before."""
        if self._list is not None or not self._gh:
            return
        limit = str(_LISTED)
        merged = ("--state", "merged", f"--base={base}", "--limit", limit, "--json", _FIELDS)
        self._list = self._question("pr", "list", *merged)
        self._list_end = min(self._end, time.monotonic() + GH_S)
        self._run.gh += 1
        self._list.start(self._folder, gh.environment(), "pulls")

    def pull_request(self, tip: str) -> "int | str":
        """The merged pull request whose head is the commit ``tip``, else what became of asking."""
        self.wait()
        if self._by_head is None:
            return self._failure
        return self._by_head.get(tip, NO_MATCH)

    def wait(self) -> None:
        """Wait for the list."""
        if self._list is None or self._by_head is not None:
            return
        processes.wait([self._list], self._list_end)
        if self._list.timed_out:
            self._failure = TIMEOUT
        elif self._list.succeeded:
            self._keep(self._list.output)

    def issue_states(self, issues: "list[int]") -> "dict[int, str]":
        """The states of ``issues``, or what became of asking."""
        if not self._gh:
            return {}
        arguments = ("issue", "view", "--json", "state")
        questions = {issue: self._question(*arguments, "--", str(issue)) for issue in issues}
        end = min(self._end, time.monotonic() + GH_S)
        started = processes.run_all(list(questions.values()), self._folder, gh.environment(), end)
        self._run.gh += started
        return {issue: _state(child) for issue, child in questions.items()}

    def close(self) -> None:
        """Stop waiting for whatever still runs."""
        if self._list is not None:
            self._list.end()

    def _question(self, *arguments: str) -> Child:
        subject, verb, *rest = arguments
        return Child([self._gh, subject, verb, "--repo", self._repository, *rest])

    def _keep(self, output: bytes) -> None:
        rows = _parsed(output)
        if not isinstance(rows, list):
            return
        found = [row for row in rows if isinstance(row, dict) and type(row.get("number")) is int]
        self._by_head = {str(row.get("headRefOid")): row["number"] for row in reversed(found)}
        self.names = {str(row.get("headRefName")): row["number"] for row in reversed(found)}


def repository_of(root: str, remote: str, run: "Run") -> str:
    """``HOST/OWNER/NAME`` of a remote of the clone at ``root``; ``""`` if it is not on GitHub."""
    run.git += 1
    return parse_address(git.first_line(root, "config", "--get", f"remote.{remote}.url"))


def parse_address(address: str) -> str:
    """``HOST/OWNER/NAME`` for the address of a repository on GitHub, else ``""``.

    Hosts are github.com and what ``GH_HOST`` names.
    """
    scheme, found, rest = address.partition("://")
    if found:
        host, _, path = rest.partition("/")
        known = scheme in _SCHEMES
    else:
        host, _, path = address.partition(":")
        known = not path.startswith("/")
    host = host.rpartition("@")[2].partition(":")[0].lower()
    own = os.environ.get("GH_HOST", "").lower()
    host = _HOSTS.get(host) or (host if host and host == own else "")
    parts = path.strip("/").split("/")
    if not (known and host and len(parts) == 2):
        return ""
    owner, name = parts[0], parts[1].removesuffix(".git")
    return f"{host}/{owner}/{name}" if _is_name(owner) and _is_name(name) else ""


def _is_name(text: str) -> bool:
    if not 0 < len(text) <= _MAX_PART or text.startswith("-") or text in (".", ".."):
        return False
    return _NAME.issuperset(text)


def _state(child: Child) -> str:
    if child.timed_out or child.code is None:
        return TIMEOUT
    value = _parsed(child.output) if child.succeeded else None
    state = value.get("state") if isinstance(value, dict) else None
    return state if state in (OPEN, CLOSED) else UNAVAILABLE


def _parsed(output: bytes) -> object:
    try:
        return json.loads(output)
    except (ValueError, RecursionError):
        return None
