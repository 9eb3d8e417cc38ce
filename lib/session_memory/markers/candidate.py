"""A text that somebody wants written, checked as far as that goes without asking GitHub."""

from dataclasses import dataclass, replace

from session_memory.github.rewriting import unsendable
from session_memory.markers import body_rules
from session_memory.markers.blocks import blocks
from session_memory.markers.families import (
    BLOCK,
    EITHER,
    FAMILIES,
    NUMBER_OF_DIGITS,
    Marker,
    marker,
)
from session_memory.markers.outcome import Refused, subject_of
from session_memory.markers.problem import Problem, echo
from session_memory.markers.text import normalize
from session_memory.records import validators


@dataclass(frozen=True)
class Key:
    """What a caller names: family, number, phase or port, and where it thinks that it belongs."""

    family: str
    number: int
    part: str
    surface: str


@dataclass(frozen=True)
class Candidate:
    """The whole text for one marker.

    ``surface`` is the caller's. With ``preserve`` unset, nothing is carried over from the text that
    it replaces.
    """

    marker: Marker
    surface: str
    body: str
    preserve: bool = True

    @classmethod
    def of(cls, key: Key, body: str, *, preserve: bool = True) -> "Candidate":
        """The candidate of a family and key; :class:`Refused` when there is no such marker.

        Line ends become LF, which is how every text is written.
        """
        try:
            found = address(key.family, key.number, key.part)
        except ValueError as error:
            problem = Problem("no-marker", str(error))
            raise Refused(key.family, key.surface, key.number, [problem]) from None
        return cls(found, key.surface, body.replace("\r\n", "\n"), preserve)

    @property
    def subject(self) -> str:
        return subject_of(self.marker)

    def with_body(self, body: str) -> "Candidate":
        return replace(self, body=body)

    def refused(self, *problems: Problem) -> Refused:
        """The refusal of this candidate."""
        marked = self.marker
        return Refused(marked.family.name, self.surface, marked.number, list(problems))

    def check(self) -> None:
        """Raise :class:`Refused` for whatever can be told from the candidate alone."""
        problems = self._out_of_place() or self._unfit()
        if problems:
            raise self.refused(*problems)

    def _out_of_place(self) -> list[Problem]:
        family = self.marker.family
        if not family.writable:
            sentence = f"{family.name} is written by other tools, never by this one"
            return [Problem("not-writable", sentence)]
        if self.marker.surface not in (self.surface, EITHER):
            sentence = f"{_name(self.marker)} belongs on the {_words(self.marker.surface)}"
            return [Problem("surface", f"{sentence}, not on the {_words(self.surface)}")]
        return []

    def _unfit(self) -> list[Problem]:
        reason = unsendable(self.body)
        if self.is_block:
            payload = validators.check_payload(self.body, self.marker)
            problems = [*body_rules.check_text(self.body), *_not_alone(self), *payload]
        else:
            problems = validators.check(self.body, self.marker)
        return problems or ([Problem("unsendable", reason)] if reason else [])

    @property
    def is_block(self) -> bool:
        """Whether the text is a block in a description rather than a comment."""
        return self.marker.family.shape == BLOCK


def address(family: str, number: int, part: str = "") -> Marker:
    """The marker to write under, a block's place included; :class:`ValueError` if there is none."""
    found = FAMILIES.get(family)
    if found is None or found.shape != BLOCK or not found.surface:
        return marker(family, number, part)
    if part or not 0 < number < 10**NUMBER_OF_DIGITS:
        raise ValueError(f"{family} needs the number of a pull request, and nothing else")
    return Marker(found, number)


def _not_alone(candidate: Candidate) -> list[Problem]:
    """A block comes alone: what else stands in the description is not the caller's to change."""
    name = candidate.marker.family.name
    text = normalize(candidate.body)
    found = blocks(text, name)
    alone = (
        len(found) == 1 and text.startswith("<!--") and text.count("<!--") == text.count("-->") == 1
    )
    if alone and text.endswith("-->"):
        return []
    return [Problem("not-a-block", f"the text must be one {name} block and nothing else")]


def _name(marker: Marker) -> str:
    return echo(f"{marker.family.name} {marker.part}".strip())


def _words(surface: str) -> str:
    return surface.replace("-", " ")
