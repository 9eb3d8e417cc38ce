"""Settings of the user, of the repository and of the environment."""

from collections.abc import Iterator

from session_memory.core.settings import NARROWING, TABLES, read_settings
from session_memory.doctor.finding import Finding, Level
from session_memory.editors.surroundings import Surroundings

CHECK = "settings"

_MEND = "session-memory config check"


def check(around: Surroundings) -> Iterator[Finding]:
    """Settings that are not understood, and what they switch off."""
    root = str(around.root or "")
    faults = list(_faults(around, root))
    yield from faults
    yield from _made(around, root, bool(faults))


def _faults(around: Surroundings, root: str) -> Iterator[Finding]:
    from session_memory.settings import findings
    from session_memory.settings.files import read_files

    files = read_files(root, lambda name: around.environ.get(name, ""))
    for found in (*findings.of_files(files), *findings.of_environment(around.environ)):
        what = f"{found.file}: {found.message}."
        why = f"{_capitalised(found.used)}."
        yield Finding(CHECK, Level.WARNING, what, why, f"correct it; {_MEND}", found.place)


def _capitalised(text: str) -> str:
    """``text`` as a sentence; the name of a setting stays as it is written."""
    word = text.partition(" ")[0]
    return text if "." in word or "_" in word else text[:1].upper() + text[1:]


def _made(around: Surroundings, root: str, faulty: bool) -> Iterator[Finding]:
    """What is switched off, and that the settings are in order."""
    found = read_settings(root, None, lambda name: around.environ.get(name, ""))
    for name in _switched_off(found):
        what = f"Settings switch off {name}."
        yield Finding(CHECK, Level.NOTE, what, "", f"session-memory config get {name}", root)
    if found and not faulty:
        yield Finding(CHECK, Level.OK, f"Settings: {', '.join(sorted(found))}.", where=root)


def _switched_off(found: dict[str, object]) -> list[str]:
    tables = {"": found, **{name: found.get(name) for name in sorted(TABLES)}}
    return [
        f"{name}.enabled".lstrip(".")
        for name, table in tables.items()
        if isinstance(table, dict)
        and "enabled" in NARROWING[name]
        and table.get("enabled", True) is not True
    ]
