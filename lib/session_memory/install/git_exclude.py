"""Keeping a registration, which holds for one machine only, out of a repository's commits."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from session_memory.core import checkout, git
from session_memory.install.place import Place
from session_memory.install.settings_file import SettingsFile, replace

TRACKED = "tracked"

# What has a meaning in a pattern.
_SPECIAL = re.compile(r"[\\*?\[\]! #]")


def cover(place: Place) -> str:
    """Make git overlook the settings file of a project, unless it does so already.

    Returns :data:`TRACKED` when the file is under version control, where nothing helps, else "".
    The pattern goes into the clone's own list. Raises :class:`OSError`, and
    :class:`~session_memory.install.place.Refused` when that list must not be edited.
    """
    common = _common_dir(place)
    if not common or place.root is None:
        return ""
    if _git(place.root, "ls-files", "--error-unmatch", "--", _real(place)):
        return TRACKED
    if not _git(place.root, "check-ignore", "--quiet", "--", f"{_real(place)}.backup"):
        _change(common, lambda data: _add(data, _pattern(place)))
    return ""


def uncover(place: Place) -> None:
    """Take the pattern of :func:`cover` out of the list again; raises :class:`OSError`."""
    common = _common_dir(place)
    if common:
        _change(common, lambda data: _drop(data, _pattern(place)))


def _pattern(place: Place) -> bytes:
    # Behind a link within the checkout, git sees the file itself.
    root = os.path.realpath(place.bounds[0])
    relative = Path(_real(place)).relative_to(root).as_posix()
    literal = _SPECIAL.sub(r"\\\g<0>", relative)
    return f"/{literal}*".encode()


def _real(place: Place) -> str:
    return os.path.realpath(place.path)


def _common_dir(place: Place) -> str:
    found = checkout.locate(str(place.root)) if place.root else None
    return found.common_dir if found else ""


def _git(root: Path, *arguments: str) -> bool:
    return git.run(str(root), *arguments) is not None


def _add(data: bytes, line: bytes) -> bytes:
    if line in data.splitlines():
        return data
    # So that the removal finds out what the last line was like.
    return data + b"\n" + line if data and not data.endswith(b"\n") else data + line + b"\n"


def _drop(data: bytes, line: bytes) -> bytes:
    if data.endswith(b"\n" + line):
        return data[: -len(line) - 1]
    kept = [one for one in data.splitlines(keepends=True) if one.rstrip(b"\r\n") != line]
    return b"".join(kept)


def _change(common_dir: str, change: Callable[[bytes], bytes]) -> None:
    common = Path(common_dir)
    path = common / "info" / "exclude"
    file = SettingsFile.read(Place("git", "project", path, "", (common,)))
    before = file.data or b""
    after = change(before)
    if after == before:
        return
    if after:
        replace(file.path, after)
    else:
        file.path.unlink()
