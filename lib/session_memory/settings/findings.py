"""What is wrong with settings, each with its file and line."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from session_memory import schemas
from session_memory.core import settings as core
from session_memory.settings.files import SettingsFile
from session_memory.settings.table import ALL, find

ERROR = "error"
WARNING = "warning"

UNUSABLE = "settings-unusable"
MISPLACED = "settings-misplaced"
INVALID = "settings-invalid"
UNKNOWN = "settings-unknown"

_NAMES = frozenset(setting.name for setting in ALL)
_PREFIX = "SESSION_MEMORY_"
_MAX_MESSAGE = 200
_MAX_NAME = 60
# Of one file; a hostile one may have thousands.
_MAX_FINDINGS = 20
_MAX_FAULTS = 100


@dataclass(frozen=True)
class Finding:
    """One thing; ``used`` says what counts instead, ``line`` is 0 when it is not known."""

    code: str
    file: str
    path: str
    line: int
    message: str
    used: str

    @property
    def severity(self) -> str:
        """What is not known is a warning, since a later version may know it."""
        return WARNING if self.code == UNKNOWN else ERROR

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.path or self.file}:{self.line}" if self.line else self.path or self.file

    def as_dict(self) -> dict[str, object]:
        """The finding for ``--json``."""
        return {"severity": self.severity, **asdict(self)}


def validator() -> Draft202012Validator:
    """The schema of settings."""
    return Draft202012Validator(schemas.load("settings"))


def of_files(files: list[SettingsFile]) -> Iterator[Finding]:
    """Every finding, file by file."""
    for file in files:
        yield from of_file(file)


def of_file(file: SettingsFile) -> Iterator[Finding]:
    """The findings of one file, in the order of lines, up to a limit."""
    if file.problem:
        where = (file.name, file.path, file.problem_line)
        yield Finding(UNUSABLE, *where, file.problem, "all of the file is ignored")
        return
    found = sorted(_of_table(file), key=lambda finding: finding.line)
    yield from found[:_MAX_FINDINGS]
    if len(found) > _MAX_FINDINGS:
        message = f"{len(found) - _MAX_FINDINGS} more findings"
        yield Finding(INVALID, file.name, file.path, 0, message, "they are not shown")


def _of_table(file: SettingsFile) -> Iterator[Finding]:
    misplaced = core.OF_THE_REPOSITORY if file.name == core.USER else frozenset()
    for key in misplaced.intersection(file.table):
        message = f"{key} counts only in the settings of a repository"
        yield _finding(file, MISPLACED, (key,), message, "it is ignored")
    kept = {key: value for key, value in file.table.items() if key not in misplaced}
    for fault in islice(validator().iter_errors(kept), _MAX_FAULTS):
        if fault.validator == "additionalProperties":
            yield from _unknown(file, fault)
        else:
            yield _invalid(file, fault)


def _unknown(file: SettingsFile, fault: ValidationError) -> Iterator[Finding]:
    """Each key that is not known; an item of a list that has one is of no use at all."""
    path = tuple(fault.absolute_path)
    if any(isinstance(part, int) for part in path):
        yield _invalid(file, fault)
        return
    schema: Any = fault.schema
    for key in fault.instance:  # type: ignore[union-attr]  # an object, by this validator
        if key not in schema["properties"]:
            message = f"there is no setting called {_dotted((*path, key))}"
            yield _finding(file, UNKNOWN, (*path, key), message, "it is ignored")


def _invalid(file: SettingsFile, fault: ValidationError) -> Finding:
    path = tuple(fault.absolute_path)
    schema: Any = fault.schema
    told = fault.message
    if fault.validator == "pattern":  # which is for machines
        shown = str(fault.instance)[:_MAX_NAME]
        told = f"{shown!r} is not of this form: {schema['description']}"
    message = f"{_dotted(path)}: {told}".rstrip(".")[:_MAX_MESSAGE]
    return _finding(file, INVALID, path, message, _instead(path))


def _finding(
    file: SettingsFile, code: str, path: tuple[Any, ...], message: str, used: str
) -> Finding:
    return Finding(code, file.name, file.path, file.line(*path), message, used)


def _instead(path: tuple[Any, ...]) -> str:
    name = ".".join(part for part in path[:2] if isinstance(part, str))
    if name in core.TABLES:
        return f"{name}.enabled = false counts"
    instead = find(name if name in _NAMES else path[0]).instead
    return "the default counts" if instead is None else f"{as_toml(instead)} counts"


def as_toml(value: object) -> str:
    """A value of the table in the notation of the files."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _dotted(path: tuple[Any, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' * bool(text)}{part[:_MAX_NAME]}"
    return text


def of_environment(environ: Mapping[str, str]) -> Iterator[Finding]:
    """What is wrong with the variables of the bundle itself. No value is quoted."""
    losses: list[str] = []
    core.network_word(lambda name: environ.get(name, ""), losses.append)
    for loss in losses:
        message, _, used = loss.partition("; ")
        yield Finding(INVALID, "environment", "", 0, message, used)
    for name in sorted(environ):
        if name.startswith(_PREFIX) and name not in _NAMES:
            message = f"there is no variable called {name[:_MAX_NAME]}"
            yield Finding(UNKNOWN, "environment", "", 0, message, "it is ignored")
