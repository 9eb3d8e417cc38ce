"""The rows of the contract, read from the file that ships with the package."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HOSTS = {
    "claude-code": "Claude Code",
    "copilot-cli": "Copilot CLI",
    "copilot-vscode": "Copilot in VS Code",
    "cloud-agent": "Copilot cloud agent",
}
# Where a place is a file, as opposed to a part of GitHub or of a prompt.
CHECKOUT = "checkout"
MAIN_WORKTREE = "main worktree"
FILES = (CHECKOUT, MAIN_WORKTREE)

_PATH = Path(__file__).with_name("contract.json")
_ID = re.compile(r"(?:smc-?)?0*([0-9]{1,6})", re.IGNORECASE)


class NoSuchRow(LookupError):
    """Nothing in the contract has this number; the message says so for people."""


@dataclass(frozen=True)
class Survival:
    """A label, and when it applies (``""``: always)."""

    label: str
    when: str


@dataclass(frozen=True)
class Place:
    """A file below ``where``, or a part of GitHub or of a prompt.

    ``path`` has the variable parts of a file's name in braces.
    """

    where: str
    path: str
    survival: str
    holds: str
    written_by: str = ""


@dataclass(frozen=True)
class Host:
    """Whether a row works on a host (yes, partly, no, n/a), how, and what is missing."""

    works: str
    mechanism: str
    gap: str


@dataclass(frozen=True)
class Row:
    """One kind of state: where it lies, how long it survives, and who reads and writes it."""

    id: str
    shape: str
    about: str
    survival: tuple[Survival, ...]
    places: tuple[Place, ...]
    hosts: Mapping[str, Host]
    fungibility: str
    owner: str
    read_chain: tuple[str, ...]
    written_by: str
    write_rule: str
    citations: tuple[str, ...]
    read: tuple[str, ...]
    write: tuple[str, ...]
    gap: str

    @property
    def bases(self) -> frozenset[str]:
        """The labels of the row without their surfaces."""
        return frozenset(one.label.partition(":")[0] for one in self.survival)


@dataclass(frozen=True)
class Contract:
    """The table with its vocabulary. ``retired`` leads from a name to what there is instead."""

    labels: Mapping[str, str]
    bases: tuple[str, ...]
    surfaces: tuple[str, ...]
    fungibility: Mapping[str, str]
    rules: Mapping[str, str]
    retired: Mapping[str, str]
    rows: Mapping[str, Row]
    others: tuple[Place, ...]

    def find(self, name: str) -> Row:
        """The row that ``SMC-07``, ``smc-7`` or ``7`` names; raises :class:`NoSuchRow`."""
        match = _ID.fullmatch(name.strip())
        found = f"SMC-{int(match[1]):02}" if match else ""
        if found in self.rows:
            return self.rows[found]
        if found in self.retired:
            raise NoSuchRow(f"the contract has no row {found}. {self.retired[found]}")
        first, *_, last = self.rows
        raise NoSuchRow(f"the contract has no row {name}; its rows are {first} to {last}")


@cache
def contract() -> Contract:
    """The contract that this package ships."""
    return parse(raw())


def raw() -> dict[str, Any]:
    """The contract as the plain data that its schema describes."""
    data: dict[str, Any] = json.loads(_PATH.read_text(encoding="utf-8"))
    return data


def parse(data: Mapping[str, Any]) -> Contract:
    """The contract in ``data``, which is of the schema ``contract``."""
    return Contract(
        labels=data["labels"],
        bases=tuple(data["surfaces"]["bases"]),
        surfaces=tuple(data["surfaces"]["examples"]),
        fungibility=data["fungibility"],
        rules={rule["name"]: rule["text"] for rule in data["rules"]},
        retired={one["name"]: one["instead"] for one in data["retired"]},
        rows={row["id"]: _row(row) for row in data["rows"]},
        others=tuple(Place(**other) for other in data["others"]),
    )


def _row(data: Mapping[str, Any]) -> Row:
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    plain["survival"] = tuple(Survival(**one) for one in data["survival"])
    plain["places"] = tuple(Place(**place) for place in data["places"])
    plain["hosts"] = {name: Host(**host) for name, host in data["hosts"].items()}
    return Row(**plain)
