"""Which documents are linted, and their text: no link is followed, no device opened."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from session_memory.core import git

SUFFIXES = (".md", ".markdown", ".mdx")
MAX_BYTES = 2 << 20
MAX_FILES = 50_000

# Hidden folders that hold documents for people and agents; others belong to tools.
_KEPT = frozenset(
    (
        ".github",
        ".claude",
        ".claude-plugin",
        ".agents",
        ".copilot",
        ".vscode",
        ".cursor",
        ".codex",
        ".gemini",
    )
)
_VENDORED = frozenset(
    (
        "node_modules",
        "vendor",
        "third_party",
        "site-packages",
        "bower_components",
        "__pycache__",
        "venv",
    )
)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_SNIFFED = 8192


@dataclass
class Skipped:
    """What was not linted, with the reason."""

    reasons: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: str, reason: str) -> None:
        self.reasons.append((path, reason))


def documents(paths: "tuple[str, ...]", skipped: Skipped) -> Iterator[str]:
    """The files that ``paths`` name, and the documents below the folders among them, each once."""
    seen: set[str] = set()
    for path in paths:
        below = (
            _below(path, skipped) if os.path.isdir(path) and not os.path.islink(path) else [path]
        )
        for found in below:
            name = os.path.normpath(found)
            if name not in seen:
                seen.add(name)
                yield name


def read(path: str, skipped: Skipped) -> str | None:
    """The text of a file; ``None`` for what is no text of a sensible size."""
    try:
        fd = os.open(path, os.O_RDONLY | _NO_LINK)
    except OSError as error:
        skipped.add(path, "a link" if os.path.islink(path) else error.strerror or str(error))
        return None
    facts = os.fstat(fd)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > MAX_BYTES:
        os.close(fd)
        large = stat.S_ISREG(facts.st_mode)
        skipped.add(path, f"larger than {MAX_BYTES >> 20} MiB" if large else "not a plain file")
        return None
    with os.fdopen(fd, "rb") as file:
        data = file.read(MAX_BYTES)
    if b"\0" in data[:_SNIFFED]:
        skipped.add(path, "not a text")
        return None
    return data.decode("utf-8-sig", "replace")


def _below(folder: str, skipped: Skipped) -> Iterator[str]:
    listed = _known_to_git(folder)
    names = _walk(folder) if listed is None else listed
    for count, name in enumerate(names):
        if count == MAX_FILES:
            skipped.add(folder, f"more than {MAX_FILES} documents")
            return
        yield os.path.join(folder, name)


def _known_to_git(folder: str) -> Iterator[str] | None:
    """The documents that git does not ignore, relative to ``folder``; ``None`` without git."""
    patterns = [f":(icase,glob)**/*{suffix}" for suffix in SUFFIXES]
    arguments = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = git.run(folder, *arguments, "--", *patterns)
    if listed is None:
        return None
    names = sorted(os.fsdecode(name) for name in listed.split(b"\0") if name)
    return (
        name
        for name in names
        if all(map(_is_looked_into, name.split("/")[:-1])) and _is_plain(os.path.join(folder, name))
    )


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _walk(folder: str) -> Iterator[str]:
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(filter(_is_looked_into, folders))
        for name in sorted(names):
            path = os.path.join(at, name)
            if name.lower().endswith(SUFFIXES) and _is_plain(path):
                yield os.path.relpath(path, folder)


def _is_looked_into(name: str) -> bool:
    return name not in _VENDORED and (not name.startswith(".") or name in _KEPT)
