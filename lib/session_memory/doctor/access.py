"""What could be written, found out without writing."""

import os
from pathlib import Path


def can_write_below(path: Path) -> bool:
    """Whether ``path`` is a folder that takes files, or could be made."""
    for folder in (path, *path.parents):
        if os.path.lexists(folder):
            return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)
    return False
