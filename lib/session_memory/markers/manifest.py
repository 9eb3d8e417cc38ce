"""The manifest of a burst: a JSON array of what to write, in order.

An entry is ``{family, number, targetSurface, marker, bodyFile, noPreserve?}``. The marker says
again what family and number say, and names the phase or port; one that says anything else is
refused, because then the caller is mistaken about the one or the other.
"""

import json
from collections.abc import Mapping

from session_memory.markers.body_file import BodyFileError, Scratch
from session_memory.markers.candidate import Candidate, Key
from session_memory.markers.families import FAMILIES, ISSUE, PULL_REQUEST, parse
from session_memory.markers.outcome import Refused
from session_memory.markers.problem import Problem, echo

MAX_BYTES = 1 << 20
MAX_NUMBER = (1 << 31) - 1

_REQUIRED = ("family", "number", "targetSurface", "marker", "bodyFile")
_SURFACES = (ISSUE, PULL_REQUEST)


class ManifestError(Exception):
    """The manifest is refused as a whole, and nothing is written."""


def read(scratch: Scratch, path: str) -> list[Candidate]:
    """The candidates that the manifest at ``path`` names; :class:`ManifestError` otherwise."""
    try:
        text = scratch.read(path, MAX_BYTES)
    except BodyFileError as error:
        raise ManifestError(f"the manifest: {error}") from None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ManifestError("malformed manifest: it is not JSON") from None
    entries = [value] if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise ManifestError("malformed manifest: it is not an array of entries")
    if not entries:
        raise ManifestError("the manifest has zero entries")
    return [_candidate(entry, scratch, number) for number, entry in enumerate(entries, 1)]


def _candidate(entry: object, scratch: Scratch, index: int) -> Candidate:
    where = f"entry {index}"
    if not isinstance(entry, Mapping):
        raise ManifestError(f"{where} is not an object")
    for name in _REQUIRED:
        if entry.get(name) is None or not str(entry[name]).strip():
            raise ManifestError(f"{where} lacks the field {name}")
    try:
        return _checked(entry, scratch)
    except (ValueError, BodyFileError) as error:
        raise ManifestError(f"{where}: {error}") from None
    except Refused as refused:
        raise ManifestError(f"{where}: {refused.reason}") from None


def _checked(entry: Mapping[str, object], scratch: Scratch) -> Candidate:
    surface = entry["targetSurface"]
    if surface not in _SURFACES:
        raise ValueError(f"targetSurface is '{echo(surface)}', not one of {', '.join(_SURFACES)}")
    number = whole_number(entry["number"])
    body = scratch.read(str(entry["bodyFile"]))
    preserve = not _flag(entry.get("noPreserve"))
    family = str(entry["family"])
    part = _part(family, str(entry["marker"]))
    made = Candidate.of(Key(family, number, part, str(surface)), body, preserve=preserve)
    literal = made.marker.family.template if made.is_block else made.marker.literal
    if str(entry["marker"]).strip() != literal:
        sentence = f"the marker {echo(entry['marker'])} is not that of {family} {number}"
        raise made.refused(Problem("marker-mismatch", sentence))
    return made


def whole_number(value: object) -> int:
    """A number as JSON may spell it; :class:`ValueError` for anything but a whole one in range."""
    text = value.strip() if isinstance(value, str) else None
    number = 0
    if text is not None and text.isascii() and text.isdigit() and len(text) < 20:
        number = int(text)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # An exponent of JSON can be infinite, which is no whole number.
        number = int(value) if value == value // 1 and abs(value) <= MAX_NUMBER else 0
    if not 0 < number <= MAX_NUMBER:
        raise ValueError(f"number is {echo(value)}, not a whole number from 1 to {MAX_NUMBER}")
    return number


def _part(family: str, literal: str) -> str:
    found = parse(literal.strip())
    known = FAMILIES.get(family)
    return found.part if found and known and found.family == known else ""


def _flag(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    raise ValueError(f"noPreserve is {echo(value)}, neither true nor false")
