"""What any marker comment must be, whatever its payload: its marker first, nobody else's at all."""

import re
import unicodedata
from collections.abc import Iterator

from session_memory.markers.families import BLOCK, FAMILIES, Family, Marker
from session_memory.markers.problem import Problem, echo
from session_memory.markers.text import BLANKS, first_line, lines, open_fence, to_lf

# GitHub's own bounds for the body of a comment.
MAX_CHARACTERS = 65_536
MAX_BYTES = 262_144

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
# The widest spelling that any reader has ever accepted.
_ANY_MARKER = re.compile(r"<!--\s*([a-z](?:\w|-(?!->))*)(.*)", re.IGNORECASE)
# A line begins behind these for a reader in JavaScript, and for some in Python.
_SEPARATOR = re.compile("[\u2028\u2029]")
_ENDS = re.compile(r"\s*-->")
_BY_LENGTH = sorted(FAMILIES.values(), key=lambda family: -len(family.name))


def check(body: str, marker: Marker) -> list[Problem]:
    """What forbids ``body`` to be posted as the comment of ``marker``; empty when nothing does."""
    return [*check_text(body), *_own_marker(body, marker), *foreign_markers(body, marker)]


def check_text(body: str) -> list[Problem]:
    """Size, line ends, control characters and code fences."""
    return [problem for problem in (too_large(body), *_characters(body)) if problem]


def foreign_markers(body: str, own: Marker) -> list[Problem]:
    """Lines that begin another record's marker, or a block that does not belong in this family.

    Code fences give no exemption: a reader that does not know about fences would see the marker.
    """
    rows = lines(to_lf(body))
    found = []
    for number, family, text in _markers(rows):
        if family.name in own.family.holds or (number == 1 and text == own.literal):
            continue
        if _same(text, own):
            continue
        found.append(
            Problem(
                "foreign-marker",
                f"line {number} starts another record's marker ({family.name}): {echo(text)}",
            )
        )
    return found


def _own_marker(body: str, marker: Marker) -> Iterator[Problem]:
    rows = lines(to_lf(body))
    at = [n for n, row in enumerate(rows, 1) if row.lstrip().startswith(marker.literal)]
    if not at:
        yield Problem("marker-missing", f"the marker {marker.literal} is missing entirely")
    elif at[0] != 1:
        yield Problem(
            "marker-not-first", f"the marker is missing from line 1; it was found at line {at[0]}"
        )
    elif first_line(body).rstrip(BLANKS) != marker.literal:
        yield Problem("marker-not-alone", "line 1 must be the marker exactly, and nothing else")
    repeated = [n for n, _, text in _markers(rows) if n > 1 and _same(text, marker)]
    if at and at[0] == 1 and repeated:
        yield Problem(
            "marker-repeated",
            f"the marker stands there more than once (also at line {repeated[0]})",
        )


def _markers(rows: list[str]) -> Iterator[tuple[int, Family, str]]:
    """Lines that start a known marker behind nothing but blanks and invisible characters."""
    for number, row in enumerate(rows, 1):
        for part in _SEPARATOR.split(row):
            match = _ANY_MARKER.match(part[_invisible(part) :])
            family = _family(match[1].lower(), match[2]) if match else None
            if match and family:
                yield number, family, match[0].rstrip()


def _invisible(row: str) -> int:
    """How many characters of ``row`` cannot be seen before the first that can."""
    for at, character in enumerate(row):
        if not character.isspace() and unicodedata.category(character) != "Cf":
            return at
    return len(row)


def _family(word: str, rest: str) -> Family | None:
    for family in _BY_LENGTH:
        if word == family.name and (family.shape == BLOCK or not family.surface):
            return family
        if word.startswith(f"{family.name}-") and _ENDS.match(rest):
            return family
    return None


def _same(text: str, own: Marker) -> bool:
    """Whether ``text`` is the own marker in any spelling."""
    inside = own.literal.removeprefix("<!-- ").removesuffix(" -->")
    return re.match(rf"<!--\s*{re.escape(inside)}\s*-->", text, re.IGNORECASE) is not None


def too_large(body: str) -> Problem | None:
    """Whether ``body`` is more than GitHub takes."""
    if len(body) > MAX_CHARACTERS:
        return Problem("too-large", f"{len(body)} characters; a comment holds {MAX_CHARACTERS}")
    size = len(body.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        return Problem("too-large", f"{size} bytes; a comment holds {MAX_BYTES}")
    return None


def _characters(body: str) -> Iterator[Problem]:
    if _LONE_CR.search(body):
        yield Problem("lone-cr", "a carriage return without a line feed ends a line")
    control = _CONTROL.search(body)
    if control:
        line = body.count("\n", 0, control.start()) + 1
        yield Problem(
            "control-character", f"line {line} holds the control character U+{ord(control[0]):04X}"
        )
    if any("\ud800" <= character <= "\udfff" for character in body):
        yield Problem("not-unicode", "half of a surrogate pair cannot be sent as UTF-8")
    if open_fence(body):
        yield Problem("open-fence", "a code fence is opened and not closed")
