"""Remembering the interpreter behind a version manager's shim, for the launcher."""

import sys

from session_memory.core import document
from session_memory.core.folder import Folder
from session_memory.core.system import base_name, parent


def remember(path: str, setting: str = "") -> None:
    """Write this interpreter's own path to the file ``path``, and ``setting`` on a second line.

    The setting is the one under which the launcher chose; another one makes it choose again. What
    the launcher could not read back is not written. Raises :class:`OSError`; the launcher then
    goes without a memory.
    """
    lines = [sys.executable or "", setting]
    if not lines[0] or "\n" in "".join(lines):
        return
    folder = Folder(parent(path), (), create=False)
    try:
        text = "".join([line + "\n" for line in lines])
        document.replace(folder, base_name(path), text.encode("utf-8", "surrogateescape"))
    finally:
        folder.close()
