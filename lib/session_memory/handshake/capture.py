"""Looking at the environment, with two git processes."""

from session_memory.core import git
from session_memory.core.system import WINDOWS
from session_memory.handshake import fingerprint
from session_memory.handshake.block import Environment
from session_memory.handshake.shell_path import shell_path, working_folder

# The status of a large tree that nothing has cached takes seconds.
LIMIT_S = 30.0


class CaptureFailed(Exception):
    """Git does not tell, or the folder is gone. The message says what was asked."""


def capture(folder: str = "") -> Environment:
    """The environment in ``folder``, by default the working directory, as it is now.

    The parts are looked at one after the other: it is for the caller to keep still meanwhile.
    Raises :class:`CaptureFailed`.
    """
    try:
        cwd = shell_path(folder, windows=WINDOWS) if folder else working_folder()
    except OSError as error:
        raise CaptureFailed(f"the working directory: {error.strerror}") from error
    root, head, branch = _names(folder or ".")
    # The user's configuration applies on purpose: other readers of version 1 ask git like this.
    status = git.run(folder or ".", "status", "--porcelain", limit_s=LIMIT_S)
    if status is None:
        raise CaptureFailed("git status gives no answer")
    return Environment(
        head,
        branch,
        cwd,
        fingerprint.of_status(status),
        fingerprint.of_content(root, status),
    )


def _names(folder: str) -> tuple[str, str, str]:
    """The root of the work tree, the commit, and the branch or ``HEAD``."""
    answer = git.run(
        folder, "rev-parse", "--show-toplevel", "HEAD", "--abbrev-ref", "HEAD", limit_s=LIMIT_S
    )
    if answer is None:
        raise CaptureFailed(
            "git rev-parse gives no answer: no git, no work tree here, or no commit yet"
        )
    # A path may hold a line feed; the other two cannot.
    root, head, branch = answer.decode("utf-8", "surrogateescape").rstrip("\n").rsplit("\n", 2)
    return root, head, branch
