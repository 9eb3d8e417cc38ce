"""Whether Copilot CLI trusts the folder: else it reads no hooks that the repository registers.

So does 1.0.102; without a terminal it does not even ask.
"""

import os
from collections.abc import Iterator

from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.registrations import CHECK, Registry
from session_memory.editors.json_files import JsonFile, read
from session_memory.editors.locations import CLAUDE, COPILOT, copilot_home
from session_memory.editors.surroundings import Surroundings


def check(registry: Registry) -> Iterator[Finding]:
    """Hooks of the repository that wait for trust."""
    # Files of Claude Code may be meant for that alone.
    found = [one.source for one in registry.of(COPILOT) if CLAUDE not in one.source.readers]
    waiting = [source for source in found if source.shared]
    books = _books(registry.around)
    if waiting and not _is_trusted(registry.around, books):
        # Without books, nobody has started Copilot CLI here, and VS Code may be what is meant.
        alone = books.exists and len(waiting) == len(found)
        yield Finding(
            CHECK,
            Level.WARNING if alone else Level.NOTE,
            "Copilot CLI has not been told to trust this folder.",
            "Until it is, Copilot CLI reads no hooks that the repository registers.",
            "start copilot here, and let it remember that you trust the folder",
            str(waiting[0].path),
        )


def _books(around: Surroundings) -> JsonFile:
    return read(copilot_home(around) / "config.json", comments=True)


def _is_trusted(around: Surroundings, books: JsonFile) -> bool:
    """Whether the folder, or one above it, is in Copilot CLI's books; links are resolved."""
    listed = books.value.get("trustedFolders")
    folders = [path for path in listed if isinstance(path, str)] if isinstance(listed, list) else []
    here = os.path.join(os.path.realpath(around.cwd), "")
    return any(
        here.startswith(os.path.join(os.path.realpath(path), "")) for path in folders if path
    )
