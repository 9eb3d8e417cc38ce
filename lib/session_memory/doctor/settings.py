"""Settings of the repository and of the environment."""

from collections.abc import Iterator
from typing import Any

from session_memory import schemas
from session_memory.core import settings
from session_memory.core.guard import SWITCH, is_thrown
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.surroundings import Surroundings

CHECK = "settings"


def check(around: Surroundings) -> Iterator[Finding]:
    """Switches that are thrown, and settings that are not understood."""
    if is_thrown(around.environ.get(SWITCH, "")):
        yield Finding(
            CHECK,
            Level.WARNING,
            f"Hooks are switched off by {SWITCH} in this environment.",
            "An editor that is started from here runs none of them.",
            f"unset {SWITCH}",
        )
    if around.root:
        yield from _repository(str(around.root))


def _repository(root: str) -> Iterator[Finding]:
    losses: list[str] = []
    found = settings.read_settings(root, losses.append)
    for loss in losses:
        yield Finding(
            CHECK,
            Level.WARNING,
            f"{loss}.",
            "Hooks go on with what they do without settings.",
            "correct the file",
            f"{root}/{loss.split(' ', 1)[0]}",
        )
    yield from _misunderstood(root, found)
    if found and not losses:
        yield Finding(CHECK, Level.OK, f"Settings: {', '.join(sorted(found))}.", where=root)


def _misunderstood(root: str, found: dict[str, Any]) -> Iterator[Finding]:
    if not found:
        return
    from jsonschema import Draft202012Validator

    schema = schemas.load("settings")
    for name in sorted(found.keys() - schema["properties"].keys()):
        what = f"There is no setting called {name}."
        known = ", ".join(sorted(schema["properties"]))
        yield Finding(CHECK, Level.WARNING, what, "It is ignored.", f"one of: {known}", root)
    for error in Draft202012Validator(schema).iter_errors(found):
        what = f"The setting {error.json_path[2:]} is not valid: {error.message[:160]}."
        yield Finding(CHECK, Level.WARNING, what, "It is ignored.", "correct it", root)
