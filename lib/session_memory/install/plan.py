"""What an installation or a removal would change, before anything is changed."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from session_memory.editors import jsonc
from session_memory.install import registration
from session_memory.install.commands import Runner
from session_memory.install.place import Place, Refused
from session_memory.install.settings_file import SettingsFile
from session_memory.library import Library


@dataclass(frozen=True)
class Plan:
    """A change of one settings file; ``after`` is ``None`` where the file is to go."""

    place: Place
    file: SettingsFile
    after: "bytes | None"
    # For an installation, what a removal shall give back. For a removal, whether ``after`` is
    # what stood there before the hooks, to the byte.
    original: "bytes | None" = None
    exact: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.after != self.file.data

    @property
    def extension(self) -> int:
        """The line of the first comment or trailing comma in the file, or 0."""
        return jsonc.parse(_decode(self.after)).extension if self.after else 0

    def diff(self) -> str:
        """The change as a unified diff."""
        path = str(self.file.path)
        before = "/dev/null" if self.file.data is None else path
        after = "/dev/null" if self.after is None else path
        lines = difflib.unified_diff(
            _decode(self.file.data or b"").splitlines(keepends=True),
            _decode(self.after or b"").splitlines(keepends=True),
            before,
            after,
        )
        return "".join(
            [
                line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
                for line in lines
            ]
        )

    def install(self) -> None:
        """Carry it out; raises :class:`OSError`, and then the file is as it was."""
        self.file.replace(self.after or b"", keep=self.original)

    def uninstall(self) -> "Path | None":
        """Carry it out; where a backup was kept, if the file had been changed by others."""
        if self.exact or self.after is None:
            self.file.restore(self.after)
            return None
        return self.file.strip(self.after)


def to_install(place: Place, runner: Runner, library: Library) -> Plan:
    """The registration in ``place``; raises :class:`Refused` when the file cannot be edited."""
    file = SettingsFile.read(place)
    text = file.text
    blank = not text.strip(jsonc.BOM + " \t\r\n")
    base = registration.EMPTY[place.shape] if blank else text
    wanted = registration.wanted(place.shape, runner, library.hooks)
    with _Naming(file.path):
        after = registration.add(base, place.shape, library.hooks, wanted)
        return Plan(place, file, after.encode(), _way_back(file, library))


def to_uninstall(place: Place, library: Library) -> Plan:
    """The removal from ``place``; raises :class:`Refused` when the file cannot be edited."""
    file = SettingsFile.read(place)
    if file.data is None or not file.text.strip(jsonc.BOM + " \t\r\n"):
        return Plan(place, file, file.data)
    with _Naming(file.path):
        stripped = registration.strip(file.text, library.hooks)
        if stripped == file.text:
            return Plan(place, file, file.data)
        original = _clean_original(file, library)
        if original is not None:
            return Plan(place, file, original, exact=True)
        if registration.is_empty(stripped) and not file.backups():
            return Plan(place, file, None)
        return Plan(place, file, stripped.encode())


def _way_back(file: SettingsFile, library: Library) -> "bytes | None":
    """What a later removal shall restore; ``None`` where that is no file at all."""
    known = _clean_original(file, library)
    if known is not None or file.data is None:
        return known
    if not file.text.strip(jsonc.BOM + " \t\r\n"):
        return file.data
    stripped = registration.strip(file.text, library.hooks)
    made_by_us = stripped != file.text and registration.is_empty(stripped) and not file.backups()
    return None if made_by_us else file.data


def _clean_original(file: SettingsFile, library: Library) -> "bytes | None":
    """The backup that belongs to the file, if it is from before the hooks."""
    data = file.original()
    if data is None:
        return None
    try:
        text = data.decode("utf-8")
        found = text.strip(jsonc.BOM + " \t\r\n") and registration.entries(
            jsonc.parse(text), library.hooks
        )
    except ValueError:
        return None
    return None if found else data


class _Naming:
    """Puts the file's path in front of what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: "BaseException | None", _trace: object) -> None:
        if isinstance(error, jsonc.Malformed | Refused):
            raise Refused(f"{self.path}: {error}") from None


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")
