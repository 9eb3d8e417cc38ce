"""A path as the ``pwd`` of a POSIX shell prints it, on Windows too."""

import os
import re

_DRIVE = re.compile(r"([A-Za-z]):(?=/|$)(.*)", re.DOTALL)
_LONG = re.compile(r"//[?.]/(UNC/)?", re.IGNORECASE)


def working_folder() -> str:
    """The working directory as the calling shell names it, which may be by way of links.

    Raises :class:`OSError` when it is gone.
    """
    actual = os.getcwd()
    named = os.environ.get("PWD", "")
    if os.name == "posix" and _is_plain(named) and _is_same(named, actual):
        return named
    return shell_path(actual, windows=os.name != "posix")


def shell_path(path: str, windows: bool) -> str:
    r"""``C:\Users\M`` as ``/c/Users/M``; POSIX paths stay as they are."""
    if not windows:
        return path
    path = path.replace("\\", "/")
    path = _LONG.sub(lambda match: "//" if match[1] else "", path, count=1)
    drive = _DRIVE.fullmatch(path)
    if drive:
        path = f"/{drive[1].lower()}{drive[2]}"
    return path.rstrip("/") or "/"


def _is_plain(path: str) -> bool:
    """Whether POSIX allows ``pwd`` to print it: absolute, without ``.`` and ``..``."""
    return path.startswith("/") and not {".", ".."}.intersection(path.split("/"))


def _is_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
