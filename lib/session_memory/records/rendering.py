"""Payload to YAML under the injection policy: what people typed cannot change what is read back.

Text of several lines becomes a block scalar, text of one line a quoted scalar. Text that could end
the fence or begin another record is refused, and the result is read back before anyone sends it.
"""

import re
from collections.abc import Iterator, Mapping

from session_memory.markers.families import Marker
from session_memory.yaml_text import YamlError, load

_FENCE_LINE = re.compile(r"^[^\S\n]*(```|~~~)", re.MULTILINE)
_MARKER_LINE = re.compile(r"^[^\S\n]*<!--\s*/?[A-Za-z]", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PLAIN_TEXT = re.compile(r"[a-z]+(-[a-z0-9]+)+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


class Refused(ValueError):
    """A text that must not go into a payload; ``code`` says why."""

    def __init__(self, code: str, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.code = code
        self.field = field


def render_body(marker: Marker, payload: Mapping[str, object], prose: str = "") -> str:
    """The whole comment: the marker, optional prose such as a mirror, the payload in its fence."""
    middle = f"{prose.strip()}\n\n" if prose.strip() else ""
    return f"{marker.literal}\n\n{middle}```yaml\n{render(payload)}```\n"


def render(payload: Mapping[str, object]) -> str:
    """``payload`` as YAML that reads back as exactly this payload. Raises :class:`Refused`."""
    clean = {str(key): _clean(value, str(key)) for key, value in payload.items()}
    text = "".join(f"{line}\n" for line in _mapping(clean, 0))
    try:
        same = repr(load(text)) == repr(clean)  # 1 == True
    except YamlError:  # pragma: no cover - the check of last resort
        same = False
    if not same:  # pragma: no cover - the check of last resort
        raise Refused("not-round-trip", "payload", "it does not read back as it was written")
    return text


def check_text(text: str, field: str) -> None:
    """Raises :class:`Refused` for text that the injection policy keeps out of a payload."""
    if _FENCE_LINE.search(text):
        raise Refused("fence-line-in-user-text", field, "a line begins with a code fence")
    if _MARKER_LINE.search(text):
        raise Refused("marker-line-in-user-text", field, "a line begins an HTML comment")
    control = _CONTROL.search(text)
    if control:
        name = f"U+{ord(control[0]):04X}"
        raise Refused("control-character-in-user-text", field, f"it holds the character {name}")


def quoted(text: str) -> str:
    """``text`` as one double-quoted scalar, in which no HTML comment can begin."""
    escaped = "".join(_ESCAPES.get(character, character) for character in text)
    return '"' + escaped.replace("<!--", "\\x3C!--") + '"'


def _clean(value: object, field: str) -> object:
    """``value`` with LF line ends, after every text in it has been checked."""
    if isinstance(value, str):
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        check_text(text, field)
        return text
    if isinstance(value, Mapping):
        for key in value:
            check_text(str(key), field)
        return {str(key): _clean(item, str(key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item, field) for item in value]
    if value is None or isinstance(value, (bool, int)):
        return value
    raise Refused("not-yaml", field, f"a {type(value).__name__} has no place in a payload")


def _mapping(values: Mapping[str, object], depth: int) -> Iterator[str]:
    for key, value in values.items():
        name = key if _PLAIN_KEY.fullmatch(key) else quoted(key)
        yield from _entry(f"{name}:", value, depth)


def _sequence(values: list[object], depth: int) -> Iterator[str]:
    for value in values:
        if isinstance(value, dict) and value:
            first, *rest = _mapping(value, depth + 1)
            yield f"{_indent(depth)}- {first.lstrip(' ')}"
            yield from rest
        else:
            yield from _entry("-", value, depth)


def _entry(head: str, value: object, depth: int) -> Iterator[str]:
    start = f"{_indent(depth)}{head}"
    if isinstance(value, dict) and value:
        yield start
        yield from _mapping(value, depth + 1)
    elif isinstance(value, list) and value and not _is_flow(value):
        yield start
        yield from _sequence(value, depth + 1)
    elif isinstance(value, str) and _fits_block(value):
        yield f"{start} |-"
        yield from (f"{_indent(depth + 1)}{line}" if line else "" for line in value.split("\n"))
    else:
        yield f"{start} {_scalar(value)}"


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return value if _PLAIN_TEXT.fullmatch(value) else quoted(value)
    if isinstance(value, list):
        return "[" + ", ".join(str(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _is_flow(values: list[object]) -> bool:
    """Numbers only, such as the passes that were run, read best on one line."""
    return all(isinstance(item, int) and not isinstance(item, bool) for item in values)


def _fits_block(text: str) -> bool:
    """Whether a ``|-`` block gives the text back: it strips the end and takes indent for layout."""
    rows = text.split("\n")
    return (
        len(rows) > 1
        and bool(rows[-1].strip())
        and not rows[0].startswith((" ", "\t"))
        and bool(rows[0])
    )


def _indent(depth: int) -> str:
    return "  " * depth
