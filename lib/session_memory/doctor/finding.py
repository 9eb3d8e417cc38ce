"""What a check has to say."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How bad it is. Only a fault makes ``doctor`` end with an exit code other than 0."""

    OK = 0
    NOTE = 1  # worth knowing
    WARNING = 2  # hooks run, but slower, or with less effect than they could have
    FAULT = 3  # hooks do not do their work


@dataclass(frozen=True)
class Finding:
    """One fact.

    ``what`` is a sentence, ``why`` another that says what follows from it, ``mend`` a command or a
    step. ``where`` names the file or folder, ``row`` the row of the contract that it touches.
    """

    check: str
    level: Level
    what: str
    why: str = ""
    mend: str = ""
    where: str = ""
    row: str = ""

    def as_dict(self) -> dict[str, str]:
        """The finding as ``--json`` prints it."""
        texts = (self.what, self.why, self.mend, self.where, self.row)
        names = ("what", "why", "mend", "where", "row")
        return {"check": self.check, "level": self.level.name.lower(), **dict(zip(names, texts))}


def reason(error: OSError) -> str:
    """The system's words for a failure, without the path."""
    return error.strerror or type(error).__name__
