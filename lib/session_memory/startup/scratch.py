"""A throw-away object store that sees a repository's objects and nothing else of it.

Judging content takes merges in memory, and git writes their trees somewhere. Here they go to a
temporary folder. The store has no refs, hooks, attributes, merge drivers, replacements or settings
of the repository; the questions to it are object ids, never names from a clone.
"""

import time

from session_memory.core import git
from session_memory.core.system import join, native, read_file, write_all
from session_memory.startup import processes, temporary
from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from session_memory.startup.run import Run

_NEW_FILE = native.O_WRONLY | native.O_CREAT | native.O_EXCL
_NEW_FILE = native.O_WRONLY | native.O_CREAT | native.O_EXCL
_MAX_SHALLOW = 1 << 20
_SHA256_LENGTH = 64
# On top of what holds for every run of git.
_SETTINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",  # git knows this name on every system
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}


class Scratch:
    """The store. Making it may raise :class:`OSError`; :meth:`remove` takes it away again."""

    def __init__(self, common_dir: str, id_length: int, run: "Run") -> None:
        self.folder = temporary.make("session-memory-")
        self._run = run
        try:
            self._fill(common_dir, id_length)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Take it away, with all that was asked in it."""
        temporary.remove(self.folder)

    def ask(self, end: float, *arguments: str, stdin: bytes = b"") -> Child:
        """One question to git about objects."""
        child = self.question(*arguments, stdin=stdin)
        self.ask_all([child], end)
        return child

    def question(self, *arguments: str, stdin: bytes = b"") -> Child:
        """A question for :meth:`ask_all`."""
        return Child(["git", "-C", self.folder, "--git-dir=" + self.folder, *arguments], stdin)

    def ask_all(
        self, questions: "Sequence[Child]", end: float, settings: "dict[str, str]" = _SETTINGS
    ) -> None:
        """Several questions side by side, until ``end``, with these variables for git."""
        began = time.perf_counter()
        folder = temporary.make("", self.folder)
        self._run.git += processes.run_all(questions, folder, git.environment(settings), end)
        self._run.evidence_s += time.perf_counter() - began

    def _fill(self, common_dir: str, id_length: int) -> None:
        for name in ("objects", "objects/info", "refs"):
            native.mkdir(join(self.folder, name), 0o700)
        self._write("HEAD", b"ref: refs/heads/none\n")
        is_sha256 = id_length == _SHA256_LENGTH
        version = b"1\n[extensions]\n\tobjectFormat = sha256\n" if is_sha256 else b"0\n"
        self._write("config", b"[core]\n\tbare = true\n\trepositoryFormatVersion = " + version)
        self._write("objects/info/alternates", _quoted(join(common_dir, "objects")) + b"\n")
        shallow = read_file(join(common_dir, "shallow"), _MAX_SHALLOW)
        if shallow:
            self._write("shallow", shallow)

    def _write(self, name: str, content: bytes) -> None:
        fd = native.open(join(self.folder, name), _NEW_FILE, 0o600)
        try:
            write_all(fd, content)
        finally:
            native.close(fd)


def _quoted(path: str) -> bytes:
    """A path as git reads it in a list: in quotes when it begins with one or holds a line feed."""
    raw = path.encode("utf-8", "surrogateescape")
    if raw.startswith((b'"', b"#")) or b"\n" in raw:
        escaped = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        return b'"' + escaped + b'"'
    return raw
