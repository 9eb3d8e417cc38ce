"""What the linter finds, and the codes it is known by."""

from dataclasses import dataclass

# Codes are stable: they may get company, and never another meaning.
CODES = {
    "label-mismatch": "A survival label that is not one of the row it is cited with.",
    "malformed-label": "A survival label whose base and surface are not written base:surface.",
    "missing-label": "A document that owns state cites its row, and not how long it survives.",
    "missing-row": "A document that owns state says how long it survives, and cites no row.",
    "partial-without-condition": "Fungibility is partial, and the condition is not named.",
    "retired-name": "A name that nothing writes or reads any more.",
    "unknown-fungibility": "A value for cross-tool fungibility that the contract does not have.",
    "unknown-label": "A survival label that the contract does not have.",
    "unknown-row": "A row that the contract does not have.",
    "unlabelled-state": "A document owns state without a survival label and a row near it.",
    "wrong-chain": "State is looked up by the chain of another shape.",
    "wrong-row": "A document that owns state cites a row that is not this state's.",
}


@dataclass(frozen=True, order=True)
class Finding:
    """A finding; ``line`` and ``column`` count from 1, ``column`` in characters."""

    path: str
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True)
class Fault:
    """A finding as a check makes it, at a character of the text."""

    offset: int
    code: str
    message: str
