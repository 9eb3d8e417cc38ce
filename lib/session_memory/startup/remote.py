"""The branches that a remote has now, from one call of ``git ls-remote``. Nothing is fetched."""

import os
import time

from session_memory.startup import processes
from session_memory.startup.limits import GIT_NETWORK_S, RESERVE_S
from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.refs import Branch
    from session_memory.startup.run import Run

# Nobody is there to answer a question, whatever the caller's environment says.
_SETTINGS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "Never",
    "GIT_ASKPASS": "echo",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "LC_ALL": "C",
}
# How the user reaches remotes; the rest may speak of the repository of a surrounding git hook.
_KEPT = ("GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
_MAX_NAME = 200


class Heads:
    """A question to ``remote``, which runs while other things are done."""

    def __init__(self, root: str, remote: str, folder: str, run: "Run") -> None:
        self.remote = remote
        self._end = time.monotonic() + min(run.left() - RESERVE_S, GIT_NETWORK_S)
        command = ["git", "-C", root, "--no-pager", "ls-remote", "--heads", "--", remote]
        self._child = Child(command)
        self._refs: set[str] | None = None
        run.ls_remote += 1
        self._child.start(folder, environment(), "ls-remote")

    def answer(self) -> bool:
        """Wait; whether the remote answered in time."""
        processes.wait([self._child], self._end)
        if self._refs is None and self._child.succeeded:
            lines = self._child.output.decode("utf-8", "surrogateescape").split("\n")
            self._refs = {line.partition("\t")[2] for line in lines} - {""}
        return self.has_answered

    def close(self) -> None:
        """Stop waiting."""
        self._child.end()

    @property
    def has_answered(self) -> bool:
        """Whether there was an answer."""
        return self._refs is not None

    def knows(self, branch: "Branch") -> bool:
        """Whether the remote answered, and is the one that ``branch`` follows."""
        return self.has_answered and branch.remote == self.remote and bool(branch.remote_ref)

    def has(self, branch: "Branch") -> bool:
        """Whether the remote has what ``branch`` follows."""
        return branch.remote_ref in (self._refs or ())

    @property
    def names(self) -> "list[str]":
        """The names of the remote's branches."""
        return [ref[len("refs/heads/") :] for ref in self._refs or ()]


def choose(branches: "list[Branch]") -> str:
    """The one remote to ask: ``origin`` if a branch follows it, else the most followed one."""
    remotes = [branch.remote for branch in branches if _is_plain(branch.remote)]
    if "origin" in remotes:
        return "origin"
    return max(sorted(set(remotes)), key=remotes.count, default="")


def environment() -> "dict[str, str]":
    """The caller's environment without a way to ask questions."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_KEPT) or not name.startswith("GIT_")
    }
    return {**kept, **_SETTINGS}


def _is_plain(remote: str) -> bool:
    return remote not in ("", ".") and len(remote) <= _MAX_NAME and not remote.startswith("-")
