"""Keeping state files out of ``git status`` without touching a file of the user.

A ``.gitignore`` of ours does it. Where that name is taken, the patterns go into the exclude list of
the clone, which is never committed, or else into a ``.gitignore`` of ours one folder above. One
thing cannot be helped: a user who takes our names back with a ``!`` pattern sees our files, because
git lets nothing but a file still deeper override it.
"""

from session_memory.core import lock
from session_memory.core.folder import Folder
from session_memory.core.system import base_name, native, parent, read_fd, write_all

# What the bundle writes, as patterns below the folder that holds it.
OUR_NAMES = (
    "gate-events*",
    "hook-diagnostics*",
    "references-preflight-*",
    "release-hygiene-*",
    "session-startup-check-complete-*",
)
# What is written beside them in the conversation's own folder, and nowhere else: elsewhere, files
# of such names are the user's.
MEMORY_NAMES = (
    "cost-collection-install-prompt-*",
    "design-issue-*",
    "memory-seen.json*",
    "plan-bundle-*",
    "plan-issue-*",
    "rate-limit-deferred-*",
    "review-state-*",
)

_OWN = ".gitignore"
_ALL = b"*\n"
_MEMORY = "memories"
_MAX_BYTES = 1 << 20

# Exceptions that let through nothing of ours.
_HARMLESS = (b"!.gitignore", b"!/.gitignore", b"!.gitkeep", b"!/.gitkeep")


def hide(folder: Folder) -> None:
    """Make git overlook all of a folder that was just made."""
    _create(folder, _ALL)


def cover(folder: Folder, root: str, place: "tuple[str, ...]", common_dir: str) -> None:
    """Make git overlook our files in ``folder``, which somebody else made: ``root/place/…``.

    ``common_dir`` is the clone's git folder if it may be written to, else ``""``. Raises
    :class:`OSError` when that is not possible.
    """
    try:
        present = folder.read(_OWN, _MAX_BYTES)
    except OSError:  # a link, a folder, a second hard link: not ours, and git may not read it
        present = b"#"
    names = names_in(place)
    ours = "".join([name + "\n" for name in (_OWN, *names)]).encode()
    if present is None:
        _create(folder, ours)
    elif not _covers(present, names):
        # A writer that was killed leaves a part. It is hidden rather than completed: an empty
        # file may as well be one that the user has committed to keep the folder.
        torn = _ALL.startswith(present) or ours.startswith(present)
        hidden = (_OWN, *names) if torn else names
        _cover_from_outside(hidden, root, place, common_dir)


def names_in(place: "tuple[str, ...]") -> "tuple[str, ...]":
    """What the bundle writes in ``place``, as patterns."""
    return (*OUR_NAMES, *MEMORY_NAMES) if place[0] == _MEMORY else OUR_NAMES


def _covers(patterns: bytes, names: "tuple[str, ...]") -> bool:
    lines = [line.rstrip() for line in patterns.split(b"\n")]
    if any([line.startswith(b"!") and line not in _HARMLESS for line in lines]):
        return False
    return any([everything in lines for everything in (b"*", b"/*", b"**")]) or all(
        [name.encode() in lines for name in names]
    )


def _cover_from_outside(
    names: "tuple[str, ...]", root: str, place: "tuple[str, ...]", common_dir: str
) -> None:
    if common_dir:
        prefix = "/" + "/".join(place) + "/"
        try:
            exclude(common_dir, [(prefix + name).encode() for name in names])
            return
        except OSError:
            if len(place) == 1:
                raise
    if len(place) > 1:
        _cover_from_above(names, root, place)


def exclude(common_dir: str, lines: "list[bytes]") -> "list[bytes]":
    """Add ``lines`` to the exclude list of a clone, in one write; those that were missing.

    Raises :class:`OSError`.
    """
    at = parent(common_dir)
    # The git folder itself is never made.
    Folder(at, (base_name(common_dir),), create=False).close()
    info = Folder(at, (base_name(common_dir), "info"), create=True)
    try:
        return _add_lines(info, "exclude", lines)
    finally:
        info.close()


def _cover_from_above(names: "tuple[str, ...]", root: str, place: "tuple[str, ...]") -> None:
    above = Folder(root, place[:-1], create=False)
    try:
        if above.modified(_OWN) is None:
            prefix = "/" + place[-1] + "/"
            lines = ["/" + _OWN, *[prefix + name for name in names]]
            _create(above, "".join([line + "\n" for line in lines]).encode())
    finally:
        above.close()


def _create(folder: Folder, text: bytes) -> None:
    """Make the file in one step, so that nobody sees, and nothing leaves, a part of it."""
    from session_memory.core.document import replace

    replace(folder, _OWN, text)


def _add_lines(folder: Folder, name: str, lines: "list[bytes]") -> "list[bytes]":
    fd = folder.open(name, native.O_RDWR | native.O_APPEND | native.O_CREAT)
    try:
        lock.acquire(fd)
        present = read_fd(fd, _MAX_BYTES)
        missing = [line for line in lines if line not in present.split(b"\n")]
        if missing:
            torn = present and not present.endswith(b"\n")
            write_all(fd, (b"\n" if torn else b"") + b"\n".join(missing) + b"\n")
        return missing
    finally:
        native.close(fd)
