"""What the report says about a folder, line by line."""

from collections.abc import Callable
from pathlib import Path

import startup_support
from support import Hook

Start = Callable[..., Hook]


def look(root: Path, network: bool = False) -> list[str]:
    """The lines of the report for a conversation in ``root``, without the heading."""
    looked = startup_support.look(root, network)
    return [line for lines in looked.report.sections.values() for line in lines]
