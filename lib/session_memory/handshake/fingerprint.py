"""Fingerprints of what is not committed.

That of version 1 sees names and status letters, as ``git status --porcelain`` prints them. The
second one sees what changed files hold, so that two edits of one file differ.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator

from session_memory.core.system import O_NOFOLLOW, READ_FLAGS, read_fd

LENGTH = 12

# What is read of a file, and of all. A file beyond that counts by its size and the time of its last
# change: parent and subagent look at the same file, so that this differs only after a change.
MAX_BYTES = 32 << 20
MAX_TOTAL = 256 << 20

_UNTRACKED = b"??"
_IGNORED = b"!!"
_RENAMED = frozenset(b"RC")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}


def of_status(porcelain: bytes) -> str:
    """The fingerprint of version 1: line ends as LF, nothing trimmed, 12 hexadecimal digits."""
    text = porcelain.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return hashlib.sha256(text).hexdigest()[:LENGTH]


def of_content(root: str, porcelain: bytes) -> str:
    """The fingerprint of what the tracked files that ``porcelain`` lists hold now.

    Untracked files count by name only, and so do submodules and what lies in the index alone.
    """
    digest = hashlib.sha256()
    left = MAX_TOTAL
    for path in sorted(changed_paths(porcelain)):
        state, size = _state(os.path.join(os.fsencode(root), path), min(left, MAX_BYTES))
        digest.update(len(path).to_bytes(4, "big") + path + state)
        left -= size
    return digest.hexdigest()[:LENGTH]


def changed_paths(porcelain: bytes) -> Iterator[bytes]:
    """The tracked files in the output of ``git status --porcelain``, relative to the root."""
    for line in porcelain.split(b"\n"):
        letters, name = line[:2], line[3:]
        if letters in (_UNTRACKED, _IGNORED) or not name:
            continue
        if _RENAMED.intersection(letters):
            name = name.partition(b" -> ")[2] or name
        yield _unquoted(name)


def _unquoted(name: bytes) -> bytes:
    if not (len(name) > 1 and name.startswith(b'"') and name.endswith(b'"')):
        return name
    return _ESCAPE.sub(_unescaped, name[1:-1])


def _unescaped(match: "re.Match[bytes]") -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _LETTERS.get(code, code)


def _state(path: bytes, limit: int) -> tuple[bytes, int]:
    """32 bytes that stand for what is at ``path``, and how many bytes of it were read."""
    digest = hashlib.sha256()
    content = b""
    try:
        facts = os.lstat(path)
        digest.update(b"%o %o " % (stat.S_IFMT(facts.st_mode), facts.st_mode & 0o100))
        if stat.S_ISLNK(facts.st_mode):
            content = os.readlink(path)
        elif stat.S_ISREG(facts.st_mode) and facts.st_size > limit:
            digest.update(b"large %d %d" % (facts.st_size, facts.st_mtime_ns))
        elif stat.S_ISREG(facts.st_mode):
            content = _read(path, limit)
    except OSError as error:
        digest.update(b"absent" if isinstance(error, FileNotFoundError) else b"unreadable")
    digest.update(content)
    return digest.digest(), len(content)


def _read(path: bytes, limit: int) -> bytes:
    # What was a plain file a moment ago may be a FIFO or a link now.
    fd = os.open(path, READ_FLAGS | O_NOFOLLOW)
    try:
        return read_fd(fd, limit)
    finally:
        os.close(fd)
