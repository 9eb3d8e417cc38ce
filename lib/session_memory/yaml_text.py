"""YAML 1.2 from people and strangers, read so that no value changes its text.

Built on the event stream of ruamel.yaml, so that nothing is constructed which is not meant to be:
no anchors, aliases, merge keys or tags, one document, no key twice, bounded size and depth.

A plain scalar becomes a number, a truth value or null only where its text can be had back exactly:
``42``, ``-7``, ``true``, ``false``, ``null``, ``~`` and nothing at all. Everything else stays text:
``no``, ``1.10``, ``2026-01-02``, ``10:30``, ``0123``, ``1e10``, and whatever is quoted.
"""

import re
from collections.abc import Iterator
from typing import Any

# A GitHub comment holds 65,536 characters; a reference index may be longer.
MAX_CHARACTERS = 131_072
MAX_DEPTH = 32

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
# What the parser quotes in its messages, other than the name of a token such as '<scalar>'.
_QUOTED = re.compile(r"'(?!<)[^']{3,}'")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_BEYOND_UNICODE = re.compile(r"\\U(?!00(?:0[0-9a-fA-F]|10))")
# Older YAML ends a line there, and would fold it into a blank.
_NEXT_LINE = "\x85"
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


class YamlError(ValueError):
    """The text is not YAML of this kind. ``line`` counts from 1; no message quotes the text."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"{reason} (line {line})")
        self.reason = reason
        self.line = line


def load(text: str) -> object:
    """The one document in ``text``: dictionaries with text keys, lists and scalars.

    ``None`` for a text without a document. Raises :class:`YamlError`.
    """
    if len(text) > MAX_CHARACTERS:
        raise YamlError(f"longer than {MAX_CHARACTERS} characters", 1)
    if _NEXT_LINE in text:
        raise _bad_character(text, text.index(_NEXT_LINE))
    return _Reader(_events(text)).document()


def _events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = _QUOTED.sub("'…'", error.problem or "not YAML")
        raise YamlError(reason, mark.line + 1 if mark else 1) from None
    except YAMLError as error:  # a character that YAML does not allow
        raise _bad_character(text, getattr(error, "position", 0)) from None
    except (ValueError, OverflowError):  # an escape beyond the last code point
        escape = _BEYOND_UNICODE.search(text)
        raise _bad_character(text, escape.start() if escape else 0) from None


def _bad_character(text: str, position: int) -> YamlError:
    line = text.count("\n", 0, position) + 1
    return YamlError("a character that YAML does not allow", line)


class _Reader:
    """Builds values out of events; an event's class name says what it is."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._depth = 0

    def document(self) -> object:
        value: object = None
        documents = 0
        for event in self._events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    raise YamlError("a second document is not allowed", _line(event))
            elif kind not in {"StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"}:
                value = self._value(event)
        return value

    def _value(self, event: Any) -> object:
        _refuse_references(event)
        kind = type(event).__name__
        if kind == "ScalarEvent":
            text = _text(event)
            return _scalar(text) if event.style in (None, "") else text
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise YamlError(f"nested deeper than {MAX_DEPTH} levels", _line(event))
        value = self._mapping() if kind == "MappingStartEvent" else self._sequence()
        self._depth -= 1
        return value

    def _sequence(self) -> list[object]:
        values = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            values.append(self._value(event))
        return values

    def _mapping(self) -> dict[str, object]:
        values: dict[str, object] = {}
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            key = self._key(event)
            if key in values:
                raise YamlError("a key twice in one mapping", _line(event))
            values[key] = self._value(next(self._events))
        return values

    def _key(self, event: Any) -> str:
        _refuse_references(event)
        if type(event).__name__ != "ScalarEvent":
            raise YamlError("a key that is not text", _line(event))
        if event.value == "<<" and event.style in (None, ""):
            raise YamlError("a merge key is not allowed", _line(event))
        return _text(event)


def _refuse_references(event: Any) -> None:
    if type(event).__name__ == "AliasEvent":
        raise YamlError("an alias is not allowed", _line(event))
    if event.anchor is not None:
        raise YamlError("an anchor is not allowed", _line(event))
    if getattr(event, "ctag", None) is not None:
        raise YamlError("a tag is not allowed", _line(event))


def _text(event: Any) -> str:
    """The text of a scalar. Two escapes of a pair, as JSON writes them, are one character."""
    text = str(event.value)
    if not _HALF_PAIR.search(text):
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise YamlError("half of a surrogate pair", _line(event)) from None


def _scalar(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _INTEGER.fullmatch(text) else text


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
