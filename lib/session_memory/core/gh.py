"""The ``gh`` executable as hooks find and call it: as programs do, and in a clone of anybody."""

import os

from session_memory.core.system import WINDOWS

# No questions, no colours, no look for updates, no telemetry.
_SETTINGS = {
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_TELEMETRY": "false",
    "DO_NOT_TRACK": "1",
    "NO_COLOR": "1",
    "LC_ALL": "C",
}
# These colour or mix with the JSON, or speak of the repository of a surrounding git hook.
_DROPPED = ("GH_FORCE_TTY", "GH_DEBUG", "CLICOLOR_FORCE", "DEBUG", "GIT_")


def executable() -> str:
    """Where ``gh`` is, or ``""``.

    Relative folders of ``PATH`` do not count: they may lie in the clone.
    """
    name = "gh.exe" if WINDOWS else "gh"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def environment() -> "dict[str, str]":
    """The variables that ``gh`` is to run with."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(_DROPPED)}
    return {**kept, **_SETTINGS}
