"""Remembering the interpreter behind a version manager's shim, for the launcher."""

import sys

from session_memory.core import document
from session_memory.core.folder import Folder
from session_memory.core.system import base_name, parent


def remember(path: str) -> None:
    """Write this interpreter's own path, on one line, to the file ``path``.

    Raises :class:`OSError`; the launcher then goes without a memory.
    """
    folder = Folder(parent(path), (), create=False)
    try:
        document.replace(folder, base_name(path), sys.executable.encode() + b"\n")
    finally:
        folder.close()
