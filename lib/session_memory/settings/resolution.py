"""The value of every setting as hooks see it, and where it comes from."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from session_memory.core import git
from session_memory.core import settings as core
from session_memory.references import configuration
from session_memory.references.budgets import read_budgets
from session_memory.references.tree import Tree
from session_memory.settings import table
from session_memory.settings.files import SettingsFile
from session_memory.settings.findings import INVALID, Finding, validator
from session_memory.settings.table import Setting

DEFAULT = "default"
ENVIRONMENT = table.ENVIRONMENT

_CREDENTIALS = re.compile(r"//[^/@\s]*@")
_MAX_SHOWN = 100


@dataclass(frozen=True)
class Value:
    """``value`` counts, and was made in ``source``, at ``line`` of ``path``.

    ``others`` are the places whose word does not count, or says the same. What is not ``valid``
    was replaced by what counts instead.
    """

    setting: Setting
    value: object
    source: str = DEFAULT
    path: str = ""
    line: int = 0
    valid: bool = True
    others: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The value in one short line; a secret's is never shown."""
        if self.setting.secret:
            return "set, not shown" if self.value else "not set"
        if self.value in (None, "", []):
            return "none"
        text = self.value if isinstance(self.value, str) else json.dumps(self.value)
        return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "\u2026"

    def as_dict(self) -> dict[str, object]:
        """The value for ``--json``."""
        value = bool(self.value) if self.setting.secret else self.value
        return {
            "name": self.setting.name,
            "is_set" if self.setting.secret else "value": value,
            "default": None if self.setting.secret else self.setting.default,
            "source": self.source,
            "path": self.path,
            "line": self.line,
            "valid": self.valid,
            "overruled": list(self.others),
            "places": list(self.setting.places),
        }


@dataclass(frozen=True)
class Around:
    """What decides the values: a checkout, which may be missing, and the environment."""

    root: str
    cwd: str
    environ: Mapping[str, str]
    files: list[SettingsFile]

    def variable(self, name: str) -> str:
        """The value of an environment variable; ``""`` for one that is not set."""
        return self.environ.get(name, "")


def resolve(around: Around) -> Iterator[Value]:
    """Every setting of the table, in its order."""
    yield from _in_files(around)
    yield from _in_orchestra(around.root)
    yield _authors(around.cwd)
    for setting in (*table.IN_ENVIRONMENT, *table.GIVEN):
        yield _variable(setting, around.variable(setting.name))


def _in_files(around: Around) -> Iterator[Value]:
    checks = validator()
    settings = core.read_settings(around.root, None, around.variable)
    for setting in table.IN_FILES:
        written = [(file, _at(_usable(file), setting.name)) for file in around.files]
        made = [(file, value) for file, value in written if value is not _ABSENT]
        value = _at(settings, setting.name)
        if setting.name == "startup.network" and around.variable(core.NETWORK):
            losers = tuple(_place(file, setting.name) for file, _ in made)
            yield Value(setting, value is True, ENVIRONMENT, core.NETWORK, others=losers)
        elif made:
            yield _written(setting, value, made, checks)
        else:
            yield Value(setting, setting.default)


def _written(setting: Setting, value: object, made: list[Any], checks: Any) -> Value:
    """The value that the files in ``made`` give together; of those that agree the last is named."""
    winner = [file for file, one in made if type(one) is type(value) and one == value][-1]
    others = tuple(_place(file, setting.name) for file, _ in made if file is not winner)
    valid = checks.is_valid(_nested(setting.name, value))
    line = winner.line(*setting.name.split("."))
    counts = value if valid else setting.instead
    return Value(setting, counts, winner.name, winner.path, line, valid, others)


def _usable(file: SettingsFile) -> dict[str, Any]:
    return core.usable(file.name, file.table, lambda _loss: None)


class _Absent:
    """Stands for a setting that is not made, since ``None`` could be one."""


_ABSENT = _Absent()


def _at(settings: dict[str, Any], name: str) -> object:
    value: Any = settings
    for part in name.split("."):
        value = value.get(part, _ABSENT) if isinstance(value, dict) else _ABSENT
    return value


def _nested(name: str, value: object) -> object:
    for part in reversed(name.split(".")):
        value = {part: value}
    return value


def _place(file: SettingsFile, name: str) -> str:
    line = file.line(*name.split("."))
    return f"{file.path}:{line}" if line else file.path


def _in_orchestra(root: str) -> Iterator[Value]:
    """The hook has its own reader for the two budgets; what it reads is what counts."""
    read: dict[str, object] = {}
    if root:
        tree = Tree(root)
        try:
            found = configuration.read_configuration(tree)
        except configuration.InvalidConfiguration:
            found = configuration.Configuration()
        read = {
            "declared_roots": list(found.declared_roots),
            "doc_count_threshold": found.doc_count_threshold,
            **read_budgets(tree).as_dict(),
        }
    for setting in table.IN_ORCHESTRA:
        value = read.get(setting.name.partition(".")[2], setting.default)
        source = DEFAULT if value == setting.default else table.ORCHESTRA
        yield Value(setting, value, source, source if source != DEFAULT else "")


def of_orchestra(root: str) -> Iterator[Finding]:
    """What is wrong with the file of Agent Orchestra."""
    try:
        configuration.read_configuration(Tree(root))
    except configuration.InvalidConfiguration as error:
        message = str(error).removeprefix(table.ORCHESTRA).removeprefix(": ")
        path = f"{root}/{table.ORCHESTRA}"
        yield Finding(INVALID, table.ORCHESTRA, path, 0, message, "its defaults count")


def _authors(cwd: str) -> Value:
    (setting,) = table.IN_GIT
    listed = git.run(cwd, "config", "--get-all", table.TRUSTED_AUTHOR) or b""
    logins = listed.decode("utf-8", "replace").split()
    return Value(setting, logins, table.GIT if logins else DEFAULT)


def _variable(setting: Setting, value: str) -> Value:
    shown = _CREDENTIALS.sub("//***@", value)
    return Value(setting, shown, ENVIRONMENT if value else DEFAULT)
